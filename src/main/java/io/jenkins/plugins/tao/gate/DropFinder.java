package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.statistics.BaselineStatistics;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.MetricRule;
import io.jenkins.plugins.tao.gate.statistics.Sample;
import io.jenkins.plugins.tao.gate.statistics.Series;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Finds by simulation which drops a rule notices in four of five cases: good runs, then runs that are worse by the drop. Pure. */
final class DropFinder {
    private static final int CASES = 200;
    private static final double FOUND = 0.8;
    private static final int MOST_WORSE_RUNS = 5;
    /** No rule misses a drop of so many spreads. */
    private static final double MOST_SPREADS = 200;

    private static final int STEPS = 13;

    private final MetricRule rule;
    private final BaselineStatistics usual;
    /** The chances of each case: of one run after another, one of each replicate. */
    private final double[][][] chances;

    /** For series like the one of which {@code usual} is known, with so many replicates in a run. */
    DropFinder(MetricRule rule, BaselineStatistics usual, int replicates) {
        this.rule = rule;
        this.usual = usual;
        SplittableRandom seed = new SplittableRandom(1);
        chances = new double[CASES][usual.runs() + MOST_WORSE_RUNS][Math.max(1, replicates)];
        for (double[][] runs : chances) {
            for (double[] run : runs) {
                Arrays.setAll(run, replicate -> seed.nextGaussian());
            }
        }
    }

    /**
     * The smallest drop, in the metric's unit, that is noticed within so many runs: one is noticed when it is suspect, several when one of
     * them is red.
     */
    double within(int runs) {
        double missed = 0;
        double noticed = Math.max(MOST_SPREADS * usual.scale(), 2 * usual.minDrop());
        for (int step = 0; step < STEPS; step++) {
            double middle = (missed + noticed) / 2;
            long cases = Arrays.stream(chances)
                    .filter(each -> isNoticed(each, middle, runs))
                    .count();
            if (cases >= FOUND * CASES) {
                noticed = middle;
            } else {
                missed = middle;
            }
        }
        return Math.abs(rule.unscaled(usual.mean()) - rule.unscaled(usual.mean() - noticed));
    }

    private boolean isNoticed(double[][] each, double drop, int runs) {
        Series series = new Series(rule);
        for (int run = 0; run < usual.runs() + runs; run++) {
            double mean = usual.mean() - (run < usual.runs() ? 0 : drop);
            double[] values = Arrays.stream(each[run])
                    .map(chance -> rule.unscaled(mean + chance * usual.scale()))
                    .toArray();
            GateResult result = series.add(Sample.of("", values)).orElseThrow().result();
            if (run >= usual.runs() && (result.bad() || (runs == 1 && result == GateResult.SUSPECT))) {
                return true;
            }
        }
        return false;
    }
}
