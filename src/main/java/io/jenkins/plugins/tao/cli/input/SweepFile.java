package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.sweep.Best;
import io.jenkins.plugins.tao.sweep.EarlyRule;
import io.jenkins.plugins.tao.sweep.Matrix;
import io.jenkins.plugins.tao.sweep.Repeats;
import io.jenkins.plugins.tao.sweep.SweepTerms;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a job file says of a sweep beside its {@code matrix}; each component is one key. See docs/sweeps.md.
 *
 * @param maxParallel how many cells are active at a time, queued ones included
 * @param best how the best cell is chosen, {@code max METRIC} or {@code min METRIC}
 * @param endEarly rules for early stopping of cells, as in {@code median of val_acc after 5 epochs}
 * @param repeats the axes treated as replicates; default those called {@code seed} or {@code random_seed}
 * @param carry {@code jobs}: each cell is a job; {@code array}: the cells are members of one job; default {@code jobs}
 * @param groupGates the gates of a group of replicate cells
 */
public record SweepFile(
        OptionalInt maxParallel,
        Optional<String> best,
        Optional<String> endEarly,
        List<String> repeats,
        Optional<Carry> carry,
        List<Value.Keyed> groupGates) {
    /** What carries the cells. */
    enum Carry {
        JOBS,
        ARRAY
    }

    SweepTerms terms() {
        return new SweepTerms(
                maxParallel.orElse(Matrix.MOST_CELLS),
                best.map(Best::parse),
                EarlyRule.parse(endEarly.orElse("")),
                new Repeats(repeats));
    }
}
