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
 * @param maxParallel how many cells are sent and have not ended at a time
 * @param best how the best cell is chosen, {@code max METRIC} or {@code min METRIC}
 * @param endEarly when a cell is hopeless and is ended, as in {@code median of val_acc after 5 epochs}
 * @param repeats the axes whose cells repeat each other; else those called {@code seed} or {@code random_seed}
 * @param carry what carries the cells: {@code jobs}, one each, or {@code array}, one job whose members they are; {@code jobs} unless said
 * @param groupGates what the cells that repeat each other are judged by together
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
