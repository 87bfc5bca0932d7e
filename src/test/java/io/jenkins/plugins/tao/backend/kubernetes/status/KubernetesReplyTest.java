package io.jenkins.plugins.tao.backend.kubernetes.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.kubernetes.Captured;
import io.jenkins.plugins.tao.backend.kubernetes.Nodes;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesReplyTest {
    private static JobStatus status(String name) {
        return status(Captured.view(name));
    }

    private static JobStatus status(JobView view) {
        return KubernetesReply.status(view, Optional.empty(), Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "quota, PENDING, FailedCreate",
        "service-account, PENDING, FailedCreate",
        "too-many-gpus-1.28, PENDING, Unschedulable",
        "too-many-gpus-1.36, PENDING, Unschedulable",
        "missing-claim, PENDING, Unschedulable",
        "image-pull, PENDING, ImagePullBackOff",
        "invalid-image, PENDING, InvalidImageName",
        "pulling, PENDING, Pulling",
        "multi-attach, PENDING, FailedAttachVolume",
        "config-error, PENDING, CreateContainerConfigError",
        "running, RUNNING, Running",
        "between, RUNNING, Finishing",
        "gang-partly, RUNNING, PartlyRunning",
        "kueue, PENDING, Suspended",
        "suspended, PAUSED, Suspended",
        "deleting, RUNNING, Terminating",
    })
    void aJobThatHasNotEndedHasAState(String name, JobState state, String word) {
        assertThat(status(name).state()).isEqualTo(state);
        assertThat(status(name).nativeState()).isEqualTo(word);
    }

    @ParameterizedTest
    @CsvSource({
        "complete-1.28, COMPLETED, Complete",
        "complete-1.36, COMPLETED, Complete",
        "program-error, FAILED, Error",
        "out-of-memory, OUT_OF_MEMORY, OOMKilled",
        "start-error, LAUNCH_FAILURE, StartError",
        "segfault, FAILED, Segfault",
        "evicted-node, NODE_FAILURE, Evicted",
        "evicted-own, FAILED, Evicted",
        "evicted-by-own-scratch, FAILED, Evicted",
        "evicted-by-own-memory, OUT_OF_MEMORY, Evicted",
        "out-of-gpu, NODE_FAILURE, OutOfnvidia.com/gpu",
        "preempted, PREEMPTED, Preempted",
        "disrupted-gone, NODE_FAILURE, Disrupted",
        "node-lost, NODE_FAILURE, NodeLost",
        "node-lost-1.28, NODE_FAILURE, NodeLost",
        "deadline, TIME_LIMIT, DeadlineExceeded",
        "gang-failed, FAILED, Error",
    })
    void aJobThatHasEndedSaysHow(String name, Ending ending, String word) {
        assertThat(status(name).ending()).hasValue(ending);
        assertThat(status(name).nativeState()).isEqualTo(word);
    }

    @Test
    void theNextNameOfARefusedPodIsNoNewReason() {
        JobView view = Captured.view("quota");
        String message =
                "Error creating: pods \"tao-x-gxvpj\" is forbidden: maximum memory usage per Container is 512Mi,"
                        + " but limit is 1Gi";
        view.events().forEach(event -> event.setMessage(message.replace("tao-x", view.name())));

        assertThat(status(view).reason().orElseThrow())
                .doesNotContain("gxvpj")
                .contains("is forbidden: maximum memory usage", "LimitRange");
    }

    @Test
    void aNamespaceThatForbidsThePodIsToldWithTheSettingThatHelps() {
        JobView view = Captured.view("quota");
        String pods = "Error creating: pods \"" + view.name() + "-gxvpj\" is forbidden: violates PodSecurity ";
        view.events().forEach(event -> event.setMessage(pods + "\"restricted:latest\": runAsNonRoot != true"));
        JobView root = Captured.view("config-error");
        root.pods()
                .get(0)
                .waiting()
                .orElseThrow()
                .setMessage("container has runAsNonRoot and image will run as root (pod: \"tao-x\", container: main)");

        assertThat(status(view).reason().orElseThrow())
                .contains("violates PodSecurity \"restricted:latest\"", "Set podSecurity: restricted", "runAsUser");
        assertThat(status(root).reason().orElseThrow())
                .contains("image will run as root", "securityContext: runAsUser")
                .doesNotContain("Secret, ConfigMap");
    }

    @Test
    void aGangOfWhichAPartWasNeverMadeIsNotCalledRunning() {
        JobView both = Captured.view("gang-partly");
        List<PodView> first =
                both.pods().stream().filter(PodView::isRunning).limit(1).toList();

        JobStatus part = status(new JobView(both.job(), first, both.events(), both.now()));

        assertThat(first).hasSize(1);
        assertThat(part.nativeState()).isEqualTo("PartlyRunning");
        assertThat(part.reason().orElseThrow()).contains("only 1 of 2 pods exist");
    }

    @Test
    void theExitCodeIsTheCommandsOwn() {
        assertThat(status("complete-1.28").exitCode()).hasValue(0);
        assertThat(status("program-error").exitCode()).hasValue(1);
        assertThat(status("gang-failed").exitCode()).hasValue(3);
        assertThat(status("evicted-node").exitCode()).isEmpty();
    }

    @Test
    void aNodeThatIsSilentForAShortWhileDoesNotEndTheJob() {
        JobView early = Captured.view("node-lost-1.28", Instant.parse("2026-11-21T17:20:30Z"));

        assertThat(status(early).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    @Promise("KG-13")
    void anEvictionForScratchSpaceIsRecognisedAndTheLimitNamed() {
        FailureTable.Failure own = FailureTable.of(Captured.view("evicted-own"));
        FailureTable.Failure node = FailureTable.of(Captured.view("evicted-node"));

        assertThat(own.event()).isEqualTo("Evicted");
        assertThat(own.blame()).isEqualTo(FailureTable.Blame.ERR_PROGRAM);
        assertThat(own.suggestion()).contains("ephemeralStorage");
        assertThat(node.blame()).isEqualTo(FailureTable.Blame.ERR_INFRA);
        assertThat(node.line()).contains("The node was low on resource: ephemeral-storage");
    }

    @Test
    void anEvictionForWhatTheJobTookNamesTheRemedyAndAVictimIsNotAccused() {
        JobView victim = Captured.view("evicted-by-own-memory");
        var state = victim.pods().get(0).pod().getStatus();

        assertThat(status("evicted-by-own-scratch").reason().orElseThrow())
                .contains("ephemeralStorage", "using 264985128Ki");
        assertThat(status(victim).reason().orElseThrow()).contains("with memory");
        state.setMessage(state.getMessage().replace("486530400Ki", "40Mi"));
        assertThat(status(victim).ending()).hasValue(Ending.NODE_FAILURE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OutOfcpu",
                "OutOfmemory",
                "OutOfephemeral-storage",
                "UnexpectedAdmissionError",
                "NodeShutdown",
                "Terminated"
            })
    void whatTheKubeletRefusesAnotherNodeMayTake(String reason) {
        JobView view = Captured.view("out-of-gpu");
        view.pods().get(0).pod().getStatus().setReason(reason);

        assertThat(status(view).ending()).hasValue(Ending.NODE_FAILURE);
        assertThat(status(view).reason().orElseThrow()).startsWith(reason + ": Pod was rejected");
    }

    @Test
    void ourOwnWarningIsNotTheLastLineOfTheProgramAndOurOwnCheckIsTheNodes() {
        JobView view = Captured.view("program-error");
        ContainerStateTerminated end = view.pods().get(0).terminated().orElseThrow();
        end.setMessage("KeyError: 'x'\ntao: WARNING: the results in /results are lost with this container\n");
        String reason = status(view).reason().orElseThrow();
        end.setExitCode(71);
        JobStatus own = status(view);
        end.setMessage("tao: this pod sees 0 GPU(s) and was to have 1; look at the device plugin of node gpu-7\n");

        assertThat(reason).endsWith("its last line: KeyError: 'x'");
        assertThat(own.ending()).hasValue(Ending.FAILED);
        assertThat(status(view).ending()).hasValue(Ending.NODE_FAILURE);
        assertThat(status(view).reason().orElseThrow()).contains("sees 0 GPU(s)");
    }

    @Test
    @Promise({"KU-31", "KU-50"})
    void aPodKilledForMemoryIsExplained() {
        FailureTable.Failure failure = FailureTable.of(Captured.view("out-of-memory"));

        assertThat(failure.blame()).isEqualTo(FailureTable.Blame.ERR_PROGRAM);
        assertThat(failure.event()).isEqualTo("OOMKilled");
        assertThat(failure.suggestion()).contains("Lower batch size", "raise memory");
        assertThat(failure.line()).contains("more memory than its limit");
    }

    @Test
    @Promise("KU-30")
    void aPodThatDoesNotStartTellsItsReasonInWords() {
        assertThat(status("quota").reason().orElseThrow()).contains("exceeded quota: gpuq", "ResourceQuota is used up");
        assertThat(status("service-account").reason().orElseThrow()).contains("make the service account");
        assertThat(status("too-many-gpus-1.28").reason().orElseThrow())
                .contains("no node has the GPUs free", "0/4 nodes are available");
        assertThat(status("pulling").reason().orElseThrow()).contains("being pulled on gpu-1");
        assertThat(status("config-error").reason().orElseThrow()).contains("secret \"tao-x\" not found");
    }

    @Test
    @Promise("KU-49")
    void aPodThatNoNodeTakesListsThePossibleCauses() {
        assertThat(status("too-many-gpus-1.36").reason().orElseThrow())
                .contains(
                        "all GPUs busy",
                        "no node advertises GPUs",
                        "a taint",
                        "a nodeSelector",
                        "a volume that is not there");
        assertThat(status("missing-claim").reason().orElseThrow()).contains("\"nosuch\" not found", "kubectl get pvc");
        assertThat(status("image-pull").reason().orElseThrow()).contains("pull secret 'ngc'");
    }

    @Test
    @Promise({"KU-48", "GE-24"})
    void aFailedImagePullShowsHowToMakeTheSecret() {
        assertThat(status("image-pull").reason().orElseThrow())
                .contains(
                        "nvcr.io",
                        "'ngc'",
                        "the registry does not accept the login",
                        "kubectl create secret docker-registry",
                        "--namespace tao-jobs",
                        "--docker-username='$oauthtoken'");
    }

    @Test
    @Promise("KG-11")
    void anImageThatCannotBePulledEndsInTime() {
        assertThat(DeadlineReply.overdue(Captured.view("image-pull", Instant.parse("2026-11-21T17:14:00Z"))))
                .isEmpty();
        assertThat(DeadlineReply.overdue(Captured.view("image-pull")).orElseThrow())
                .contains("within 900 s", "nvcr.io", "'ngc'");
    }

    @Test
    @Promise("KG-12")
    void aVolumeThatAnotherNodeHoldsIsNamed() {
        assertThat(status("multi-attach").reason().orElseThrow())
                .contains("pvc-1", "kubectl get volumeattachments", "ReadWriteMany");
    }

    @Test
    void aHalfStartedGangIsEndedAfterItsDeadline() {
        assertThat(DeadlineReply.overdue(Captured.view("gang-partly"))).isEmpty();
        assertThat(DeadlineReply.overdue(Captured.view("gang-partly", Instant.parse("2026-11-21T18:00:01Z")))
                        .orElseThrow())
                .contains("only 1 of 2 pods", "not rank [1]");
        assertThat(DeadlineReply.overdue(Captured.view("running", Instant.parse("2027-01-01T00:00:00Z"))))
                .isEmpty();
    }

    @Test
    void aJobThatWaitsForKueueSaysWhatKueueSays() {
        JobStatus status = KubernetesReply.status(
                Captured.view("kueue"), Optional.empty(), Optional.of("insufficient unused quota, 4 more needed"));

        assertThat(status.reason().orElseThrow()).contains("queue 'gpus'", "4 more needed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"too-many-gpus-1.28", "too-many-gpus-1.36"})
    @Promise("KG-09")
    void theCausesOfMissingGpusAreToldApart(String name) {
        assertThat(explained(name, Nodes.plain("cpu-1")))
                .contains("no node advertises nvidia.com/gpu", "device plugin");
        assertThat(explained(name, Nodes.tainted("gpu-1", 8)))
                .contains("taint nvidia.com/gpu=present:NoSchedule", "toleration 'nvidia.com/gpu=present:NoSchedule'");
        assertThat(explained(name, Nodes.gpus("gpu-1", 8))).contains("busy; it starts when they are free");
        assertThat(explained(name, Nodes.gpus("gpu-1", 4))).contains("the largest has 4");
        assertThat(explained(name, Nodes.cordoned("gpu-1", 8))).contains("cordoned or not ready: gpu-1");
    }

    private static String explained(String name, CapacityReply nodes) {
        return KubernetesReply.status(Captured.view(name), Optional.of(nodes), Optional.empty())
                .reason()
                .orElseThrow();
    }

    @Test
    @Promise("KG-11")
    void theTimeForAPullBeginsWhenANodeTakesThePod() {
        Instant scheduled = Instant.parse("2026-11-21T17:20:00Z");
        JobView soon = pulling(scheduled, scheduled.plusSeconds(60));
        JobView late = pulling(scheduled, scheduled.plusSeconds(901));

        assertThat(DeadlineReply.overdue(soon)).isEmpty();
        assertThat(DeadlineReply.overdue(late))
                .hasValueSatisfying(why -> assertThat(why).contains("could not be pulled within 900 s"));
    }

    /** A pod made at 17:00 that waited for a node until {@code scheduled}. */
    private static JobView pulling(Instant scheduled, Instant now) {
        JobView view = Captured.view("image-pull", now);
        view.job().getMetadata().getAnnotations().put(KubernetesNames.PULL_DEADLINE, "900");
        view.pods()
                .get(0)
                .pod()
                .getStatus()
                .setConditions(List.of(new PodConditionBuilder()
                        .withType("PodScheduled")
                        .withStatus("True")
                        .withLastTransitionTime(scheduled.toString())
                        .build()));
        return view;
    }

    private static io.fabric8.kubernetes.api.model.Pod pending(String message) {
        return new io.fabric8.kubernetes.api.model.PodBuilder()
                .withNewMetadata()
                .withName("p")
                .withNamespace("ns")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withNewResources()
                .addToLimits("nvidia.com/gpu", new io.fabric8.kubernetes.api.model.Quantity("8"))
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withMessage(message)
                .endCondition()
                .endStatus()
                .build();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 | enough free of cpu",
                "0/2 nodes are available: 2 Insufficient memory, 1 Insufficient nvidia.com/gpu. | memory,"
                        + " nvidia.com/gpu",
                "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. | nodeSelector or"
                        + " affinity",
                "0/2 nodes are available: 2 node(s) didn't match pod topology spread constraints. | topology"
                        + " constraints",
            })
    @Promise("TR-47")
    void aPendingReasonIsTheSchedulersOwn(String message, String words) {
        var pod = pending(message);
        var node = new io.fabric8.kubernetes.api.model.NodeBuilder()
                .withNewMetadata()
                .withName("gpu-1")
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addToAllocatable("nvidia.com/gpu", new io.fabric8.kubernetes.api.model.Quantity("8"))
                .endStatus()
                .build();
        JobView view = new JobView(
                new io.fabric8.kubernetes.api.model.batch.v1.JobBuilder()
                        .withNewMetadata()
                        .withName("j")
                        .endMetadata()
                        .build(),
                List.of(new PodView(pod)),
                List.of(),
                Optional.empty());

        String reason = PendingWords.of(view, new PodView(pod), Optional.of(new CapacityReply(List.of(node))))
                .sentence();

        assertThat(reason).contains(words, message.strip()).doesNotContain("busy");
    }
}
