package io.jenkins.plugins.tao.gate.statistics;

import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.TTest;

/**
 * Where a series changed its level, by the energy statistic of E-divisive (Matteson and James 2014, "A Nonparametric Approach for
 * Multiple Change Point Analysis of Multivariate Data") and Student's t.
 *
 * @param index the first value of the new level
 * @param energy the statistic of this split, the greatest of all splits
 * @param p the probability of such a difference of both means without a change
 * @param before the mean before
 * @param after the mean since
 */
public record ChangePoint(int index, double energy, double p, double before, double after) {
    private static final int LEAST = 2;
    /** Above it the place is not sure: "since about". */
    private static final double SURE = 0.001;

    /** The most likely change; empty for fewer than four values and for equal ones. */
    public static Optional<ChangePoint> in(double... series) {
        int best = 0;
        double energy = 0;
        for (int split = LEAST; split <= series.length - LEAST; split++) {
            double found = energy(series, split);
            if (found > energy) {
                energy = found;
                best = split;
            }
        }
        return best == 0 ? Optional.empty() : Optional.of(of(series, best, energy));
    }

    private static ChangePoint of(double[] series, int split, double energy) {
        double[] before = Arrays.copyOfRange(series, 0, split);
        double[] after = Arrays.copyOfRange(series, split, series.length);
        double p = Numbers.squares(before) + Numbers.squares(after) == 0
                ? 0
                : TTest.withDefaults()
                        .with(AlternativeHypothesis.TWO_SIDED)
                        .with(org.apache.commons.statistics.inference.DataDispersion.HOMOSCEDASTIC)
                        .test(before, after)
                        .getPValue();
        return new ChangePoint(split, energy, p, Numbers.mean(before), Numbers.mean(after));
    }

    /** Whether the place is sure enough to name it without "about". */
    public boolean sure() {
        return p < SURE;
    }

    private static double energy(double[] series, int split) {
        int n = split;
        int m = series.length - split;
        double between = 0;
        double left = 0;
        double right = 0;
        for (int i = 0; i < series.length; i++) {
            for (int j = i + 1; j < series.length; j++) {
                double distance = Math.abs(series[i] - series[j]);
                if (j < split) {
                    left += distance;
                } else if (i >= split) {
                    right += distance;
                } else {
                    between += distance;
                }
            }
        }
        double within = left * 2 / (n * (n - 1.0)) + right * 2 / (m * (m - 1.0));
        return n * m / (double) (n + m) * (2 * between / (n * (double) m) - within);
    }
}
