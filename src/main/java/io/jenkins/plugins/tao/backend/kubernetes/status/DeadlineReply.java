package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Which Jobs have waited for too long, by the cluster's own clock and the deadlines noted on them. Pure. */
public final class DeadlineReply {
    private DeadlineReply() {}

    /** Why {@code view} is to be ended now; empty while it may go on, and while its pods are not known. */
    public static Optional<String> overdue(JobView view) {
        boolean waits = view.podsKnown()
                && !view.isOver()
                && !view.isSuspended()
                && view.job().getMetadata().getDeletionTimestamp() == null
                && !view.isEndedByUs();
        if (!waits || view.now().isEmpty()) {
            return Optional.empty();
        }
        Instant now = view.now().get();
        return start(view, now).or(() -> pull(view, now));
    }

    /** What to note on a Job whose command has run for as long as it may; empty while it may go on. */
    public static Optional<String> timeLimit(JobView view) {
        boolean runs = !view.isOver()
                && !view.isEndedByUs()
                && view.job().getMetadata().getDeletionTimestamp() == null
                && view.pods().stream().anyMatch(PodView::isRunning);
        return view.seconds(KubernetesNames.LIMIT)
                .filter(limit -> runs
                        && view.now()
                                .filter(now -> passed(view.runningSince(), limit, now))
                                .isPresent())
                .map(limit -> EndNote.render(JobStatus.ended(Ending.TIME_LIMIT, "DeadlineExceeded")
                        .withReason("its running time, waiting for nodes not counted, has reached the time limit of "
                                + Durations.words(limit))));
    }

    /** Since all of them must run at once, a part of them only holds GPUs. Once all have run, the deadline is over. */
    private static Optional<String> start(JobView view, Instant now) {
        Optional<Duration> limit = view.seconds(KubernetesNames.START_DEADLINE);
        long begun = view.pods().stream().filter(PodView::hasBegun).count();
        if (limit.isEmpty() || view.hasStarted() || !passed(view.since(), limit.get(), now)) {
            return Optional.empty();
        }
        List<Integer> missing = view.pods().stream()
                .filter(pod -> !pod.hasBegun())
                .map(PodView::rank)
                .toList();
        return Optional.of("only " + begun + " of " + view.expectedPods() + " pods had started within "
                + limit.get().toSeconds() + " s" + (missing.isEmpty() ? "" : ", not rank " + missing)
                + "; the start deadline ended the Job so that no GPU is held in vain");
    }

    private static Optional<String> pull(JobView view, Instant now) {
        Optional<Duration> limit = view.seconds(KubernetesNames.PULL_DEADLINE);
        if (view.members().isPresent() && view.pods().stream().anyMatch(PodView::isRunning)) {
            return Optional.empty(); // to end the Job would end them too
        }
        return view.pods().stream()
                .filter(pod -> !pod.hasBegun())
                .filter(pod -> PendingWords.PULL.contains(pod.waitsFor()))
                .filter(pod -> limit.isPresent() && passed(pod.scheduledAt(), limit.get(), now))
                .findFirst()
                .map(pod -> "the image could not be pulled within "
                        + limit.orElseThrow().toSeconds() + " s: "
                        + PendingWords.of(view, pod, Optional.empty()).sentence());
    }

    private static boolean passed(Optional<Instant> from, Duration limit, Instant now) {
        return from.isPresent() && from.get().plus(limit).isBefore(now);
    }
}
