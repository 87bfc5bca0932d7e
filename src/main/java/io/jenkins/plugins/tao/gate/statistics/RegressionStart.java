package io.jenkins.plugins.tao.gate.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Dates the first run of a regression, by the change of the level among the runs since the last level or recovery. */
final class RegressionStart {
    private static final int LOOKED_BACK = 40;

    private RegressionStart() {}

    /**
     * The first bad run.
     *
     * @param state the state before the first red run
     * @param bad the bad runs, the first red one the last
     */
    static Regression.Began of(SeriesState state, List<LevelRun> bad) {
        List<LevelRun> runs = runs(state, bad.get(bad.size() - 1));
        Optional<ChangePoint> change = ChangePoint.in(
                        runs.stream().mapToDouble(LevelRun::value).toArray())
                .filter(ChangePoint::sure);
        int first = change.map(ChangePoint::index).orElseGet(() -> Math.max(0, runs.indexOf(bad.get(0))));
        String lastGood = "";
        for (LevelRun run : runs.subList(0, first)) {
            lastGood = run.suspected() ? lastGood : run.label();
        }
        return new Regression.Began(runs.get(first).label(), lastGood, change.isPresent() || bad.size() == 1);
    }

    /** The newest runs that no older regression is among. */
    private static List<LevelRun> runs(SeriesState state, LevelRun newest) {
        List<LevelRun> level = state.level().runs();
        int known = Math.min(Math.min(LOOKED_BACK, level.size()), Math.max(state.settled(), 1));
        List<LevelRun> runs = new ArrayList<>(level.subList(Math.max(0, level.size() - known), level.size()));
        state.suspect().ifPresent(runs::add);
        runs.add(newest);
        return runs;
    }
}
