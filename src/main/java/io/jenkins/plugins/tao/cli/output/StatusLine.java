package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.EventWords;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import lombok.RequiredArgsConstructor;

/** The one line that says where a job stands now; made of events and the time, nothing else. */
@RequiredArgsConstructor
final class StatusLine {
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    private final int width;
    private final boolean colours;
    private JobStatus status = JobStatus.live(JobState.UNCLEAR, "submitting");
    private Progress progress = Progress.NONE;
    private Optional<Instant> silentSince = Optional.empty();
    private Duration inState = Duration.ZERO;
    private Optional<Instant> since = Optional.empty();
    private boolean over;
    private String last = "";

    synchronized void on(JobEvent event) {
        if (event instanceof JobEvent.StatusChanged changed) {
            boolean first = changed.before().isEmpty();
            if (first || !changed.before().equals(changed.now().nativeState())) {
                since = Optional.empty();
                inState = first ? changed.inState() : Duration.ZERO;
            }
            status = changed.now();
        } else if (event instanceof JobEvent.Advanced advanced) {
            progress = advanced.progress();
        } else if (event instanceof JobEvent.Unreachable silent) {
            silentSince = Optional.of(silent.since());
        } else if (event instanceof JobEvent.Reachable) {
            silentSince = Optional.empty();
        } else if (event instanceof JobEvent.Ended) {
            over = true;
            last = "";
        }
    }

    /** The line at {@code now}, cut to the width; empty after the end. */
    synchronized String render(Instant now) {
        if (over) {
            return "";
        }
        Instant from = status.startedAt()
                .filter(start -> status.state() == JobState.RUNNING)
                .orElseGet(() -> begin(now));
        StringBuilder line = new StringBuilder(EventWords.word(status));
        line.append("  ").append(Durations.words(Duration.between(from, now)));
        status.reason().ifPresent(reason -> line.append("  (").append(reason).append(')'));
        String told = EventWords.progress(progress);
        line.append(told.isEmpty() ? "" : "  " + told);
        silentSince.ifPresent(
                time -> line.append("  no response for ").append(Durations.words(Duration.between(time, now))));
        String cut = line.length() < width ? line.toString() : line.substring(0, width - 1);
        last = colours ? BOLD + cut + PLAIN : cut;
        return last;
    }

    private synchronized Instant begin(Instant now) {
        if (since.isEmpty()) {
            since = Optional.of(now.minus(inState));
        }
        return since.get();
    }

    /** What {@link #render} gave last. */
    synchronized String last() {
        return last;
    }
}
