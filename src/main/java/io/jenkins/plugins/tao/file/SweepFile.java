package io.jenkins.plugins.tao.file;

import io.jenkins.plugins.tao.job.text.Option;
import io.jenkins.plugins.tao.sweep.Best;
import io.jenkins.plugins.tao.sweep.EarlyRule;
import io.jenkins.plugins.tao.sweep.Matrix;
import io.jenkins.plugins.tao.sweep.Repeats;
import io.jenkins.plugins.tao.sweep.SweepTerms;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a job file says of a sweep beside its {@code matrix}; each component is one key. See docs/sweeps.md.
 *
 * @param maxParallel how many cells are active at a time, queued ones included
 * @param best how the best cell is chosen, {@code max METRIC} or {@code min METRIC}
 * @param endEarly rules for early stopping of cells, as in {@code median of val_acc after 5 epochs}
 * @param repeats the axes treated as replicates
 * @param carry {@code jobs}: each cell is a job; {@code array}: the cells are members of one job
 * @param groupGates the gates of a group of replicate cells
 */
public record SweepFile(
        OptionalInt maxParallel,
        Optional<String> best,
        Optional<String> endEarly,

        @Option(defaultsTo = "those called `seed` or `random_seed`")
        List<String> repeats,

        @Option(defaultsTo = "`jobs`") Optional<Carry> carry,
        List<Value.Keyed> groupGates) {
    /** The key of the axes. */
    public static final String MATRIX = "matrix";

    private static final FileReader READER = new FileReader();

    /** What carries the cells. */
    public enum Carry {
        JOBS,
        ARRAY
    }

    public SweepTerms terms() {
        return new SweepTerms(
                maxParallel.orElse(Matrix.MOST_CELLS),
                best.map(Best::parse),
                EarlyRule.parse(endEarly.orElse("")),
                new Repeats(repeats));
    }

    /** What {@code content} says of a sweep beside its matrix. */
    public static SweepFile of(Value.Keyed content) {
        return READER.bindPart(content, SweepFile.class);
    }

    /**
     * The file without what it says of a sweep.
     *
     * @throws FileMistake if it says something of a sweep and is none
     */
    public static Value.Keyed alone(Value.Keyed content) {
        Set<String> known = new TreeSet<>(READER.keys(JobFile.class));
        known.addAll(READER.keys(SweepFile.class));
        known.add(MATRIX);
        Value.Keyed rest = content.checked(known).without(MATRIX);
        boolean one = content.get(MATRIX).isEmpty();
        for (String key : READER.keys(SweepFile.class)) {
            Optional<Value> value = content.get(key);
            if (one && key.equals("endEarly")) {
                continue; // a single job has one of its own
            }
            if (value.isPresent() && one) {
                throw new FileMistake(value.get().where() + ": '" + key
                        + "' belongs to a sweep, and the file has no 'matrix'. Add one, or leave '" + key + "' out.");
            }
            rest = rest.without(key);
        }
        return rest;
    }
}
