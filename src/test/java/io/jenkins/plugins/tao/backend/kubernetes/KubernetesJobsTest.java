package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to jobs in a cluster, good and bad. */
class KubernetesJobsTest {
    @TempDir
    Path temporary;

    private SimulatedCluster cluster;
    private Backend backend;

    private void open(String minor) throws IOException {
        cluster = new SimulatedCluster(minor, temporary.resolve("bin"))
                .node("gpu-1", 8, Map.of())
                .node("gpu-2", 8, Map.of());
        backend = new KubernetesType()
                .open(Sample.target(cluster)
                        .volumes(List.of("data:" + temporary + "/pvc"))
                        .resultsRoot(temporary + "/pvc/results")
                        .build());
    }

    @AfterEach
    void close() {
        backend.close();
        cluster.close();
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(50));
    }

    private static JobSpec gang(String command) {
        return Sample.job(command).resources(Sample.resources(2, 8)).build();
    }

    private JobStatus look(JobHandle job) throws BackendException {
        return backend.poll(Set.of(job)).getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "ABSENT"));
    }

    private JobStatus until(JobHandle job, JobState state) {
        return await().until(() -> look(job), status -> status.state() == state);
    }

    private String out(JobHandle job) throws BackendException {
        StreamRef ref = new StreamRef(job, Stream.OUT);
        Tail tail = backend.read(Map.of(ref, Position.START)).get(ref);
        return tail == null ? "" : new String(tail.bytes(), UTF_8);
    }

    private JobHandle submit(JobSpec spec, String key) throws BackendException {
        return backend.submit(spec, new JobKey(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"28", "36"})
    @Promise({"KU-29", "KU-37", "KU-38", "KU-40", "KU-41", "KU-45"})
    void eachNodeOfAGangKnowsItsPlaceInBothSpellings(String minor) throws Exception {
        open(minor);
        JobSpec spec = Sample.job("echo $NODE_RANK of $WORLD_SIZE/$NNODES x $NUM_GPU_PER_NODE/$NPROC_PER_NODE"
                        + " at $MASTER_ADDR:$MASTER_PORT by $NCCL_SOCKET_IFNAME")
                .resources(Sample.resources(2, 8))
                .env(Map.of("NCCL_SOCKET_IFNAME", "ib0", "MASTER_PORT", minor.equals("28") ? "29500" : "31000"))
                .build();

        JobHandle job = submit(spec, "gang");
        JobStatus end = until(job, JobState.ENDED);

        String port = minor.equals("28") ? "29500" : "31000";
        assertThat(end.ending()).hasValue(Ending.COMPLETED);
        assertThat(out(job))
                .isEqualTo("[0] 0 of 2/2 x 8/8 at tao-gang-0.tao-gang:" + port + " by ib0\n"
                        + "[1] 1 of 2/2 x 8/8 at tao-gang-0.tao-gang:" + port + " by ib0\n");
        assertThat(end.nodes()).containsExactlyInAnyOrder("gpu-1", "gpu-2");
    }

    @Test
    @Promise("KU-39")
    void theFirstNodesNameResolvesBeforeAllAreReady() throws Exception {
        open("36");
        JobHandle job = submit(gang("true"), "dns");
        until(job, JobState.ENDED);

        var service = cluster.admin()
                .services()
                .inNamespace("tao-jobs")
                .withName("tao-dns")
                .get();
        var first = cluster.admin().pods().inNamespace("tao-jobs").list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith("tao-dns-0-"))
                .findFirst()
                .orElseThrow();
        assertThat(first.getSpec().getHostname() + "." + first.getSpec().getSubdomain())
                .isEqualTo("tao-dns-0." + service.getMetadata().getName());
        assertThat(first.getMetadata().getLabels())
                .containsAllEntriesOf(service.getSpec().getSelector());
        assertThat(service.getSpec().getPublishNotReadyAddresses()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"28", "36"})
    void aFailingNodeEndsTheGangWithItsOwnExitCode(String minor) throws Exception {
        open(minor);

        JobHandle job = submit(gang("if [ $NODE_RANK = 1 ]; then exit 3; fi; sleep 600"), "half");

        JobStatus end = until(job, JobState.ENDED);
        assertThat(end.exitCode()).hasValue(3);
        assertThat(end.ending()).hasValue(Ending.FAILED);
    }

    @Test
    @Promise({"KU-32", "KU-33"})
    void cancellingIsConfirmedWhenThePodsServiceAndSecretAreGone() throws Exception {
        open("36");
        JobSpec spec = Sample.job("sleep 600")
                .resources(Sample.resources(2, 8))
                .secrets(Map.of("TOKEN", Secret.of("x")))
                .build();
        JobHandle job = submit(spec, "cancel");
        until(job, JobState.RUNNING);

        backend.cancel(job);
        JobStatus end = until(job, JobState.ENDED);
        backend.cancel(job);

        assertThat(end.ending()).hasValue(Ending.CANCELLED);
        assertThat(cluster.admin().pods().inNamespace("tao-jobs").list().getItems())
                .isEmpty();
        assertThat(cluster.admin().secrets().inNamespace("tao-jobs").list().getItems())
                .isEmpty();
        assertThat(cluster.admin().services().inNamespace("tao-jobs").list().getItems())
                .isEmpty();
        assertThat(cluster.server().requests())
                .filteredOn(request -> request.startsWith("DELETE"))
                .hasSize(1);
    }

    @Test
    @Promise("KU-28")
    void aJobThatSomebodyDeletedIsToldAsCancelledAndAnEndedOneKeepsItsEnd() throws Exception {
        open("36");
        JobHandle deleted = submit(Sample.job("sleep 600").build(), "deleted");
        JobHandle ended = submit(Sample.job("exit 4").build(), "ended");
        until(deleted, JobState.RUNNING);
        until(ended, JobState.ENDED);

        cluster.freeze();
        cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace("tao-jobs")
                .withName("tao-ended")
                .delete();
        cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace("tao-jobs")
                .withName("tao-deleted")
                .edit(job -> new JobBuilder(job)
                        .editMetadata()
                        .withFinalizers("foregroundDeletion")
                        .endMetadata()
                        .build());
        cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace("tao-jobs")
                .withName("tao-deleted")
                .delete();
        JobStatus leaving = look(deleted);
        cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace("tao-jobs")
                .withName("tao-deleted")
                .edit(job -> new JobBuilder(job)
                        .editMetadata()
                        .withFinalizers(List.of())
                        .endMetadata()
                        .build());

        assertThat(leaving.nativeState()).isEqualTo("Terminating");
        assertThat(look(deleted).ending()).hasValue(Ending.CANCELLED);
        assertThat(look(ended).exitCode()).hasValue(4);
    }

    @Test
    void aSubmissionWhoseAnswerIsLostIsFoundAndFinished() throws Exception {
        open("36");
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
        open("36");
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

    @Test
    void aRoundCostsTheSameForOneJobAndForMany() throws Exception {
        open("36");
        Set<JobHandle> jobs = new HashSet<>();
        for (int i = 0; i < 12; i++) {
            jobs.add(submit(Sample.job("true").resources(Sample.resources(1, 0)).build(), "many-" + i));
        }
        await().until(() -> backend.poll(jobs).values().stream().allMatch(each -> each.state() == JobState.ENDED));
        cluster.server().requests();

        backend.poll(Set.of(jobs.iterator().next()));
        int one = cluster.server().requests().size();
        backend.poll(jobs);

        assertThat(one).isEqualTo(2);
        assertThat(cluster.server().requests()).hasSize(one);
    }

    @Test
    @Promise("KG-05")
    void aLogGoesOnBehindItsLastLineWhateverBroke() throws Exception {
        open("36");
        JobHandle job = submit(
                Sample.job("i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i + 1)); sleep 0.05; done")
                        .build(),
                "log");
        StreamRef ref = new StreamRef(job, Stream.OUT);
        StringBuilder all = new StringBuilder();
        Position[] at = {Position.START};
        int[] reads = {0};

        await().until(() -> {
            if (reads[0]++ % 3 == 1) {
                cluster.server().faultOnce("GET", "/log", reads[0] % 2 == 0 ? 500 : 400);
            }
            JobStatus status = look(job);
            Tail tail = backend.read(Map.of(ref, at[0])).get(ref);
            if (tail != null) {
                all.append(new String(tail.bytes(), UTF_8));
                at[0] = tail.next();
            }
            return status.state() == JobState.ENDED && all.toString().endsWith("line 39\n");
        });

        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            expected.append("line ").append(i).append('\n');
        }
        assertThat(all).hasToString(expected.toString());
        assertThat(reads[0]).isGreaterThan(6);
    }

    @Test
    @Promise("KU-29")
    void theLastLinesOfAllPodsComeOnRequest() throws Exception {
        open("36");
        JobHandle job = submit(gang("seq 1 5000 | sed \"s/^/$NODE_RANK:/\""), "tail");
        until(job, JobState.ENDED);
        StreamRef ref = new StreamRef(job, Stream.OUT);
        Position end = Objects.requireNonNull(
                        backend.read(Map.of(ref, Position.START)).get(ref))
                .next();

        Tail tail =
                Objects.requireNonNull(backend.read(Map.of(ref, new Position(end.file(), end.byteOffset() - 30_000)))
                        .get(ref));

        assertThat(new String(tail.bytes(), UTF_8)).contains("[0] 0:5000\n").endsWith("[1] 1:5000\n");
    }

    @Test
    @Promise("KG-14")
    void aPodThatSeesTooFewGpusFailsByName() throws Exception {
        open("36");
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
        open("36");
        String input = temporary + "/pvc/coco";

        JobHandle job = submit(Sample.job("true").inputs(List.of(input)).build(), "input");

        assertThat(until(job, JobState.ENDED).nativeState()).isEqualTo("InputMissing");
        assertThat(out(job)).contains("the input " + input + " is not visible in this pod");
    }

    @Test
    @Promise("KU-26")
    void aFailingPodIsToldAndNotStartedAgain() throws Exception {
        open("36");
        JobHandle job =
                submit(Sample.job("echo once >>{results_dir}/runs; exit 2").build(), "once");

        assertThat(until(job, JobState.ENDED).exitCode()).hasValue(2);
        assertThat(cluster.admin().pods().inNamespace("tao-jobs").list().getItems())
                .hasSize(1);
        assertThat(Path.of(job.resultsDirectory()).resolve("runs")).hasContent("once");
    }

    @Test
    @Promise("KU-53")
    void aHalfStartedGangIsEndedInTimeAndLeavesItsReason() throws Exception {
        open("36");
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
        open("36");
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
        open("36");
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
        open("36");
        JobHandle job = submit(Sample.job("true").image("nvcr.io/nosuch:1").build(), "pull");
        await().until(() -> look(job).nativeState().equals("ImagePullBackOff"));

        cluster.server().ahead(1000);
        JobStatus end = until(job, JobState.ENDED);

        assertThat(end.ending()).hasValue(Ending.LAUNCH_FAILURE);
        assertThat(end.reason().orElseThrow()).contains("within 900 s", "nvcr.io", "without a pull secret");
    }

    @Test
    @Promise("KU-01")
    void aJobRunsOnTheClusterThatAKubeconfigNames() throws Exception {
        open("36");
        String kubeconfig =
                "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u, namespace: team}}]\n"
                        + "clusters: [{name: k, cluster: {server: '"
                        + cluster.server().address() + "'}}]\n"
                        + "users: [{name: u, user: {token: " + SimulatedServer.TOKEN + "}}]\n";
        KubernetesTarget target = KubernetesTarget.of("k8s")
                .kubeconfig(new KubernetesTarget.Kubeconfig(Secret.of(kubeconfig), "a test"))
                .volumes(List.of("data:" + temporary + "/pvc"))
                .resultsRoot(temporary + "/pvc/results")
                .build();

        try (Backend other = new KubernetesType().open(target)) {
            JobHandle job = other.submit(Sample.job("true").build(), new JobKey("config"));

            assertThat(job.nativeId()).isEqualTo("team/tao-config");
            await().until(() -> other.poll(Set.of(job)).get(job).exitCode().orElse(-1) == 0);
        }
    }

    @Test
    void aQuotaThatIsUsedUpIsToldByTheJobsEvent() throws Exception {
        open("36");
        JobSpec spec = Sample.job("true")
                .options(KubernetesOptions.builder()
                        .labels(Map.of("simulate-failed-create", "quota"))
                        .build())
                .build();

        JobHandle job = submit(spec, "quota");

        await().until(() -> look(job).reason().orElse("").contains("exceeded quota: gpuq"));
    }

    @Test
    void aFurtherAttemptGoesToAnotherNode() throws Exception {
        open("36");
        JobHandle one = submit(Sample.job("exit 9").build(), "away");
        String node = until(one, JobState.ENDED).nodes().get(0);

        JobHandle two = backend.resubmit(one, Map.of(), Set.of(node));

        assertThat(two.nativeId()).isEqualTo("tao-jobs/tao-away-r2");
        assertThat(until(two, JobState.ENDED).nodes()).doesNotContain(node);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void aServerThatIsBusyIsAskedAgainLater(int code) throws Exception {
        open("36");
        JobHandle job = submit(Sample.job("true").build(), "busy");
        cluster.server().faultOnce("GET", "/jobs", code);

        assertThatThrownBy(() -> look(job)).isInstanceOf(Unreachable.class);
        assertThat(until(job, JobState.ENDED).exitCode()).hasValue(0);
    }

    @Test
    void whatTheServerRefusesIsToldInItsWords() throws Exception {
        open("36");
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
