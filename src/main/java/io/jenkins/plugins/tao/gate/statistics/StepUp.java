package io.jenkins.plugins.tao.gate.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Sure upward step at the end of a level: the newest runs, at least 4, are above those before them with p below 1e-5 by
 * Student's one-sided t. It begins a new level, so that a fall back to the old one is noticed.
 *
 * @param runs how many runs the new level has
 * @param spread the spread of one run, pooled from before and after the step
 */
record StepUp(int runs, KeptSpread spread) {
    private static final int LEAST = 4;
    private static final int MOST = BaselineStatistics.WINDOW;
    private static final double SURE = 1e-5;
    /** Before outliers are dropped, a step must be this many standard errors high to be looked at. */
    private static final double LIKELY = 3;

    /** The most likely step in {@code level}; empty where it is not sure. */
    static Optional<StepUp> in(Level level) {
        List<LevelRun> runs = level.runs();
        if (runs.size() < 2 * LEAST) {
            return Optional.empty();
        }
        double[] values = new double[Math.min(runs.size(), 2 * MOST)];
        for (int i = 0; i < values.length; i++) {
            values[i] = runs.get(runs.size() - values.length + i).value();
        }
        int count = likely(values);
        return count == 0 ? Optional.empty() : sure(values, values.length - count, level.kept());
    }

    /** How many of the newest values are a level of their own most likely; 0 for none. */
    private static int likely(double[] values) {
        double mean = Numbers.mean(values);
        double squares = Numbers.squares(values);
        double best = LIKELY * LIKELY;
        int found = 0;
        double above = 0; // the newest values' sum of the distances from the mean
        for (int count = 1; count <= Math.min(MOST, values.length - LEAST); count++) {
            above += values[values.length - count] - mean;
            double between = above * above * values.length / (count * (double) (values.length - count));
            double squaredT = (values.length - 2) * between / Math.max(squares - between, Double.MIN_NORMAL);
            if (above > 0 && squaredT > best) {
                best = squaredT;
                found = count;
            }
        }
        // The best place of a shorter step is no place of this one: with a run of the old level the new one would seem
        // to swing.
        return found < LEAST ? 0 : found;
    }

    private static Optional<StepUp> sure(double[] values, int at, Optional<KeptSpread> kept) {
        double[] later = Arrays.copyOfRange(values, at, values.length);
        double[] earlier = BaselineStatistics.clean(Arrays.copyOfRange(values, 0, at));
        double squares = Numbers.squares(later)
                + Numbers.squares(earlier)
                + kept.map(KeptSpread::squares).orElse(0.0);
        int degrees = later.length
                + earlier.length
                - 2
                + kept.map(KeptSpread::degrees).orElse(0);
        double deviation = Math.sqrt(squares / degrees);
        double error = deviation * Math.sqrt(1.0 / later.length + 1.0 / earlier.length);
        double rise = Numbers.mean(later) - Numbers.mean(earlier);
        boolean sure = error > 0 && TDistribution.of(degrees).survivalProbability(rise / error) < SURE;
        return sure
                ? Optional.of(
                        new StepUp(later.length, new KeptSpread(deviation, Math.min(degrees, KeptSpread.MOST_DEGREES))))
                : Optional.empty();
    }
}
