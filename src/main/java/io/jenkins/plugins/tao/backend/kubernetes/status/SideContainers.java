package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * Jobs whose command has ended while other containers of their pods run on. The cluster never ends such a Job, and its pods
 * hold their GPUs: whoever watches it ends it, once its log is read, and notes on it how the command had ended. Pure.
 */
public final class SideContainers {
    /** How long a pod may take to end after its only container. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    /** How long a log that does not come keeps the pods. */
    private static final Duration LOG_GRACE = Duration.ofMinutes(3);

    /** So long an end that is on its way is waited for. */
    private static final Duration END_GRACE = Duration.ofMinutes(10);

    private SideContainers() {}

    /** Whether the command has ended in all pods, and others of their containers run on. */
    static boolean hold(JobView view) {
        return view.members().isEmpty() // whose other members go on
                && commandsEnded(view)
                && view.note(KubernetesNames.FINISHED).isEmpty()
                && !view.isOver()
                && view.pods().stream().anyMatch(pod -> !pod.isOver())
                && since(view, GRACE);
    }

    /** Whether the command has ended in all pods, so that their logs are complete. */
    static boolean commandsEnded(JobView view) {
        return view.pods().size() >= view.expectedPods()
                && view.pods().stream().allMatch(pod -> pod.commandEnded() || pod.isOver());
    }

    private static boolean since(JobView view, Duration time) {
        Instant latest = view.pods().stream()
                .flatMap(pod -> pod.finishedAt().stream())
                .max(Comparator.naturalOrder())
                .orElse(Instant.MAX);
        return view.now().isPresent() && view.now().get().minus(time).isAfter(latest);
    }

    /** Whether the pods are to be ended now. */
    public static boolean mayEnd(JobView view, boolean logRead) {
        return hold(view) && (logRead || since(view, LOG_GRACE));
    }

    /** The status while the pods are being ended; empty when they are not held, or for too long. */
    static Optional<JobStatus> ending(JobView view) {
        return hold(view) && !since(view, END_GRACE)
                ? Optional.of(JobStatus.live(JobState.RUNNING, "Finishing")
                        .withReason("its command has ended, and its pods are ended once their logs are read: side"
                                + " containers run on in them"))
                : Optional.empty();
    }

    /** How the command ended, where its pods stay. */
    static JobStatus ofCommands(JobView view) {
        return bare(view)
                .withNotice(
                        "the command has ended, and side containers run on in its pods, whose GPUs stay held: make them"
                                + " initContainers with restartPolicy Always, or delete the Job '" + view.name()
                                + "'.");
    }

    private static JobStatus bare(JobView view) {
        return FailureTable.guilty(view).isPresent()
                ? KubernetesReply.failed(view)
                : JobStatus.ended(Ending.COMPLETED, "Complete").withExitCode(0);
    }

    /** How the command ended, in one line for {@link EndNote}. */
    public static String note(JobView view) {
        return EndNote.render(bare(view));
    }
}
