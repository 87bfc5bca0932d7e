package io.jenkins.plugins.tao.backend.kubernetes.request;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the pod that reads a volume for us. It has no GPU, no token and no right to write; it ends by itself after {@link #LIMIT},
 * goes with the Job that it reads for, and its labels tell {@code ./tao clean} what it is. Pure.
 */
public final class FetchPodRequest {
    /** How long it lives at most, whoever has forgotten it. */
    public static final Duration LIMIT = Duration.ofHours(2);

    private static final String SCRATCH = "scratch-tmp";
    private static final String VOLUME = "data-0";

    private FetchPodRequest() {}

    /** Runs until it is deleted; programs are started in it. */
    public static List<String> waiting() {
        return List.of("/bin/sh", "-c", "trap 'exit 0' TERM; sleep " + LIMIT.toSeconds() + " & wait");
    }

    public static Pod render(FetchPlace place, String name, String controller, List<String> command) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(place.namespace())
                .withLabels(labels(place))
                .withAnnotations(annotations(place, controller))
                .withOwnerReferences(
                        place.owner().map(FetchPodRequest::owner).stream().toList())
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .withActiveDeadlineSeconds(LIMIT.toSeconds())
                .withTerminationGracePeriodSeconds(1L)
                .withEnableServiceLinks(false)
                .withAutomountServiceAccountToken(false)
                .withNodeSelector(place.nodeSelector().isEmpty() ? null : place.nodeSelector())
                .withTolerations(place.tolerations())
                .withImagePullSecrets(place.pullSecrets())
                .withServiceAccountName(place.serviceAccount().orElse(null))
                .withSecurityContext(place.security().orElse(null))
                .withContainers(container(place, command))
                .withVolumes(
                        new VolumeBuilder(place.volume()).withName(VOLUME).build(),
                        new VolumeBuilder()
                                .withName(SCRATCH)
                                .withNewEmptyDir()
                                .endEmptyDir()
                                .build())
                .endSpec()
                .build();
    }

    private static Map<String, String> labels(FetchPlace place) {
        return Map.of(
                KubernetesNames.MANAGED_BY,
                KubernetesNames.OURS,
                KubernetesNames.FETCH,
                place.owner().map(job -> job.getMetadata().getName()).orElse("path"));
    }

    private static Map<String, String> annotations(FetchPlace place, String controller) {
        Map<String, String> notes = new LinkedHashMap<>();
        notes.put(KubernetesNames.KEY, place.key());
        if (!controller.isEmpty()) {
            notes.put(KubernetesNames.CONTROLLER, controller);
        }
        return notes;
    }

    private static OwnerReference owner(Job job) {
        return new OwnerReferenceBuilder()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName(job.getMetadata().getName())
                .withUid(job.getMetadata().getUid())
                .build();
    }

    private static Container container(FetchPlace place, List<String> command) {
        return new ContainerBuilder()
                .withName(KubernetesNames.CONTAINER)
                .withImage(place.image())
                .withCommand(command.stream().map(Expansion::guard).toList())
                .withResources(new ResourceRequirementsBuilder()
                        .addToRequests("cpu", new Quantity("100m"))
                        .addToRequests("memory", new Quantity("128Mi"))
                        .addToLimits("cpu", new Quantity("1"))
                        .addToLimits("memory", new Quantity("512Mi"))
                        .build())
                .withVolumeMounts(
                        new io.fabric8.kubernetes.api.model.VolumeMountBuilder(place.mount())
                                .withName(VOLUME)
                                .withReadOnly(true)
                                .build(),
                        new io.fabric8.kubernetes.api.model.VolumeMountBuilder()
                                .withName(SCRATCH)
                                .withMountPath("/tmp")
                                .build())
                .withSecurityContext(new SecurityContextBuilder()
                        .withAllowPrivilegeEscalation(false)
                        .withNewCapabilities()
                        .withDrop("ALL")
                        .endCapabilities()
                        .build())
                .build();
    }
}
