package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.Tracker;
import io.jenkins.plugins.tao.monitor.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Where a watched job stands, in words. */
final class WatchWords {
    private WatchWords() {}

    /** One line for a person, as {@link Watch#describe} gives it. */
    static String of(Tracker tracker, Instant now) {
        JobStatus status = tracker.status();
        StringBuilder line = new StringBuilder(status.nativeState().isEmpty() ? "SUBMITTED" : status.nativeState());
        line.append(' ').append(Durations.words(Duration.between(tracker.since(), now)));
        if (!status.nodes().isEmpty()) {
            line.append(" on ").append(String.join(",", status.nodes()));
        }
        status.reason().ifPresent(reason -> line.append(" (").append(reason).append(')'));
        Progress progress = tracker.progress();
        progress.fraction().ifPresent(part -> line.append(String.format(Locale.ROOT, ", %.0f %% done", part * 100)));
        line.append(", last response ")
                .append(Durations.words(Duration.between(tracker.lastWord(), now)))
                .append(" ago");
        return line.toString();
    }
}
