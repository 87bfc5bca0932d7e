package io.jenkins.plugins.tao.backend.kubernetes.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.JobConditionBuilder;
import io.fabric8.mockwebserver.http.MockResponse;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.kubernetes.Captured;
import io.jenkins.plugins.tao.backend.kubernetes.ClusterTest;
import io.jenkins.plugins.tao.backend.kubernetes.Sample;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.status.DeadlineReply;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlines end what never started, and nothing that is not known to be so. */
class KubernetesDeadlineTest extends ClusterTest {
    private static final String EMPTY = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[]}";

    private JobHandle running(String name) throws Exception {
        JobHandle job = submit(gang("sleep 600"), name);
        await().until(() -> look(job).nativeState().equals("Running") && ready(name) == 2);
        return job;
    }

    private int ready(String name) {
        Integer ready = cluster.job("tao-jobs", "tao-" + name).getStatus().getReady();
        return ready == null ? 0 : ready;
    }

    private void assertUntouched(JobHandle job) {
        assertThat(cluster.server().requests()).noneMatch(request -> request.startsWith("PATCH"));
        assertThat(cluster.admin().pods().inNamespace("tao-jobs").list().getItems())
                .extracting(pod -> pod.getStatus().getPhase())
                .containsExactly("Running", "Running");
        assertThat(job).isNotNull();
    }

    @Test
    @Promise("TR-24")
    void aRunningGangIsEndedByNoListOfPodsThatIsRefused() throws Exception {
        JobHandle job = running("refused");
        cluster.server().requests();

        cluster.server().ahead(3700);
        cluster.server().deny("list /pods");

        assertThat(watched(job).state()).isEqualTo(JobState.RUNNING);
        assertThat(watched(job).nativeState()).isEqualTo("Running");
        assertUntouched(job);
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404, 429, 500, 503})
    @Promise("TR-24")
    void aRunningGangIsEndedByNoListOfPodsThatFails(int code) throws Exception {
        JobHandle job = running("failed");
        cluster.server().requests();

        cluster.server().ahead(3700);
        cluster.server().faultOnce("GET", "/pods?", code);

        assertThat(watched(job).state()).isEqualTo(JobState.RUNNING);
        cluster.server().faultOnce("GET", "/pods?", code);
        cluster.server().faultOnce("GET", "/pods?", code);
        watched(job);
        assertUntouched(job);
    }

    @Test
    @Promise("TR-24")
    void aRunningGangIsEndedByNoListOfPodsThatIsEmpty() throws Exception {
        JobHandle job = running("empty");
        cluster.server().requests();

        cluster.server().ahead(3700);
        for (int i = 0; i < 4; i++) {
            cluster.server()
                    .fault(
                            request -> request.getPath().contains("/pods?"),
                            new MockResponse()
                                    .setResponseCode(200)
                                    .setHeader("Content-Type", "application/json")
                                    .setBody(EMPTY),
                            false);
        }

        assertThat(watched(job).state()).isEqualTo(JobState.RUNNING);
        watched(job);
        assertUntouched(job);
    }

    @Test
    @Promise("TR-24")
    void aGangWhoseAccountMayNotListPodsIsNotEndedAndItsStateIsTold() throws Exception {
        cluster.server().deny("list /pods");
        JobHandle job = submit(gang("sleep 600"), "role");
        await().until(() -> look(job).nativeState().equals("Running"));
        cluster.server().requests();

        cluster.server().ahead(7300);
        watched(job);
        watched(job);

        assertUntouched(job);
    }

    @Test
    @Promise("TR-24")
    void onceItHasStartedTheStartDeadlineIsOver() throws Exception {
        JobHandle job = running("started");
        cluster.freeze();
        cluster.admin().pods().inNamespace("tao-jobs").list().getItems().stream()
                .filter(pod -> new PodView(pod).rank() == 1)
                .forEach(pod -> cluster.admin().resource(pod).delete());
        cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace("tao-jobs")
                .withName("tao-started")
                .editStatus(each -> {
                    each.getStatus().setActive(1);
                    each.getStatus().setReady(1);
                    each.getStatus().setFailed(1);
                    return each;
                });
        cluster.server().requests();

        cluster.server().ahead(3700);
        watched(job);
        watched(job);

        assertThat(cluster.server().requests()).noneMatch(request -> request.startsWith("PATCH"));
    }

    @Test
    @Promise("TR-24")
    void aLookEndsNothingAndWhoeverWatchesDoes() throws Exception {
        JobHandle job =
                submit(Sample.job("sleep 600").resources(Sample.resources(3, 8)).build(), "look");
        await().until(() -> look(job).nativeState().equals("PartlyRunning"));
        cluster.server().requests();

        cluster.server().ahead(3700);
        look(job);
        look(job);
        List<String> looked = cluster.server().requests();
        watched(job);

        assertThat(looked).isNotEmpty().allMatch(request -> request.startsWith("GET"));
        assertThat(cluster.server().requests()).anyMatch(request -> request.startsWith("PATCH"));
    }

    private static JobSpec hour(JobSpec.Builder spec, int nodes) {
        return spec.resources(
                        new Resources(nodes, OptionalInt.of(8), OptionalInt.empty(), Optional.of(Duration.ofHours(1))))
                .build();
    }

    @Test
    void waitingForNodesIsNotCountedInTheTimeLimit() throws Exception {
        JobHandle first = submit(gang("sleep 600"), "first");
        await().until(() -> look(first).nativeState().equals("Running"));
        JobHandle waits = submit(hour(Sample.job("sleep 600"), 1), "waits");
        await().until(() -> look(waits).nativeState().equals("Unschedulable"));

        cluster.server().ahead(7300);
        assertThat(watched(waits).state()).isEqualTo(JobState.PENDING);
        backend.cancel(first);
        assertThat(until(waits, JobState.RUNNING).nativeState()).isEqualTo("Running");
        cluster.server().ahead(7300 + 3500);
        assertThat(watched(waits).nativeState()).isEqualTo("Running");
        cluster.server().ahead(7300 + 3700);
        JobStatus end = until(waits, JobState.ENDED);

        assertThat(end.ending()).hasValue(Ending.TIME_LIMIT);
        assertThat(end.reason().orElseThrow()).contains("running time", "1h");
    }

    @Test
    void theTimeOfAGangBeginsWhenAllOfItRuns() throws Exception {
        JobHandle blocker =
                submit(Sample.job("sleep 600").resources(Sample.resources(1, 8)).build(), "blocker");
        until(blocker, JobState.RUNNING);
        JobHandle gang = submit(
                hour(
                        Sample.job("sleep 600")
                                .options(Records.of(KubernetesOptions.class, "startDeadline", Duration.ofHours(9))),
                        2),
                "gang");
        await().until(() -> look(gang).nativeState().equals("PartlyRunning"));

        cluster.server().ahead(7300);
        assertThat(watched(gang).nativeState()).isEqualTo("PartlyRunning");
        backend.cancel(blocker);
        await().until(() -> watched(gang).nativeState().equals("Running"));
        cluster.server().ahead(7300 + 3700);

        assertThat(until(gang, JobState.ENDED).ending()).hasValue(Ending.TIME_LIMIT);
    }

    /** A gang that waited for longer than its start deadline, as Kueue leaves it when it lets the Job go. */
    @ParameterizedTest
    @CsvSource({
        "'', '', true", // as on 1.36: no start, and the controller is behind
        "2026-11-21T17:00:00Z, True, true", // as on 1.28: the start of a time before, and the controller is behind
        "2026-11-21T17:00:00Z, False, true", // the start lags behind the condition
        "2026-11-21T19:00:00Z, False, true",
        "2026-11-21T19:00:00Z, False, false",
    })
    void aGangIsNotEndedAsSoonAsAQueueLetsItGo(String start, String suspended, boolean lives) {
        Instant admitted = Instant.parse("2026-11-21T19:00:00Z");
        JobView view = Captured.view("gang-partly", admitted.plusSeconds(lives ? 600 : 3700));
        var status = view.job().getStatus();
        status.setStartTime(start.isEmpty() ? null : start);
        status.setConditions(
                suspended.isEmpty()
                        ? List.of()
                        : List.of(new JobConditionBuilder()
                                .withType("Suspended")
                                .withStatus(suspended)
                                .withLastTransitionTime(admitted.toString())
                                .build()));

        assertThat(DeadlineReply.overdue(view).isEmpty()).isEqualTo(lives);
    }

    @Test
    @Promise("TR-24")
    void aFailedJobWaitsForThePodsThatTellWhy() throws Exception {
        JobHandle job = submit(Sample.job("exit 7").build(), "why");
        await().until(() -> cluster.job("tao-jobs", "tao-why").getStatus() != null
                && cluster.job("tao-jobs", "tao-why").getStatus().getConditions().stream()
                        .anyMatch(each -> each.getType().equals("Failed")));
        cluster.server().faultOnce("GET", "/pods?", 403);

        JobState meanwhile = look(job).state();

        assertThat(meanwhile).isEqualTo(JobState.RUNNING);
        assertThat(until(job, JobState.ENDED).exitCode()).hasValue(7);
    }
}
