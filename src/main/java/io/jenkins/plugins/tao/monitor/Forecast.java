package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Whether a training will end within its time limit, from the pace at which its {@code status.json} advanced while it was watched:
 * validation, checkpoints and slow starts count, which TAO's own {@code eta} leaves out. What was read in one go, as after a restart, tells
 * no pace.
 */
final class Forecast {
    /** Fewer advances are no pace: the first epoch is often slower. */
    private static final int LEAST = 3;

    /** The pace is that of the last advances, so that a slow-down is seen. */
    private static final int MOST = 21;

    /** An excess below this part of what is left is within the error of the estimate. */
    private static final int MARGIN = 20;

    private final Deque<Seen> advances = new ArrayDeque<>();
    private double last = -1;
    private boolean reported;

    private record Seen(Instant at, double fraction) {}

    /** Takes the progress that a look at the job found, if any. */
    void advanced(Progress progress, Instant at) {
        if (progress.fraction().isEmpty()) {
            return;
        }
        double fraction = progress.fraction().getAsDouble();
        if (fraction < last) {
            interrupted(); // it was started anew
        }
        boolean first = last < 0; // when that was reached is not known
        if (first) {
            last = fraction;
        } else if (fraction != last) {
            last = fraction;
            advances.addLast(new Seen(at, fraction));
            if (advances.size() > MOST) {
                advances.removeFirst();
            }
        }
    }

    /** The pace before a pause is none after it. */
    void interrupted() {
        advances.clear();
        last = -1;
    }

    /** What is to be reported now, once: that the limit comes before the end. */
    Optional<JobEvent> look(JobStatus status, Optional<Duration> limit, Progress progress) {
        Optional<Instant> deadline = status.startedAt().flatMap(start -> limit.map(start::plus));
        if (reported || deadline.isEmpty() || status.state() != JobState.RUNNING || advances.size() < LEAST) {
            return Optional.empty();
        }
        Seen first = advances.getFirst();
        Seen now = advances.getLast();
        double perSecond = (now.fraction() - first.fraction()) / seconds(first.at(), now.at());
        double needed = (1 - now.fraction()) / perSecond;
        double left = seconds(now.at(), deadline.get());
        if (!Double.isFinite(needed) || needed - left <= needed / MARGIN) {
            return Optional.empty();
        }
        reported = true;
        double reached = Math.min(1, now.fraction() + Math.max(0, left) * perSecond);
        return Optional.of(new JobEvent.Notice(text(progress, deadline.get(), now.at(), needed, reached)));
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1000.0;
    }

    private static String text(Progress progress, Instant deadline, Instant now, double needed, double reached) {
        Instant end = now.plusSeconds((long) needed);
        return "At its pace the training needs until " + Waiting.TO_THE_MINUTE.format(end)
                + ", and its time limit ends it at "
                + Waiting.TO_THE_MINUTE.format(deadline) + ", " + Durations.words(Duration.between(deadline, end))
                + " before that, after " + Math.round(reached * 100) + " % of its work" + epochs(progress, reached)
                + ". Give the job more time, train fewer epochs, or make sure that there is a checkpoint from which another job can resume.";
    }

    private static String epochs(Progress progress, double reached) {
        if (progress.epoch().isEmpty() || progress.lastEpoch().isEmpty()) {
            return "";
        }
        long all = Math.round(progress.lastEpoch().getAsDouble() + 1);
        return " (about " + (long) (reached * all) + " of " + all + " epochs)";
    }
}
