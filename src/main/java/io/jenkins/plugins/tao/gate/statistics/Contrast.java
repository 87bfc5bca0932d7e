package io.jenkins.plugins.tao.gate.statistics;

import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.TTest;

/**
 * How two groups of runs differ, such as the seeds of two nights: size, interval and probability. A difference is {@code after} minus
 * {@code before}.
 *
 * @param before how many runs came first
 * @param after how many came then
 * @param difference the difference of the means
 * @param low the lower end of its 95 % interval by Welch's t
 * @param high the upper end
 * @param welchP the probability of such a difference without a change, by Welch's t, two-sided
 */
public record Contrast(int before, int after, double difference, double low, double high, double welchP) {
    private static final double TAIL_OF_95 = 0.025;
    private static final int LEAST_FOR_T = 2;

    /** Compares two groups; each needs a value, and two give an interval. */
    public static Contrast of(double[] before, double[] after) {
        double difference = Numbers.mean(after) - Numbers.mean(before);
        boolean spread = Numbers.squares(before) + Numbers.squares(after) > 0;
        if (before.length < LEAST_FOR_T || after.length < LEAST_FOR_T || !spread) {
            return new Contrast(before.length, after.length, difference, Double.NaN, Double.NaN, Double.NaN);
        }
        TTest.Result welch = welch(before, after, AlternativeHypothesis.TWO_SIDED);
        double half = -TDistribution.of(welch.getDegreesOfFreedom()).inverseCumulativeProbability(TAIL_OF_95)
                * Math.abs(difference / welch.getStatistic());
        return new Contrast(
                before.length, after.length, difference, difference - half, difference + half, welch.getPValue());
    }

    static TTest.Result welch(double[] before, double[] after, AlternativeHypothesis hypothesis) {
        return TTest.withDefaults().with(hypothesis).test(after, before);
    }

    /** The smallest probability that a rank test can give for so many runs, two-sided: above 0.05 it can say nothing. */
    public double smallestRankP() {
        double orders = 1;
        for (int i = 1; i <= after; i++) {
            orders = orders * (before + i) / i;
        }
        return Math.min(1, 2 / orders);
    }
}
