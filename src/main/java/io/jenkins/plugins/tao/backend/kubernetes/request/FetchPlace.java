package io.jenkins.plugins.tao.backend.kubernetes.request;

import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.Tolerated;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a directory can be read: the volume that holds it, and what a pod needs to see that. Pure.
 *
 * @param key the id of the job that it is read for; empty for none
 * @param owner the Job with which the pod goes
 * @param image what the pod runs
 * @param volume holds the directory
 * @param mount where the pod sees it
 */
public record FetchPlace(
        String namespace,
        String key,
        Optional<Job> owner,
        String image,
        Volume volume,
        VolumeMount mount,
        Map<String, String> nodeSelector,
        List<Toleration> tolerations,
        List<LocalObjectReference> pullSecrets,
        Optional<String> serviceAccount,
        Optional<PodSecurityContext> security) {
    /** As the pods of a Job see it; empty if no volume that outlives them holds {@code path}. */
    public static Optional<FetchPlace> of(Job job, String path, KubernetesTarget target) {
        PodSpec pod = job.getSpec().getTemplate().getSpec();
        var main = pod.getContainers().get(0);
        Optional<VolumeMount> mount = main.getVolumeMounts().stream()
                .filter(each -> holds(each, path))
                .max(Comparator.comparingInt(each -> each.getMountPath().length()));
        Optional<Volume> volume = mount.flatMap(each -> pod.getVolumes().stream()
                .filter(known -> known.getName().equals(each.getName()) && outlives(known))
                .findFirst());
        return volume.map(found -> new FetchPlace(
                job.getMetadata().getNamespace(),
                job.getMetadata().getAnnotations().getOrDefault(KubernetesNames.KEY, ""),
                Optional.of(job),
                target.fetchImage().orElse(main.getImage()),
                found,
                mount.orElseThrow(),
                Objects.requireNonNullElse(pod.getNodeSelector(), Map.of()),
                pod.getTolerations(),
                target.fetchImage().isPresent() ? pullSecrets(target) : pod.getImagePullSecrets(),
                Optional.ofNullable(pod.getServiceAccountName()),
                Optional.ofNullable(pod.getSecurityContext())));
    }

    /** As every pod of a target sees it; empty if no volume of the target holds {@code path}, or it names no image. */
    public static Optional<FetchPlace> of(KubernetesTarget target, String namespace, String key, String path) {
        return target.volumes().stream()
                .map(io.jenkins.plugins.tao.backend.kubernetes.options.VolumeMount::parse)
                .filter(each -> each.holds(path)
                        && each.outlives()
                        && target.fetchImage().isPresent())
                .max(Comparator.comparingInt(each -> each.path().length()))
                .map(each -> new FetchPlace(
                        namespace,
                        key,
                        Optional.empty(),
                        target.fetchImage().orElseThrow(),
                        each.volume("data", true).build(),
                        new VolumeMountBuilder().withMountPath(each.path()).build(),
                        target.nodeSelector(),
                        target.tolerations().stream()
                                .map(Tolerated::parse)
                                .map(Tolerated::toleration)
                                .toList(),
                        pullSecrets(target),
                        target.serviceAccount(),
                        SecurityRequest.pod(target)));
    }

    private static List<LocalObjectReference> pullSecrets(KubernetesTarget target) {
        return target.imagePullSecret().map(LocalObjectReference::new).stream().toList();
    }

    private static boolean holds(VolumeMount mount, String path) {
        return path.equals(mount.getMountPath()) || path.startsWith(mount.getMountPath() + "/");
    }

    private static boolean outlives(Volume volume) {
        return volume.getPersistentVolumeClaim() != null || volume.getNfs() != null || volume.getHostPath() != null;
    }
}
