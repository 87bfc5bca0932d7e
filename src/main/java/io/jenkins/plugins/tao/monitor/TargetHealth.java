package io.jenkins.plugins.tao.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How one target answers, as its poller has seen it; nothing is asked for it.
 *
 * @param target the name of the target
 * @param jobs what the watches of its jobs say, a line each
 * @param waiting how many of these jobs wait for machines
 * @param lastAnswer when it answered last; empty when it has not yet
 * @param took how long its last answered round took
 * @param failures how many rounds in a row had no answer
 * @param error what was said of the last of them; empty when there was an answer since
 */
public record TargetHealth(
        String target,
        List<String> jobs,
        long waiting,
        Optional<Instant> lastAnswer,
        Duration took,
        int failures,
        String error) {
    public TargetHealth {
        jobs = List.copyOf(jobs);
    }
}
