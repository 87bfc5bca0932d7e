package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.mockwebserver.http.MockResponse;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.monitor.poll.Connections;
import io.jenkins.plugins.tao.monitor.poll.Monitor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An attempt after a lost node that breaks off at any of its requests: it neither ends the training, nor doubles it, nor takes a retry. */
class KubernetesNextAttemptTest extends ClusterTest {
    private static final Map<String, Secret> SECRETS = Map.of("TOKEN", Secret.of("t0ken"));
    private static final int STEPS = 9;

    private KubernetesTarget target;
    private JobHandle one;

    /** How a request fails. */
    private enum Loss {
        REFUSED(503, "ServiceUnavailable", false),
        TOO_MANY(429, "TooManyRequests", false),
        ANSWER_LOST(504, "Timeout", true);

        private final int code;
        private final String reason;
        private final boolean carriedOut;

        Loss(int code, String reason, boolean carriedOut) {
            this.code = code;
            this.reason = reason;
            this.carriedOut = carriedOut;
        }

        MockResponse answer() {
            return SimulatedServer.status(code, reason, "try again");
        }
    }

    static List<Arguments> steps() {
        return IntStream.range(0, STEPS)
                .boxed()
                .flatMap(step -> Stream.of(Loss.values()).map(loss -> Arguments.of(step, loss)))
                .toList();
    }

    /** A training on two nodes, of which one is lost, as a cluster shows it. */
    @BeforeEach
    void lose() throws Exception {
        cluster.freeze();
        backend.close();
        target = Sample.target(cluster).build();
        backend = new KubernetesType().open(target);
        JobSpec spec = Sample.job("train")
                .resources(new Resources(2, OptionalInt.of(1), OptionalInt.empty(), Optional.of(Duration.ofHours(1))))
                .secrets(SECRETS)
                .build();
        one = submit(spec, "gang");
        create(pod("gpu-1", 0, "Running"));
        create(new PodBuilder(pod("gpu-2", 1, "Failed"))
                .editStatus()
                .addNewCondition()
                .withType("DisruptionTarget")
                .withStatus("True")
                .withReason("DeletionByTaintManager")
                .endCondition()
                .endStatus()
                .build());
        cluster.server().requests();
    }

    private static Pod pod(String node, int rank, String phase) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("tao-gang-" + rank + "-x")
                .withNamespace("tao-jobs")
                .addToLabels(KubernetesNames.MANAGED_BY, KubernetesNames.OURS)
                .addToLabels(KubernetesNames.JOB, "tao-gang")
                .addToLabels(KubernetesNames.JOB_NAME, "tao-gang")
                .addToLabels(KubernetesNames.INDEX, String.valueOf(rank))
                .addToAnnotations(KubernetesNames.INDEX, String.valueOf(rank))
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }

    private void create(Pod pod) {
        cluster.admin().pods().inNamespace("tao-jobs").resource(pod).create();
    }

    private Job job(String name) {
        return cluster.job("tao-jobs", name);
    }

    private List<String> names() {
        return cluster.admin().batch().v1().jobs().inNamespace("tao-jobs").list().getItems().stream()
                .map(job -> job.getMetadata().getName())
                .sorted()
                .toList();
    }

    private JobHandle next() throws BackendException {
        return backend.resubmit(one, SECRETS, Set.of("gpu-2"));
    }

    @Test
    void theNextAttemptIsMadeBeforeTheLostOneIsEndedAndLetGoAfterIt() throws Exception {
        next();

        assertThat(cluster.server().requests())
                .filteredOn(request -> !request.startsWith("GET"))
                .containsExactly(
                        "POST /apis/batch/v1/namespaces/tao-jobs/jobs",
                        "POST /api/v1/namespaces/tao-jobs/secrets",
                        "POST /api/v1/namespaces/tao-jobs/services",
                        "PATCH /apis/batch/v1/namespaces/tao-jobs/jobs/tao-gang",
                        "PATCH /apis/batch/v1/namespaces/tao-jobs/jobs/tao-gang-r2");
    }

    @ParameterizedTest
    @MethodSource("steps")
    @Promise("TR-12")
    void whereverItBreaksOffItIsTakenUpAgain(int step, Loss loss) throws Exception {
        int[] seen = {0};
        cluster.server().fault(request -> seen[0]++ == step, loss.answer(), loss.carriedOut);
        try {
            next();
        } catch (Unreachable e) {
            assertThat(seen[0]).isEqualTo(step + 1);
        }
        cluster.server().forgetFaults();
        backend.close();
        backend = new KubernetesType().open(target); // the process ended with it

        assertThat(look(one).ending()).hasValue(Ending.NODE_FAILURE);
        assertThat(look(one).nativeState()).isEqualTo("NodeLost");
        JobHandle two = next();
        assertThat(next()).isEqualTo(two);

        assertThat(names()).containsExactly("tao-gang", "tao-gang-r2");
        assertThat(job("tao-gang").getSpec().getActiveDeadlineSeconds()).isEqualTo(1);
        Job made = job("tao-gang-r2");
        assertThat(made.getSpec().getSuspend()).isFalse();
        assertThat(made.getSpec().getActiveDeadlineSeconds()).isNull();
        assertThat(made.getMetadata().getAnnotations()).containsEntry(KubernetesNames.LIMIT, "3600");
        assertThat(look(two).state()).isEqualTo(JobState.PENDING);
        assertThat(cluster.admin()
                        .secrets()
                        .inNamespace("tao-jobs")
                        .withName("tao-gang-r2")
                        .get())
                .isNotNull();
    }

    @Test
    void oneFailedCreateTakesNoRetryOfTheTrainingAway() {
        ManualTicker ticker = new ManualTicker(Instant.parse("2026-11-21T00:00:00Z"));
        Connections connections =
                new Connections(BackendTypes.of(new KubernetesType()), ticker, Runnable::run, Controller.NONE);
        Monitor monitor = new Monitor(connections, ticker, Runnable::run);
        List<JobEvent> events = new ArrayList<>();
        cluster.server().faultOnce("POST", "/jobs", 503);

        monitor.watch(target, one, WatchPlan.defaults().withSecrets(() -> SECRETS), WatchMemory.none(), events::add);
        for (int looks = 0; looks < 10 && names().size() < 2; looks++) {
            ticker.advance(Duration.ofSeconds(2));
        }
        connections.close();

        assertThat(events).noneMatch(JobEvent.Ended.class::isInstance);
        assertThat(events)
                .filteredOn(JobEvent.AttemptStarted.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        JobEvent.AttemptStarted.class,
                        started -> assertThat(started.next().attempt()).isEqualTo(2));
    }

    @Test
    void aJobThatEndedByItselfIsLeftAsItIsAndTheNextGoesAtOnce() throws Exception {
        cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace("tao-jobs")
                .withName("tao-gang")
                .editStatus(job -> new io.fabric8.kubernetes.api.model.batch.v1.JobBuilder(job)
                        .editOrNewStatus()
                        .addNewCondition()
                        .withType("Failed")
                        .withStatus("True")
                        .withReason("PodFailurePolicy")
                        .endCondition()
                        .endStatus()
                        .build());
        cluster.server().requests();

        JobHandle two = next();

        assertThat(cluster.server().requests()).noneMatch(request -> request.matches("PATCH .*tao-gang"));
        assertThat(job("tao-gang").getSpec().getActiveDeadlineSeconds()).isNull();
        assertThat(look(two).state()).isEqualTo(JobState.PENDING);
    }
}
