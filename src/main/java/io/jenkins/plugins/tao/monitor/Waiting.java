package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One attempt that waits for machines: what is told of its start, and when waiting has no purpose any more. */
public final class Waiting {
    /** An admin who opens a limit, or a node that comes back, may take a "never" away within one look of the scheduler. */
    static final Duration NEVER_HOLDS = Duration.ofMinutes(1);

    /** A scheduler makes a new estimate each half minute: a change below this is no news. */
    private static final Duration SAME = Duration.ofMinutes(5);

    /** A start that is so near is reported when it happens. */
    private static final Duration SOON = Duration.ofMinutes(1);

    private static final int SAME_PART = 10;
    static final DateTimeFormatter TO_THE_MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Optional<Instant> neverSince = Optional.empty();
    private Optional<Instant> firstEstimate = Optional.empty();
    private Optional<Instant> toldStart = Optional.empty();
    private boolean toldDeadline;

    /** Whether a look shows that the job has run. */
    public static boolean hasBegun(JobStatus status) {
        return status.state() == JobState.RUNNING
                || status.state() == JobState.PAUSED
                || status.runs() > 0
                || status.startedAt().isPresent();
    }

    /** Takes a look at the job; gives what a person should hear of its start. */
    List<JobEvent> look(JobHandle job, JobStatus now, Instant at) {
        List<JobEvent> events = new ArrayList<>();
        boolean waits = now.state() == JobState.PENDING;
        neverSince = waits && now.outlook().never() ? Optional.of(neverSince.orElse(at)) : Optional.empty();
        if (waits) {
            deadline(job).filter(any -> !toldDeadline).ifPresent(end -> {
                toldDeadline = true;
                events.add(new JobEvent.Notice("It is ended if it has not started by " + minute(end) + "."));
            });
            now.outlook().start().filter(start -> isNews(start, at)).ifPresent(start -> {
                firstEstimate = firstEstimate.or(() -> Optional.of(start));
                toldStart = Optional.of(start);
                events.add(new JobEvent.Notice(expected(start, at)));
            });
        } else if (hasBegun(now)) {
            judged(job, now.startedAt().orElse(at)).ifPresent(events::add);
        }
        return events;
    }

    /** What the first estimate was worth, once it has started: estimates that are mostly wrong are no ground to plan on. */
    private Optional<JobEvent> judged(JobHandle job, Instant start) {
        Optional<JobEvent> verdict = firstEstimate.map(estimate -> {
            Duration late = Duration.between(estimate, start);
            String error = late.abs().compareTo(SAME) <= 0
                    ? "as was first expected, to within " + SAME.toMinutes() + " minutes"
                    : Durations.words(late.abs()) + (late.isNegative() ? " earlier" : " later")
                            + " than was first expected";
            return new JobEvent.Notice("It started after " + Durations.words(Duration.between(job.submittedAt(), start))
                    + ", " + error + ".");
        });
        firstEstimate = Optional.empty();
        return verdict;
    }

    /** Why the attempt must be ended; empty while it may wait. */
    Optional<String> inVain(JobHandle job, JobStatus status, Instant at) {
        if (status.state() != JobState.PENDING) {
            return Optional.empty();
        }
        if (neverSince.isPresent() && !at.isBefore(neverSince.get().plus(NEVER_HOLDS))) {
            return Optional.of(
                    Sentences.join("The job can never start: " + status.reason().orElse(status.nativeState())));
        }
        return deadline(job)
                .filter(end -> !at.isBefore(end))
                .map(end -> Sentences.join("The job did not start within "
                        + Durations.words(job.startWithin().orElse(Duration.ZERO)) + " (startWithin)"
                        + status.reason()
                                .map(reason -> "; it waited for: " + reason)
                                .orElse("")));
    }

    private static Optional<Instant> deadline(JobHandle job) {
        return job.startWithin().map(job.submittedAt()::plus);
    }

    private boolean isNews(Instant start, Instant at) {
        if (toldStart.isEmpty()) {
            return start.isAfter(at.plus(SOON));
        }
        Duration change = Duration.between(toldStart.get(), start).abs();
        Duration left = Duration.between(at, start).dividedBy(SAME_PART);
        return start.isAfter(at) && change.compareTo(left.compareTo(SAME) > 0 ? left : SAME) > 0;
    }

    private static String expected(Instant start, Instant at) {
        return "It is expected to start by " + minute(start) + ", in " + Durations.words(Duration.between(at, start))
                + "; jobs that end early or come first change that.";
    }

    private static String minute(Instant time) {
        return TO_THE_MINUTE.format(time.plusSeconds(59).truncatedTo(ChronoUnit.MINUTES));
    }
}
