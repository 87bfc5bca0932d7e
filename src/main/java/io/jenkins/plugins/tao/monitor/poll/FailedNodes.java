package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.job.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * When the nodes of one target failed last, as the attempts of its jobs say. Two failing nodes do not take turns: the attempt
 * after the second avoids both. The record of each watch keeps its attempts over a restart.
 */
final class FailedNodes {
    private final Map<String, Instant> lastFailures = new HashMap<>();

    /** Takes note of the nodes that {@code attempts} accuse. */
    synchronized void learn(List<Attempt> attempts) {
        attempts.forEach(attempt -> learn(attempt.failedNodes(), attempt.endedAt()));
    }

    synchronized void learn(Set<String> nodes, Instant at) {
        nodes.forEach(node -> lastFailures.merge(node, at, (a, b) -> a.isAfter(b) ? a : b));
    }

    /** The nodes that failed after {@code now - within}, the last failure first, nodes of one failure by name. */
    synchronized Set<String> since(Duration within, Instant now) {
        Set<String> nodes = new LinkedHashSet<>();
        lastFailures.entrySet().stream()
                .filter(failure -> failure.getValue().plus(within).isAfter(now))
                .sorted(Map.Entry.<String, Instant>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(failure -> nodes.add(failure.getKey()));
        return nodes;
    }
}
