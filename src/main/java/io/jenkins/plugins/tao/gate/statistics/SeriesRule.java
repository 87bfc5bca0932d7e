package io.jenkins.plugins.tao.gate.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Rule of a metric without a given bound: from the state of a series and its next run to an answer. A run is compared with the
 * level; a suspect one is confirmed by a recheck or by the next run; small drops are summed up; a regression stays red until it
 * is fixed. Pure. Its rates are in docs/benchmarks.md.
 */
record SeriesRule(MetricRule metric) {
    /** The answer for the next run; its {@link EvaluatedSample#state} is that of the run after it. */
    EvaluatedSample next(SeriesState state, Sample sample) {
        if (!sample.valid()) {
            GateResult result = sample.notANumber() ? GateResult.FAILED : GateResult.NO_VERDICT;
            return new EvaluatedSample(
                    sample, result, OptionalDouble.empty(), Optional.empty(), state, 0, state.lastGood(), false);
        }
        LevelRun run = metric.run(sample);
        return state.regression().isPresent()
                ? latched(state, state.regression().get().with(run), sample, run)
                : watched(state, sample, run);
    }

    private EvaluatedSample latched(SeriesState state, Regression regression, Sample sample, LevelRun run) {
        Optional<BaselineStatistics> reference = Optional.of(regression.reference());
        return regression.over()
                ? answer(sample, run, GateResult.PASS, reference, state, state.recovered(regression))
                : answer(sample, run, GateResult.REGRESSION, reference, state, state.with(regression));
    }

    private EvaluatedSample watched(SeriesState before, Sample sample, LevelRun run) {
        Optional<BaselineStatistics> baseline = before.level().baseline(metric, run.replicates());
        GateResult result =
                baseline.map(known -> compare(known, before, sample, run)).orElse(GateResult.NO_VERDICT);
        double counted = result == GateResult.NOT_CONFIRMED ? withRerun(run, sample) : run.value();
        SeriesState state =
                before.with(before.slow().take(counted, before.level().kept()));
        if (state.slow().alarms() && !result.bad()) {
            result = slowResult(state, sample, run, result);
            state = result == GateResult.NOT_CONFIRMED ? state.with(state.slow().cleared()) : state;
        }
        return answer(sample, run, result, baseline, state, settle(state, result, run));
    }

    private EvaluatedSample answer(
            Sample sample,
            LevelRun run,
            GateResult result,
            Optional<BaselineStatistics> baseline,
            SeriesState with,
            SeriesState after) {
        boolean open = with.regression().isEmpty() && (result.bad() || result == GateResult.SUSPECT);
        boolean recheck = open && usable(sample).isEmpty();
        OptionalDouble value = OptionalDouble.of(metric.unscaled(run.value()));
        String lastGood = after.regression().isPresent() ? after.lastGood() : with.lastGood();
        return new EvaluatedSample(
                sample, result, value, baseline, after, with.slow().sum(), lastGood, recheck);
    }

    private GateResult compare(BaselineStatistics baseline, SeriesState state, Sample sample, LevelRun run) {
        if (run.value() >= baseline.limit()) {
            return run.value() > baseline.upperLimit() ? GateResult.BETTER : GateResult.PASS;
        }
        Optional<Sample.Recheck> recheck = usable(sample);
        if (recheck.isPresent()) {
            return confirms(recheck.get(), baseline.mean(), baseline.confirmDrop())
                    ? GateResult.REGRESSION
                    : GateResult.NOT_CONFIRMED;
        }
        boolean red = run.value() < baseline.atOnceLimit() || state.suspect().isPresent();
        return red ? GateResult.REGRESSION : GateResult.SUSPECT;
    }

    private static Optional<Sample.Recheck> usable(Sample sample) {
        return sample.recheck().filter(Sample.Recheck::usable);
    }

    /** A rerun must be bad itself; beside the last good version, it must be worse than that. */
    private boolean confirms(Sample.Recheck recheck, double mean, double drop) {
        double rerun = metric.scaled(recheck.rerun());
        double good = recheck.lastGood().isPresent()
                ? metric.scaled(recheck.lastGood().getAsDouble())
                : mean;
        return rerun < good - drop;
    }

    /** A run that its rerun contradicts counts half: one outlier must not begin a slow drop. */
    private double withRerun(LevelRun run, Sample sample) {
        return usable(sample)
                .map(recheck -> (run.value() + metric.scaled(recheck.rerun())) / 2)
                .orElse(run.value());
    }

    /** The answer where the sum of small drops is beyond its limit and the run alone is not red. */
    private GateResult slowResult(SeriesState state, Sample sample, LevelRun run, GateResult alone) {
        Optional<BaselineStatistics> before = state.beforeDrop().level().baseline(metric, run.replicates());
        if (before.isEmpty()) {
            return alone;
        }
        double mean = before.get().mean();
        double drop = mean
                - slowRuns(state, run).stream()
                        .mapToDouble(LevelRun::value)
                        .average()
                        .orElse(mean);
        if (drop < before.get().minDrop()) {
            return alone;
        }
        return usable(sample)
                        .filter(recheck -> !confirms(recheck, mean, drop / 2))
                        .isPresent()
                ? GateResult.NOT_CONFIRMED
                : GateResult.SLOW_REGRESSION;
    }

    /** The runs that the sum of small drops is made of, the newest among them. */
    private static List<LevelRun> slowRuns(SeriesState state, LevelRun run) {
        List<LevelRun> level = state.level().runs();
        int kept = state.beforeDrop().level().runs().size();
        List<LevelRun> bad = new ArrayList<>(level.subList(kept, level.size()));
        state.suspect().ifPresent(bad::add);
        bad.add(run);
        return bad;
    }

    private SeriesState settle(SeriesState state, GateResult result, LevelRun run) {
        if (result == GateResult.SUSPECT) {
            return state.suspecting(run);
        }
        return result.bad() ? regress(state, result, run) : state.accept(run);
    }

    private SeriesState regress(SeriesState state, GateResult result, LevelRun run) {
        List<LevelRun> bad = new ArrayList<>();
        if (result == GateResult.SLOW_REGRESSION) {
            bad.addAll(slowRuns(state, run));
        } else {
            state.suspect().ifPresent(bad::add);
            bad.add(run);
        }
        SeriesState frozen = state.beforeDrop();
        BaselineStatistics reference = frozen.level()
                .baseline(metric, run.replicates())
                .or(() -> state.level().baseline(metric, run.replicates()))
                .orElseThrow();
        Regression.Began began = RegressionStart.of(state, bad);
        List<LevelRun> held = new ArrayList<>(slowRuns(state, run));
        held.removeIf(each -> each.value() < reference.limit());
        return frozen.with(Regression.of(began, reference, bad, held));
    }
}
