package io.jenkins.plugins.tao.sweep;

import java.util.List;
import java.util.function.Predicate;

/** Whose turn it is among the cells of a sweep. Pure. */
public final class Turns {
    private Turns() {}

    /**
     * The cells to start now, in the order of the matrix.
     *
     * @param cells all of the sweep
     * @param runs whether a cell was started and has not ended
     * @param waits whether a cell waits for its turn
     * @param most how many may run at a time
     */
    public static <C> List<C> next(List<C> cells, Predicate<C> runs, Predicate<C> waits, int most) {
        long running = cells.stream().filter(runs).count();
        return cells.stream().filter(waits).limit(Math.max(0, most - running)).toList();
    }
}
