package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobResult;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Puts together what is told at the end. */
final class Results {
    private Results() {}

    static JobResult of(Watched watched, Outcome outcome, List<String> lastLines, Instant now) {
        return watched.move(tracker -> new JobResult(
                tracker.handle(),
                outcome,
                tracker.status().exitCode(),
                tracker.progress(),
                tracker.status().startedAt(),
                tracker.ended() ? tracker.endSeen() : now,
                tracker.attempts(),
                lastLines,
                Set.of()));
    }
}
