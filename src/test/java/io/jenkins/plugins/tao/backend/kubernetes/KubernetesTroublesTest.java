package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobList;
import io.fabric8.mockwebserver.http.MockResponse;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.kubernetes.access.ClusterAccess;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.request.Prologue;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong in a cluster, and what is told then. */
class KubernetesTroublesTest extends ClusterTest {
    @Test
    @Promise("KU-28")
    void aJobThatSomebodyDeletedIsToldAsCancelledAndAnEndedOneKeepsItsEnd() throws Exception {
        JobHandle deleted = submit(Sample.job("sleep 600").build(), "deleted");
        JobHandle ended = submit(Sample.job("exit 4").build(), "ended");
        until(deleted, JobState.RUNNING);
        until(ended, JobState.ENDED);

        cluster.freeze();
        jobs().withName("tao-ended").delete();
        jobs().withName("tao-deleted").edit(job -> finalizers(job, List.of("foregroundDeletion")));
        jobs().withName("tao-deleted").delete();
        JobStatus leaving = look(deleted);
        jobs().withName("tao-deleted").edit(job -> finalizers(job, List.of()));

        assertThat(leaving.nativeState()).isEqualTo("Terminating");
        assertThat(look(deleted).ending()).hasValue(Ending.CANCELLED);
        assertThat(look(ended).exitCode()).hasValue(4);
    }

    @Test
    void aJobThatIsDeletedBetweenTwoLooksIsToldAtOnce() throws Exception {
        JobHandle deleted = submit(Sample.job("sleep 600").build(), "between");
        until(deleted, JobState.RUNNING);

        cluster.freeze();
        jobs().withName("tao-between").delete();

        assertThat(look(deleted).ending()).hasValue(Ending.CANCELLED);
    }

    @Test
    void aJobThatMayHaveEndedAndGoneByItselfIsNotCalledDeleted() throws Exception {
        JobHandle gone = submit(Sample.job("sleep 600").build(), "short");
        await().ignoreExceptions()
                .until(() -> jobs().withName("tao-short")
                                .edit(job -> {
                                    job.getSpec().setTtlSecondsAfterFinished(0);
                                    return job;
                                })
                                .getSpec()
                                .getTtlSecondsAfterFinished()
                        == 0);
        until(gone, JobState.RUNNING);

        cluster.freeze();
        jobs().withName("tao-short").delete();

        assertThat(look(gone).nativeState()).isEqualTo("ABSENT");
    }

    private io.fabric8.kubernetes.client.dsl.NonNamespaceOperation<
                    Job, JobList, io.fabric8.kubernetes.client.dsl.ScalableResource<Job>>
            jobs() {
        return cluster.admin().batch().v1().jobs().inNamespace("tao-jobs");
    }

    private static Job finalizers(Job job, List<String> names) {
        job.getMetadata().setFinalizers(names);
        return job;
    }

    @Test
    void aSubmissionWhoseAnswerIsLostIsFoundAndFinished() throws Exception {
        JobSpec spec = Sample.job("echo $TOKEN")
                .secrets(Map.of("TOKEN", Secret.of("x")))
                .build();
        cluster.server()
                .fault(
                        request -> request.getMethod().equals("POST")
                                && request.getPath().endsWith("/jobs"),
                        SimulatedServer.status(504, "Timeout", "lost on the way"),
                        true);
        cluster.server().faultOnce("POST", "/secrets", 500);

        assertThatThrownBy(() -> submit(spec, "lost")).isInstanceOf(Unreachable.class);
        assertThatThrownBy(() -> submit(spec, "lost")).isInstanceOf(Unreachable.class);
        assertThat(cluster.admin().pods().inNamespace("tao-jobs").list().getItems())
                .isEmpty();
        assertThat(cluster.job("tao-jobs", "tao-lost").getSpec().getSuspend()).isTrue();
        JobHandle job = submit(spec, "lost");

        assertThat(until(job, JobState.ENDED).exitCode()).hasValue(0);
        assertThat(out(job)).isEqualTo("x\n");
        assertThat(cluster.admin()
                        .batch()
                        .v1()
                        .jobs()
                        .inNamespace("tao-jobs")
                        .list()
                        .getItems())
                .hasSize(1);
    }

    @Test
    void aForeignJobOfTheSameNameIsLeftAlone() throws Exception {
        cluster.freeze();
        cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace("tao-jobs")
                .resource(new JobBuilder()
                        .withNewMetadata()
                        .withName("tao-mine")
                        .endMetadata()
                        .withNewSpec()
                        .withNewTemplate()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();

        assertThatThrownBy(() -> submit(Sample.job("true").build(), "mine"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("not this job's");
        backend.cancel(new JobHandle(
                "k8s", "kubernetes", new JobKey("mine"), 1, "tao-jobs/tao-mine", "/j", "/r", java.time.Instant.EPOCH));
        assertThat(cluster.job("tao-jobs", "tao-mine")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"28", "36"})
    @Promise("TR-28")
    void whatAFailingGangLosesIsNamedWithWhereItWasKept(String minor) throws Exception {
        reopen(minor);
        JobHandle job = submit(gang("echo rank $NODE_RANK; if [ $NODE_RANK = 1 ]; then exit 3; fi; sleep 600"), "lost");
        until(job, JobState.ENDED);
        await().until(() ->
                cluster.admin().pods().inNamespace("tao-jobs").list().getItems().size() == 1);
        Fetched files = new Fetched();

        backend.fetch(job, ArtifactPlan.of(List.of()), files);

        assertThat(files.text("logs/main.out")).contains("rank 1");
        assertThat(files.skipped()).containsKey("logs of rank 0");
        assertThat(files.skipped().get("logs of rank 0")).contains("followed.log");
    }

    @Test
    @Promise("TR-28")
    void aLogThatIsGoneIsNoEmptyFile() throws Exception {
        JobHandle job = submit(
                Sample.job("echo begun; sleep 600")
                        .resources(new Resources(
                                1, OptionalInt.of(1), OptionalInt.empty(), Optional.of(Duration.ofMinutes(1))))
                        .build(),
                "gone");
        until(job, JobState.RUNNING);
        cluster.server().ahead(120);
        assertThat(until(job, JobState.ENDED).ending()).hasValue(Ending.TIME_LIMIT);
        await().until(() ->
                cluster.admin().pods().inNamespace("tao-jobs").list().getItems().isEmpty());
        Fetched files = new Fetched();

        backend.fetch(job, ArtifactPlan.of(List.of()), files);

        assertThat(files.names()).isEmpty();
        assertThat(files.skipped().get("logs/main.out")).contains("gone", "followed.log");
    }

    @Test
    @Promise("TR-28")
    void podsThatMayNotBeListedAreNotToldAsGone() throws Exception {
        JobHandle job = submit(Sample.job("echo done").build(), "hidden");
        until(job, JobState.ENDED);
        cluster.server().deny("list /pods");
        Fetched files = new Fetched();

        backend.fetch(job, ArtifactPlan.of(List.of()), files);

        assertThat(files.skipped().get("logs/main.out")).contains("not known", "403");
    }

    @Test
    @Promise("TR-52")
    void theSameIdWithAnotherCommandIsReportedAsDifferent() throws Exception {
        JobHandle first = submit(Sample.job("sleep 600").build(), "same");

        JobHandle again = submit(Sample.job("sleep 600").build(), "same");

        assertThat(again.nativeId()).isEqualTo(first.nativeId());
        assertThatThrownBy(() -> submit(Sample.job("sleep 601").build(), "same"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("'same'")
                .hasMessageContaining("another command");
    }

    @Test
    @Promise("KG-14")
    void aPodThatSeesTooFewGpusFailsByName() throws Exception {
        cluster.kubelet().showGpus("gpu-1", 3);
        cluster.kubelet().showGpus("gpu-2", 3);

        JobHandle job = submit(
                Sample.job("echo trained").resources(Sample.resources(1, 8)).build(), "gpus");

        JobStatus end = until(job, JobState.ENDED);
        assertThat(end.exitCode()).hasValue(Prologue.TOO_FEW_GPUS);
        assertThat(end.nativeState()).isEqualTo("GPUMissing");
        assertThat(out(job))
                .contains("this pod sees 3 GPU(s) and was to have 8")
                .doesNotContain("trained");
    }

    @Test
    @Promise("KU-18")
    void aPodLooksForItsInputsItself() throws Exception {
        String input = temporary + "/pvc/coco";

        JobHandle job = submit(Sample.job("true").inputs(List.of(input)).build(), "input");

        assertThat(until(job, JobState.ENDED).nativeState()).isEqualTo("InputMissing");
        assertThat(out(job)).contains("the input " + input + " is not visible in this pod");
    }

    @Test
    @Promise("KU-53")
    void aHalfStartedGangIsEndedInTimeAndLeavesItsReason() throws Exception {
        JobHandle blocker =
                submit(Sample.job("sleep 600").resources(Sample.resources(1, 8)).build(), "blocker");
        until(blocker, JobState.RUNNING);
        JobHandle job = submit(gang("sleep 600"), "partly");
        await().until(() -> look(job).nativeState().equals("PartlyRunning"));

        cluster.server().ahead(3700);
        JobStatus end = until(job, JobState.ENDED);

        assertThat(end.ending()).hasValue(Ending.LAUNCH_FAILURE);
        assertThat(end.reason().orElseThrow()).contains("only 1 of 2 pods had started within 3600 s");
        assertThat(look(blocker).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    @Promise("KG-15")
    void oneDiagnosisGathersWhatPeopleAskKubectlFor() throws Exception {
        JobHandle job = submit(Sample.job("echo the end; exit 5").build(), "why");
        until(job, JobState.ENDED);

        Diagnosis diagnosis = backend.diagnose(job);

        assertThat(diagnosis.summary()).contains("exit code 5");
        assertThat(String.join("\n", diagnosis.facts()))
                .contains("err_class: ERR_PROGRAM", "node_event_name: Error", "suggestion: ")
                .contains("condition: Failed=True BackoffLimitExceeded", "terminated tao-why-", "exit code 5")
                .contains(": the end", "node gpu-1: ready, 8 nvidia.com/gpu allocatable", "volume data: ");
    }

    @Test
    @Promise("KG-15")
    void theDiagnosisHasTheLogFromBeforeARestart() throws Exception {
        JobHandle job = submit(Sample.job("echo now; exit 5").build(), "again");
        until(job, JobState.ENDED);
        cluster.freeze();
        cluster.admin().pods().inNamespace("tao-jobs").list().getItems().forEach(pod -> {
            pod.getStatus().getContainerStatuses().get(0).setRestartCount(1);
            cluster.admin().pods().inNamespace("tao-jobs").resource(pod).updateStatus();
        });

        Diagnosis diagnosis = backend.diagnose(job);

        assertThat(diagnosis.facts()).anyMatch(fact -> fact.startsWith("earlier log tao-again-"));
        assertThat(cluster.server().requests()).anyMatch(request -> request.contains("previous=true"));
    }

    @Test
    @Promise("KG-11")
    void anImageThatCannotBePulledEndsTheJobInTime() throws Exception {
        JobHandle job = submit(Sample.job("true").image("nvcr.io/nosuch:1").build(), "pull");
        await().until(() -> look(job).nativeState().equals("ImagePullBackOff"));

        cluster.server().ahead(1000);
        JobStatus end = until(job, JobState.ENDED);

        assertThat(end.ending()).hasValue(Ending.LAUNCH_FAILURE);
        assertThat(end.reason().orElseThrow()).contains("within 900 s", "nvcr.io", "without a pull secret");
    }

    @Test
    void aQuotaThatIsUsedUpIsToldByTheJobsEvent() throws Exception {
        JobSpec spec = Sample.job("true")
                .options(Records.of(KubernetesOptions.class, "labels", Map.of("simulate-failed-create", "quota")))
                .build();

        JobHandle job = submit(spec, "quota");

        await().until(() -> look(job).reason().orElse("").contains("exceeded quota: gpuq"));
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void aServerThatIsBusyIsAskedAgainLater(int code) throws Exception {
        JobHandle job = submit(Sample.job("true").build(), "busy");
        cluster.server().faultOnce("GET", "/jobs", code);

        assertThatThrownBy(() -> look(job)).isInstanceOf(Unreachable.class);
        assertThat(until(job, JobState.ENDED).exitCode()).hasValue(0);
    }

    @Test
    @Promise("TR-53")
    void kueueIsAskedInTheVersionThatTheClusterPrefers() throws Exception {
        cluster.server()
                .fault(
                        request -> request.getPath().endsWith("/apis/kueue.x-k8s.io"),
                        new MockResponse()
                                .setResponseCode(200)
                                .setHeader("Content-Type", "application/json")
                                .setBody("{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\",\"name\":\"kueue.x-k8s.io\","
                                        + "\"versions\":[{\"groupVersion\":\"kueue.x-k8s.io/v1beta1\",\"version\":"
                                        + "\"v1beta1\"}],\"preferredVersion\":{\"groupVersion\":"
                                        + "\"kueue.x-k8s.io/v1beta2\",\"version\":\"v1beta2\"}}"),
                        false);
        ClusterAccess access = ClusterAccess.of(Sample.target(cluster).build());

        try (KubernetesApi api = KubernetesApi.of("lab", access);
                KubernetesApi without = KubernetesApi.of("lab", access)) {
            assertThat(api.kueueVersion()).isEqualTo("v1beta2");
            assertThat(without.kueueVersion()).isEqualTo("v1beta1");
        }
    }

    /** As priority and fairness answers: a text that is no Status, and the wait in a header. */
    @Test
    void aServerThatIsAskedTooMuchIsAskedAgainWhenItSays() throws Exception {
        JobHandle job = submit(Sample.job("true").build(), "patience");
        cluster.server()
                .fault(
                        request -> request.getMethod().equals("GET")
                                && request.getPath().contains("/jobs"),
                        new MockResponse()
                                .setResponseCode(429)
                                .setHeader("Content-Type", "text/plain; charset=utf-8")
                                .setHeader("Retry-After", "17")
                                .setBody("Too many requests, please try again later.\n"),
                        false);

        assertThatThrownBy(() -> look(job))
                .isInstanceOfSatisfying(
                        Unreachable.class, e -> assertThat(e.retryAfter()).hasValue(Duration.ofSeconds(17)));
        assertThat(until(job, JobState.ENDED).exitCode()).hasValue(0);
    }

    @Test
    void whatTheServerRefusesIsToldInItsWords() throws Exception {
        cluster.server()
                .fault(
                        request -> request.getMethod().equals("POST"),
                        SimulatedServer.status(422, "Invalid", "Job.batch \"x\" is invalid: must be an integer"),
                        false);

        assertThatThrownBy(() -> submit(Sample.job("true").build(), "bad"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("must be an integer");
    }
}
