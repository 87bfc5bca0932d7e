package io.jenkins.plugins.tao.sweep;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.List;
import java.util.Optional;

/**
 * How a sweep is run.
 *
 * @param maxParallel how many cells are sent and not ended at a time, at least 1
 * @param best how the best cell is chosen; empty for not at all
 * @param endEarly when a cell is hopeless; empty for never
 * @param repeats which cells repeat each other
 */
public record SweepTerms(int maxParallel, Optional<Best> best, List<EarlyRule> endEarly, Repeats repeats) {
    public SweepTerms {
        require(maxParallel >= 1, "maxParallel must be at least 1, was %d", maxParallel);
        endEarly = List.copyOf(endEarly);
    }

    /** Whether it waits for turns: with a bound below the number of {@code cells}. */
    public boolean isBounded(int cells) {
        return maxParallel < cells;
    }
}
