package io.jenkins.plugins.tao.gate.statistics;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.MannWhitneyUTest;
import org.apache.commons.statistics.inference.PValueMethod;
import org.apache.commons.statistics.inference.TTest;

/**
 * How two groups of runs differ, such as the seeds of two nights: size, interval and probability. A difference is {@code after} minus
 * {@code before}. The rank test is exact while there are few and different values.
 *
 * @param before how many runs came first
 * @param after how many came then
 * @param difference the difference of the means
 * @param low the lower end of its 95 % interval by Welch's t
 * @param high the upper end
 * @param welchP the probability of such a difference without a change, by Welch's t, two-sided
 * @param rankU the statistic of Mann and Whitney for {@code after}
 * @param rankP its probability, two-sided
 * @param shift the median of all pairwise differences, by Hodges and Lehmann
 * @param cohen the difference in pooled standard deviations; infinite where there is no spread
 * @param cliff how much more often a later run is greater than smaller, -1 to 1
 */
public record Contrast(
        int before,
        int after,
        double difference,
        double low,
        double high,
        double welchP,
        double rankU,
        double rankP,
        double shift,
        double cohen,
        double cliff) {
    private static final double TAIL_OF_95 = 0.025;
    private static final int LEAST_FOR_T = 2;

    /** Compares two groups; each needs a value, and two give an interval. */
    public static Contrast of(double[] before, double[] after) {
        double difference = Numbers.mean(after) - Numbers.mean(before);
        double[] interval = {Double.NaN, Double.NaN};
        double welchP = Double.NaN;
        if (before.length >= LEAST_FOR_T && after.length >= LEAST_FOR_T && spread(before, after) > 0) {
            TTest.Result welch = welch(before, after, AlternativeHypothesis.TWO_SIDED);
            welchP = welch.getPValue();
            double half = -TDistribution.of(welch.getDegreesOfFreedom()).inverseCumulativeProbability(TAIL_OF_95)
                    * Math.abs(difference / welch.getStatistic());
            interval = new double[] {difference - half, difference + half};
        }
        MannWhitneyUTest.Result ranks = ranks(before, after, AlternativeHypothesis.TWO_SIDED);
        double[] pairs = pairs(before, after);
        double greater = Arrays.stream(pairs).map(Math::signum).sum();
        return new Contrast(
                before.length,
                after.length,
                difference,
                interval[0],
                interval[1],
                welchP,
                ranks.getStatistic(),
                ranks.getPValue(),
                Numbers.median(pairs),
                difference / Math.sqrt(spread(before, after)),
                greater / pairs.length);
    }

    static TTest.Result welch(double[] before, double[] after, AlternativeHypothesis hypothesis) {
        return TTest.withDefaults().with(hypothesis).test(after, before);
    }

    static MannWhitneyUTest.Result ranks(double[] before, double[] after, AlternativeHypothesis hypothesis) {
        boolean ties = Arrays.stream(pairs(before, after)).anyMatch(pair -> pair == 0);
        return MannWhitneyUTest.withDefaults()
                .with(hypothesis)
                .with(ties ? PValueMethod.ASYMPTOTIC : PValueMethod.AUTO)
                .test(after, before);
    }

    /** The smallest probability that the rank test can give for so many runs, two-sided: above 0.05 it can say nothing. */
    public double smallestRankP() {
        double orders = 1;
        for (int i = 1; i <= after; i++) {
            orders = orders * (before + i) / i;
        }
        return Math.min(1, 2 / orders);
    }

    /** Cohen's d corrected for few runs, by Hedges. */
    public double hedges() {
        int free = before + after - 2;
        return cohen * (1 - 3.0 / (4.0 * free - 1));
    }

    /** The pooled variance. */
    private static double spread(double[] before, double[] after) {
        int free = before.length + after.length - 2;
        return free < 1 ? 0 : (Numbers.squares(before) + Numbers.squares(after)) / free;
    }

    private static double[] pairs(double[] before, double[] after) {
        return Arrays.stream(after)
                .flatMap(late -> Arrays.stream(before).map(early -> late - early))
                .toArray();
    }
}
