package io.jenkins.plugins.tao.backend.kubernetes.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.jenkins.plugins.tao.backend.kubernetes.Captured;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only events and init containers say of a pod that waits or failed. */
class PodEventsTest {
    private static JobStatus status(JobView view) {
        return KubernetesReply.status(view, Optional.empty(), Optional.empty());
    }

    private static String reason(JobView view) {
        return status(view).reason().orElseThrow();
    }

    private static JobView waiting(String reason, String message) {
        JobView view = Captured.view("image-pull");
        ContainerStateWaiting waiting = view.pods().get(0).waiting().orElseThrow();
        waiting.setReason(reason);
        waiting.setMessage(message);
        return view;
    }

    /** The same with events of its pod alone, by reason and message. */
    private static JobView with(JobView view, List<Map.Entry<String, String>> events) {
        PodView pod = view.pods().get(0);
        List<Event> all = events.stream()
                .map(each -> NeverStartsTest.event("Pod", pod.name(), each.getKey(), each.getValue()))
                .toList();
        return new JobView(view.job(), view.listed(), all, view.now());
    }

    /** Kubernetes up to 1.31 says in the pod that it waits, and in an event why the pull failed. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "failed to resolve reference \"nvcr.io/x:y\": nvcr.io/x:y: not found|no such image|true",
                "failed to authorize: failed to fetch anonymous token: 401 Unauthorized|does not accept the login|false",
            })
    void whyAPullFailedIsReadFromItsEvent(String message, String words, boolean never) {
        JobView seen = with(
                waiting("ImagePullBackOff", "Back-off pulling image \"nvcr.io/x:y\""),
                List.of(
                        Map.entry("Failed", "Failed to pull image \"nvcr.io/x:y\": " + message),
                        Map.entry("Failed", "Error: ErrImagePull"),
                        Map.entry("Failed", "Error: ImagePullBackOff")));

        assertThat(reason(seen)).contains(message, words);
        assertThat(status(seen).outlook().never()).isEqualTo(never);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MountVolume.SetUp failed for volume \"ngc\" : secret \"ngc\" not found|make the Secret|true",
                "MountVolume.SetUp failed for volume \"c\" : configmap \"specs\" not found|make the Secret or ConfigMap|true",
                "MountVolume.SetUp failed for volume \"c\" : configmap references non-existent config key: a.yaml|with its keys|true",
                "MountVolume.SetUp failed for volume \"t\" : object \"tao-jobs\"/\"kube-root-ca.crt\" not registered|not registered|false",
                "MountVolume.SetUp failed for volume \"c\" : failed to sync configmap cache: timed out waiting for the condition|does not answer|false",
                "MountVolume.SetUp failed for volume \"data\" : mount failed: exit status 32 Output: mount.nfs: access denied by server while mounting 10.0.0.1:/data|its exports must name|false",
                "MountVolume.SetUp failed for volume \"data\" : mount: bad option; you might need a /sbin/mount.<type> helper program.|lacks what mounts|false",
                "MountVolume.SetUp failed for volume \"data\" : mount.nfs: mounting 10.0.0.1:/x failed, reason given by server: No such file or directory|is not there|false",
                "MountVolume.SetUp failed for volume \"data\" : hostPath type check failed: /data is not a directory|is not there|false",
                "MountVolume.MountDevice failed for volume \"pvc-1\" : driver name efs.csi.aws.com not found in the list of registered CSI drivers|storage driver does not run|false",
                "MountVolume.MountDevice failed for volume \"pvc-1\" : rpc error: code = DeadlineExceeded desc = context deadline exceeded|does not answer|false",
            })
    void whyAVolumeIsNotThere(String message, String words, boolean never) {
        JobView seen = with(
                waiting("ContainerCreating", ""),
                List.of(
                        Map.entry("FailedMount", message),
                        Map.entry(
                                "FailedMount",
                                "Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[]: timed out waiting for the condition")));

        assertThat(reason(seen)).contains(message, words);
        assertThat(status(seen).outlook().never()).isEqualTo(never);
    }

    private static JobView beforePull(String... events) {
        return with(
                waiting("ContainerCreating", ""),
                Stream.of(events)
                        .map(each -> Map.entry(each, each + " says why"))
                        .toList());
    }

    @Test
    void aNetworkOrADeviceThatIsNotMadeIsSaidWithItsReason() {
        assertThat(reason(beforePull("FailedCreatePodSandBox")))
                .contains("gives it no network: FailedCreatePodSandBox says why");
        assertThat(reason(beforePull("FailedPrepareDynamicResources")))
                .contains("cannot begin it: FailedPrepareDynamicResources says why");
    }

    @Test
    void aVolumeThatWasLateIsNotTheReasonOfALongPull() {
        assertThat(status(beforePull("FailedMount", "Pulling")).nativeState()).isEqualTo("Pulling");
        assertThat(reason(beforePull("FailedMount"))).contains("a volume is not attached: FailedMount says why");
    }

    private static ContainerStatus init(String name, ContainerState state) {
        return new ContainerStatusBuilder()
                .withName(name)
                .withImage("example.com/" + name + ":1")
                .withState(state)
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "OOMKilled, 137, OUT_OF_MEMORY, memory of that init container",
        "Error, 1, LAUNCH_FAILURE, -c fetch",
        "StartError, 128, LAUNCH_FAILURE, -c fetch"
    })
    void anInitContainerThatFailedIsNamed(String reason, int code, Ending ending, String remedy) {
        JobView view = Captured.view("start-error");
        PodStatus status = view.pods().get(0).pod().getStatus();
        status.getContainerStatuses()
                .get(0)
                .setState(new ContainerStateBuilder()
                        .withNewWaiting()
                        .withReason("PodInitializing")
                        .endWaiting()
                        .build());
        status.setInitContainerStatuses(List.of(init(
                "fetch",
                new ContainerStateBuilder()
                        .withNewTerminated()
                        .withReason(reason)
                        .withExitCode(code)
                        .endTerminated()
                        .build())));

        assertThat(status(view).ending()).hasValue(ending);
        assertThat(reason(view)).contains("init container 'fetch'", "exit code " + code, "never began");
        assertThat(FailureTable.of(view).suggestion()).contains(remedy);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ImagePullBackOff|manifest unknown|image example.com/proxy:1 cannot be pulled from example.com",
                "CreateContainerConfigError|secret \"vault\" not found|make the Secret",
                "CrashLoopBackOff|back-off 5m0s restarting failed container|an init container of its pod fails again and again"
            })
    void anInitContainerThatWaitsIsTheReason(String reason, String message, String words) {
        JobView view = waiting("PodInitializing", "");
        view.pods()
                .get(0)
                .pod()
                .getStatus()
                .setInitContainerStatuses(List.of(init(
                        "proxy",
                        new ContainerStateBuilder()
                                .withNewWaiting()
                                .withReason(reason)
                                .withMessage(message)
                                .endWaiting()
                                .build())));

        assertThat(status(view).nativeState()).isEqualTo(reason);
        assertThat(reason(view)).contains(message, words);
    }
}
