package io.jenkins.plugins.tao.gate.statistics;

import java.util.List;
import java.util.Optional;

/**
 * All that the next answer depends on. Immutable, and derived from the history alone: it is never stored.
 *
 * @param level the present level
 * @param slow the sum of small drops
 * @param suspect the suspect run that waits for the next one
 * @param regression the regression that lasts
 * @param settled how many runs were accepted since the level began or the last regression ended
 */
public record SeriesState(
        Level level, SlowDrop slow, Optional<LevelRun> suspect, Optional<Regression> regression, int settled) {

    /** The runs that a level has at least after the runs of a drop are taken back from it; a shorter one keeps them. */
    private static final int LEAST_REFERENCE = 12;

    /** What a series is doing. */
    public enum Phase {
        /** Too few runs for an answer. */
        LEARNING,
        /** As usual. */
        WATCHING,
        /** The last run was below the limit; the next one decides. */
        SUSPECT,
        /** Red until it is fixed or blessed. */
        REGRESSED,
        /** The last run was above the middle between the bad and the old level; one more such run ends the regression. */
        RECOVERING
    }

    /** A level without runs. */
    static SeriesState begin(Level level) {
        return new SeriesState(level, SlowDrop.NOTHING, Optional.empty(), Optional.empty(), 0);
    }

    /** What the series is doing, under {@code rule}. */
    public Phase phase(MetricRule rule) {
        if (regression.isPresent()) {
            return regression.get().passed().isEmpty() ? Phase.REGRESSED : Phase.RECOVERING;
        }
        if (suspect.isPresent()) {
            return Phase.SUSPECT;
        }
        return level.baseline(rule, 1).isPresent() ? Phase.WATCHING : Phase.LEARNING;
    }

    /** With an accepted run; a suspect run before it is accepted too. */
    SeriesState accept(LevelRun run) {
        SeriesState before = suspect.map(this::learn).orElse(this);
        SeriesState after = before.learn(run);
        return StepUp.in(after.level).map(after::risen).orElse(after);
    }

    private SeriesState learn(LevelRun run) {
        return new SeriesState(
                level.with(run),
                slow.learn(run.value(), level.kept()),
                Optional.empty(),
                Optional.empty(),
                settled + 1);
    }

    /** The newest runs become a level of their own. */
    private SeriesState risen(StepUp step) {
        List<LevelRun> runs = level.runs()
                .subList(level.runs().size() - step.runs(), level.runs().size());
        SeriesState fresh = begin(Level.begin(Level.Origin.STEP_UP, "", Optional.of(step.spread())));
        for (LevelRun run : runs) {
            fresh = fresh.learn(run);
        }
        return fresh;
    }

    SeriesState suspecting(LevelRun run) {
        return new SeriesState(level, slow, Optional.of(run.asSuspect()), Optional.empty(), settled);
    }

    SeriesState with(SlowDrop next) {
        return new SeriesState(level, next, suspect, regression, settled);
    }

    SeriesState with(Regression next) {
        return new SeriesState(level, slow, suspect, Optional.of(next), settled);
    }

    /** How many accepted runs the sum of small drops is made of, beside the newest run. */
    private int slowAccepted() {
        return Math.max(0, slow.taken() - 1 - (suspect.isPresent() ? 1 : 0));
    }

    /** The newest run before the drop, as it seems, that was never suspect; empty when there is none. */
    String lastGood() {
        if (regression.isPresent()) {
            return regression.get().began().lastGood();
        }
        String found = "";
        for (LevelRun run : level.withoutNewest(slowAccepted()).runs()) {
            found = run.suspected() ? found : run.label();
        }
        return found;
    }

    /** The level and what was learned before the drop began that the sum of small drops is made of. */
    SeriesState beforeDrop() {
        Level shorter = level.withoutNewest(slowAccepted());
        return shorter.runs().size() < LEAST_REFERENCE
                ? new SeriesState(level, slow.cleared(), Optional.empty(), Optional.empty(), settled)
                : new SeriesState(shorter, slow.takenBack(), Optional.empty(), Optional.empty(), settled);
    }

    /** After the newest run of {@code over} ended it. */
    SeriesState recovered(Regression over) {
        SeriesState state = new SeriesState(level, slow, Optional.empty(), Optional.empty(), 0);
        for (LevelRun run : over.accepted()) {
            state = state.learn(run);
        }
        return state.with(state.slow.cleared());
    }
}
