package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Progress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import lombok.With;

/**
 * How a job ended.
 *
 * @param handle its last attempt
 * @param outcome how it ended
 * @param exitCode the payload's own exit code, when known
 * @param progress the last word of {@code status.json}, metrics included
 * @param startedAt when its command started, when known
 * @param endedAt when it ended, or when the end was seen
 * @param attempts the attempts before the last one
 * @param lastLines at most the last 100 lines of its logs
 * @param failedNodes the nodes that its last attempt accuses; empty if there is no evidence against one
 */
public record JobResult(
        JobHandle handle,
        Outcome outcome,
        OptionalInt exitCode,
        Progress progress,
        Optional<Instant> startedAt,
        Instant endedAt,
        List<Attempt> attempts,
        List<String> lastLines,
        @With Set<String> failedNodes) {
    public JobResult {
        failedNodes = Set.copyOf(failedNodes);
        attempts = List.copyOf(attempts);
        lastLines = List.copyOf(lastLines);
    }
}
