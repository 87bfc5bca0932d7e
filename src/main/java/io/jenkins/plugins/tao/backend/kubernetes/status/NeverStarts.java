package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.Outlook;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether waiting longer cannot help a pod: its image has no valid name or is not in the registry, or no node of the cluster
 * could hold it were all of them idle. A cluster that may grow gets its time: an autoscaler says within a minute whether
 * another node would help. Pure.
 */
final class NeverStarts {
    /** A kubelet asks a registry at once and after 10, 20, 40 and 80 seconds. */
    private static final Duration PULLS = Duration.ofMinutes(3);

    /** A node that is started anew, or whose device plugin is, comes back within this time. */
    private static final Duration NODES = Duration.ofMinutes(5);

    /** Of an image whose name cannot be one, or that may not be pulled to where it is missing. */
    private static final Set<String> UNUSABLE = Set.of("InvalidImageName", "ErrImageNeverPull");

    private static final Pattern MISSING = Pattern.compile(
            "(secret|configmap) \"[^\"]+\" not found|couldn't find key|references non-existent|runAsNonRoot|non-root policy");

    /** What autoscalers say of a pod that another node will take: the Cluster Autoscaler, and Karpenter. */
    private static final Set<String> GROWING = Set.of("TriggeredScaleUp", "Nominated");

    private NeverStarts() {}

    /** What is to be expected of {@code pod}, which waits. */
    static Outlook outlook(JobView view, PodView pod, Optional<CapacityReply> nodes) {
        boolean never = UNUSABLE.contains(word(pod))
                || (lacksPart(view, pod) && passed(view, pod.scheduledAt(), NODES))
                || (lacksImage(view, pod) && passed(view, pod.scheduledAt(), PULLS))
                || (fitsNoNode(view, pod, nodes) && passed(view, pod.createdAt(), NODES));
        return never ? Outlook.NEVER : Outlook.NONE;
    }

    private static boolean passed(JobView view, Optional<Instant> from, Duration time) {
        return from.isPresent()
                && view.now().isPresent()
                && from.get().plus(time).isBefore(view.now().get());
    }

    private static String word(PodView pod) {
        return pod.waiting()
                .map(state -> Objects.requireNonNullElse(state.getReason(), ""))
                .orElse("");
    }

    /** Whether a Secret or ConfigMap, or a key of one, is missing, or the image's user is refused: the pod holds its GPUs meanwhile. */
    private static boolean lacksPart(JobView view, PodView pod) {
        Optional<String> said = word(pod).equals("CreateContainerConfigError")
                ? pod.waiting().map(ContainerStateWaiting::getMessage)
                : PendingWords.unmounted(view, pod);
        return said.filter(text -> MISSING.matcher(text).find()).isPresent();
    }

    /** A registry that does not know whoever asks may say the same of an image that is there, but not to someone else's login. */
    private static boolean lacksImage(JobView view, PodView pod) {
        return PendingWords.PULL.contains(word(pod))
                && PendingWords.pulled(PendingWords.whyNotPulled(view, pod))
                        .filter(known -> known.kind().equals("absent"))
                        .isPresent();
    }

    private static boolean fitsNoNode(JobView view, PodView pod, Optional<CapacityReply> nodes) {
        boolean grows = GROWING.stream()
                .anyMatch(reason -> view.lastEvent("Pod", pod.name(), reason).isPresent());
        return pod.unschedulable().isPresent()
                && !grows
                && nodes.isPresent()
                && nodes.get().hasNoneFor(pod.pod());
    }
}
