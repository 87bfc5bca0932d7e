package io.jenkins.plugins.tao.backend.kubernetes.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.jenkins.plugins.tao.backend.kubernetes.Captured;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.KueueReply;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clusters write of pods, by the sources of the kubelet, the scheduler, containerd and Kueue, and what it means for a job. */
class ClusterWordsTest {
    private static JobStatus status(JobView view) {
        return KubernetesReply.status(view, Optional.empty(), Optional.empty());
    }

    private static String reason(JobView view) {
        return status(view).reason().orElseThrow();
    }

    /** The kubelet's reason for the whole pod; no container of it has begun. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Evicted|Pod ephemeral local storage usage exceeds the total limit of containers 200Gi.|FAILED|ephemeralStorage",
                "Evicted|Container main exceeded its local ephemeral storage limit \"10Gi\".|FAILED|ephemeralStorage",
                "Evicted|Usage of EmptyDir volume \"scratch\" exceeds the limit \"10Gi\".|FAILED|ephemeralStorage",
                "Evicted|Usage of EmptyDir volume \"dshm\" exceeds the limit \"16Gi\".|FAILED|raise shm",
                "Evicted|The node was low on resource: memory. Threshold quantity: 100Mi, available: 48156Ki. Container main was using 486530400Ki, request is 0, has larger consumption of memory.|OUT_OF_MEMORY|Ask for what the job needs with memory",
                "Evicted|The node was low on resource: memory. Threshold quantity: 100Mi, available: 48156Ki. Container main was using 20Gi, request is 64Gi, has larger consumption of memory.|NODE_FAILURE|memory",
                "Evicted|The node was low on resource: ephemeral-storage. Threshold quantity: 10120387530, available: 9702960Ki.|NODE_FAILURE|ephemeralStorage",
                "Evicted|The node was low on resource: pids. Threshold quantity: 4194, available: 12.|NODE_FAILURE|fewer processes",
                "Evicted|Pod was rejected: The node had condition: [DiskPressure].|NODE_FAILURE|scratch space",
                "Evicted|Pod was rejected: The node had condition: [MemoryPressure].|NODE_FAILURE|needs with memory",
                "Evicted|Pod was rejected: The node had condition: [PIDPressure].|NODE_FAILURE|fewer processes",
                "OutOfcpu|Node didn't have enough resource: cpu, requested: 16000, used: 120000, capacity: 128000|NODE_FAILURE|could not take",
                "OutOfnvidia.com/gpu|Pod was rejected: Node didn't have enough resource: nvidia.com/gpu|NODE_FAILURE|device plugin",
                "OutOfpods|Node didn't have enough resource: pods|NODE_FAILURE|could not take",
                "TopologyAffinityError|Resources cannot be allocated with Topology locality|NODE_FAILURE|could not take",
                "UnexpectedAdmissionError|Allocate failed due to no healthy devices present; cannot allocate unhealthy devices nvidia.com/gpu|NODE_FAILURE|device plugin",
                "NodeAffinity|Predicate NodeAffinity failed|NODE_FAILURE|could not take",
                "NodeShutdown|Pod was rejected as the node is shutting down.|NODE_FAILURE|Its node was shut down",
                "Terminated|Pod was terminated in response to imminent node shutdown.|NODE_FAILURE|Its node was shut down",
                "Preempting|Preempted in order to admit critical pod|PREEMPTED|higher priority",
                "AppArmor|Cannot enforce AppArmor: AppArmor is not enabled on the host|NODE_FAILURE|could not take",
                "PodOSNotSupported|Failed to admit pod as the OS field doesn't match node OS|NODE_FAILURE|could not take",
                "AReasonOfALaterVersion|words|NODE_FAILURE|could not take",
                "DeadlineExceeded|Pod was active on the node longer than the specified deadline|TIME_LIMIT|more time",
            })
    void whatTheKubeletSaysOfThePod(String reason, String message, Ending ending, String remedy) {
        JobView view = Captured.view("evicted-own");
        view.pods().get(0).pod().getStatus().setReason(reason);
        view.pods().get(0).pod().getStatus().setMessage(message);

        assertThat(status(view).ending()).hasValue(ending);
        assertThat(reason(view)).contains(message);
        assertThat(FailureTable.of(view).suggestion()).contains(remedy);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "OOMKilled|137||OUT_OF_MEMORY|memory",
                "Error|137||FAILED|ask for memory",
                "Error|1|ValueError: no|FAILED|last lines",
                "Error|71|tao: this pod sees 0 GPUs and was to have 1|NODE_FAILURE|device plugin",
                "ContainerStatusUnknown|137|The container could not be located when the pod was terminated|NODE_FAILURE|node lost",
                "Unknown|255||NODE_FAILURE|node lost",
                "StartError|128|exec: \"dino\": executable file not found in $PATH: unknown|LAUNCH_FAILURE|image lacks",
                "StartError|128|exec: \"/run.sh\": permission denied: unknown|LAUNCH_FAILURE|image lacks",
                "StartError|128|failed to create shim task: OCI runtime create failed: runc create failed: nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: unknown|NODE_FAILURE|driver",
                "StartError|128|nvidia-container-cli: device error: GPU-1: unknown device: unknown|NODE_FAILURE|driver",
                "StartError|128|CDI device injection failed: unresolvable CDI devices nvidia.com/gpu=0: unknown|NODE_FAILURE|driver",
                "StartError|128|failed to create shim task: context deadline exceeded: unknown|NODE_FAILURE|driver",
                "StartError|128|nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.8: unknown|LAUNCH_FAILURE|newer driver",
                "StartError|128|nvidia-container-cli: mount error: file creation failed: /run/libnvidia-ml.so.1: file exists: unknown|LAUNCH_FAILURE|another image",
                "ContainerCannotRun|127|no such file or directory|LAUNCH_FAILURE|image lacks",
            })
    void howAContainerEnded(String reason, int code, String message, Ending ending, String remedy) {
        JobView view = Captured.view("start-error");
        ContainerStateTerminated end = view.pods().get(0).terminated().orElseThrow();
        end.setReason(reason);
        end.setExitCode(code);
        end.setMessage(message);

        assertThat(status(view).ending()).hasValue(ending);
        assertThat(FailureTable.of(view).suggestion()).contains(remedy);
    }

    @ParameterizedTest
    @CsvSource({
        "PreemptionByScheduler, PREEMPTED",
        "DeletionByTaintManager, NODE_FAILURE",
        "EvictionByEvictionAPI, NODE_FAILURE",
        "DeletionByPodGC, NODE_FAILURE",
        "TerminationByKubelet, NODE_FAILURE",
        "ALaterReason, NODE_FAILURE"
    })
    void whatTakesAPodAwayIsNotItsProgram(String reason, Ending ending) {
        JobView view = Captured.view("program-error");
        view.pods()
                .get(0)
                .pod()
                .getStatus()
                .setConditions(List.of(new PodConditionBuilder()
                        .withType("DisruptionTarget")
                        .withStatus("True")
                        .withReason(reason)
                        .withMessage("the cluster's words")
                        .build()));

        assertThat(status(view).ending()).hasValue(ending);
    }

    private static JobView waiting(String reason, String message) {
        JobView view = Captured.view("image-pull");
        ContainerStateWaiting waiting = view.pods().get(0).waiting().orElseThrow();
        waiting.setReason(reason);
        waiting.setMessage(message);
        return view;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ErrImagePull|rpc error: code = Unauthorized desc = failed to authorize: 401 Unauthorized|does not accept the login|false",
                "ImagePullBackOff|pull access denied, repository does not exist or may require authorization|does not accept the login|false",
                "ImagePullBackOff|failed to resolve reference nvcr.io/x:y: nvcr.io/x:y: not found|no such image|true",
                "ImagePullBackOff|no match for platform in manifest: not found|another kind of processor|true",
                "ErrImagePull|no matching manifest for linux/arm64/v8 in the manifest list entries|another kind of processor|true",
                "ErrImagePull|toomanyrequests: You have reached your unauthenticated pull rate limit|limits pulls|false",
                "ErrImagePull|tls: failed to verify certificate: x509: certificate signed by unknown authority|does not trust|false",
                "ErrImagePull|failed to extract layer sha256:1: write /x: no space left on device|disk is full|false",
                "ErrImagePull|failed to pull: parent snapshot sha256:1 does not exist: not found|own image store|false",
                "ErrImagePull|dial tcp: lookup nvcr.io: no such host|does not find the registry|false",
                "ErrImagePull|dial tcp 10.0.0.1:443: i/o timeout|whether the nodes reach|false",
                "ErrImagePull|no basic auth credentials|does not accept the login|false",
                "ErrImagePull|unexpected status from HEAD request to https://nvcr.io/v2/x/manifests/y: 402 Payment Required|does not accept the login|false",
                "ErrImagePull|unexpected status from GET request: 503 Service Unavailable|registry is in trouble|false",
                "ErrImagePull|short-name \"tao\" did not resolve to an alias and no unqualified-search registries are defined|with its registry|true",
                "ErrImagePull|pull QPS exceeded|the kubelet limits|false",
                "RegistryUnavailable|registry is unavailable|whether the nodes reach|false",
                "SignatureValidationFailed|no signature|cannot be pulled from|false",
                "InvalidImageName|couldn't parse image reference|is no name of an image|true",
                "ErrImageNeverPull|Container image is not present with pull policy of Never|pull policy Never forbids|true",
                "CreateContainerConfigError|secret \"ngc\" not found|make the Secret or ConfigMap|true",
                "CreateContainerConfigError|couldn't find key KEY in Secret tao-jobs/ngc|with its keys|true",
                "CreateContainerConfigError|container has runAsNonRoot and image will run as root|runAsUser|true",
                "CreateContainerConfigError|container's runAsUser breaks non-root policy (pod: \"x\", container: main)|runAsUser|true",
                "CreateContainerConfigError|container has runAsNonRoot and image has non-numeric user (tao), cannot verify user is non-root|runAsUser|true",
                "CreateContainerConfigError|failed to sync secret cache: timed out waiting for the condition|A Secret|false",
                "CreateContainerError|nvidia-container-cli: initialization error: nvml error: driver not loaded|have its driver|false",
                "RunContainerError|exec: \"dino\": executable file not found in $PATH|cannot be made: exec|false",
            })
    void whyAContainerIsNotMade(String reason, String message, String words, boolean never) {
        JobView view = waiting(reason, message);

        assertThat(reason(view)).contains(message, words);
        assertThat(status(view).outlook().never()).isEqualTo(never);
    }

    @Test
    void aProgramThatIsNotInTheImageIsNoMissingSecret() {
        assertThat(reason(waiting("RunContainerError", "exec: \"dino\": executable file not found in $PATH")))
                .doesNotContain("Secret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0/4 nodes are available: 4 Insufficient nvidia.com/gpu.|no node has the GPUs free",
                "0/4 nodes are available: 2 Insufficient memory, 2 Insufficient cpu.|no node has enough free of cpu, memory",
                "0/4 nodes are available: 4 node(s) had untolerated taint {dedicated: ml}.|a taint that the job does not tolerate",
                "0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector.|nodeSelector or affinity",
                "0/4 nodes are available: 4 node(s) had volume node affinity conflict.|its volume can be used on other nodes alone",
                "0/4 nodes are available: 4 node(s) didn't find available persistent volumes to bind.|no persistent volume fits",
                "0/4 nodes are available: 4 node(s) exceed max volume count.|as many volumes as they may",
                "0/4 nodes are available: 4 node(s) were unschedulable.|nodes are cordoned",
                "0/4 nodes are available: 4 node(s) had untolerated taint {node.kubernetes.io/unschedulable: }.|nodes are cordoned",
                "0/4 nodes are available: 4 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.|nodes are not ready",
                "0/4 nodes are available: 4 node(s) didn't satisfy existing pods anti-affinity rules.|pods that run there keep others away",
                "0/4 nodes are available: 4 node(s) didn't have free ports for the requested pod ports.|a port that the pod asks for",
                "0/4 nodes are available: 4 cannot allocate all claims.|ResourceClaim",
                "no nodes available to schedule pods|no node now",
                "0/4 nodes are available: 4 Too many pods.|as many pods as they may",
                "0/4 nodes are available: pod has unbound immediate PersistentVolumeClaims.|its volume is not ready",
                "persistentvolumeclaim \"data\" not found|its volume is not ready",
                "3/3 tasks in gang unschedulable: pod group is not ready, 3 Pending, 3 minAvailable.|3/3 tasks in gang",
            })
    void whyNoNodeTakesThePod(String message, String words) {
        JobView view = Captured.view("too-many-gpus-1.36");
        view.pods().get(0).condition("PodScheduled", "False").orElseThrow().setMessage(message);

        assertThat(reason(view)).contains(message, words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0/4 nodes are available: 4 node(s) had volume node affinity conflict.|nodeSelector",
                "0/4 nodes are available: 4 node(s) didn't match pod anti-affinity rules.|nodeSelector",
                "0/4 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 3 Insufficient memory.|does not tolerate",
                "0/4 nodes are available: 4 node(s) had untolerated taint {node.kubernetes.io/unreachable: }.|does not tolerate",
            })
    void whatIsNoMatterOfTheJobIsNotSaidToBe(String message, String not) {
        JobView view = Captured.view("too-many-gpus-1.36");
        view.pods().get(0).condition("PodScheduled", "False").orElseThrow().setMessage(message);

        assertThat(reason(view)).contains(message).doesNotContain(not);
    }

    @Test
    void aPodBehindAGateIsNotUnschedulable() {
        JobView view = Captured.view("too-many-gpus-1.36");
        PodView pod = view.pods().get(0);
        pod.condition("PodScheduled", "False").orElseThrow().setReason("SchedulingGated");
        pod.pod().getSpec().setSchedulingGates(List.of(new PodSchedulingGate("kueue.x-k8s.io/admission")));

        assertThat(status(view).nativeState()).isEqualTo("SchedulingGated");
        assertThat(reason(view)).contains("scheduling gates: kueue.x-k8s.io/admission");
        assertThat(status(view).outlook().never()).isFalse();
    }

    private static String admission(boolean active, List<Map<String, Object>> conditions) {
        JobView view = Captured.view("kueue");
        GenericKubernetesResource workload = new GenericKubernetesResource();
        workload.setMetadata(new ObjectMetaBuilder()
                .withName("job-tao-x")
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withUid(view.job().getMetadata().getUid())
                        .build())
                .build());
        workload.setAdditionalProperties(
                Map.of("spec", Map.of("active", active), "status", Map.of("conditions", conditions)));
        return KueueReply.admission(List.of(workload), view.job()).orElseThrow();
    }

    private static Map<String, Object> condition(String type, String status, String reason, String message) {
        return Map.of("type", type, "status", status, "reason", reason, "message", message);
    }

    @Test
    void kueuesQuotaIsTheReasonWhateverElseIsFalse() {
        String waits = admission(
                true,
                List.of(
                        condition("PodsReady", "False", "WaitForStart", "Not all pods are ready or succeeded"),
                        condition("Evicted", "True", "Preempted", "Preempted to accommodate a workload"),
                        condition("QuotaReserved", "False", "Pending", "insufficient unused quota, 8 more needed")));

        assertThat(waits)
                .startsWith("Pending: insufficient unused quota, 8 more needed")
                .contains("evicted before: Preempted: Preempted to accommodate a workload");
        assertThat(KueueReply.isForGood(waits)).isFalse();
    }

    @Test
    void aWorkloadThatKueueDeactivatedIsNeverAdmitted() {
        String ended = admission(
                false,
                List.of(
                        condition("Evicted", "True", "DeactivatedDueToRequeuingLimitExceeded", "exceeded the maximum"),
                        condition("QuotaReserved", "False", "Pending", "The workload is deactivated")));

        assertThat(ended)
                .contains("DeactivatedDueToRequeuingLimitExceeded: exceeded the maximum", "send the job again");
        assertThat(KueueReply.isForGood(ended)).isTrue();
    }
}
