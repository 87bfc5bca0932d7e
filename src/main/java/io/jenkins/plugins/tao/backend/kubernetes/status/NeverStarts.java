package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.Outlook;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Whether waiting longer cannot help a pod: its image has no valid name or is not in the registry, something that it names is missing, or no
 * node of the cluster could hold it were all of them idle. A cluster that may grow gets its time: an autoscaler says within a minute whether
 * another node would help. Pure.
 */
final class NeverStarts {
    /** A kubelet asks a registry at once and after 10, 20, 40 and 80 seconds. */
    private static final Duration PULLS = Duration.ofMinutes(3);

    /** A node that is started anew, or whose device plugin is, comes back within this time. */
    private static final Duration NODES = Duration.ofMinutes(5);

    /** Of an image whose name cannot be one, or that may not be pulled to where it is missing. */
    private static final Set<String> UNUSABLE = Set.of("InvalidImageName", "ErrImageNeverPull");

    /** What autoscalers say of a pod that another node will take: the Cluster Autoscaler, and Karpenter. */
    private static final Set<String> GROWING = Set.of("TriggeredScaleUp", "Nominated");

    private NeverStarts() {}

    /** What is to be expected of {@code pod}, which waits. */
    static Outlook outlook(JobView view, PodView pod, Optional<CapacityReply> nodes) {
        boolean never = UNUSABLE.contains(pod.waitsFor())
                || (PendingWords.missing(view, pod) && passed(view, pod.scheduledAt(), NODES))
                || (lacksImage(view, pod) && passed(view, pod.scheduledAt(), PULLS))
                || (fitsNoNode(view, pod, nodes) && passed(view, pod.createdAt(), NODES));
        return never ? Outlook.NEVER : Outlook.NONE;
    }

    private static boolean passed(JobView view, Optional<Instant> from, Duration time) {
        return from.isPresent()
                && view.now().isPresent()
                && from.get().plus(time).isBefore(view.now().get());
    }

    /**
     * A registry that refuses a login may accept it once the secret is corrected, but not while the secret is missing. A registry that
     * does not know the user may say the same of an image that is there.
     */
    private static boolean lacksImage(JobView view, PodView pod) {
        return PendingWords.PULL.contains(pod.waitsFor())
                && PendingWords.pulled(PendingWords.whyNotPulled(view, pod))
                        .filter(known -> known.kind().equals("absent")
                                || (known.kind().equals("login") && PendingWords.lacksPullSecret(view, pod)))
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
