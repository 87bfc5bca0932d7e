package io.jenkins.plugins.tao.gate.statistics;

import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Factors k of the limit {@code mean - k * scale}: a good run is below it once in 200 runs. Up to 7 runs, and with a kept
 * spread, they are exact: Student's t for one more value, {@code k = t(0.995, degrees) * sqrt(1 + 1/n)} (Hahn and Meeker 1991,
 * "Statistical Intervals", section 4.7). From 8 runs on outliers are dropped, which narrows the spread: these are simulated.
 */
final class LimitFactors {
    private static final double TAIL = 0.005;
    /** After a single run, whose distance from its level is not known at all, a good run is below the limit once in 100 runs. */
    private static final double TAIL_OF_ONE = 0.01;
    /** For 2 to 20 runs. */
    private static final double[] PLAIN = {
        77.97, 11.46, 6.53, 5.04, 4.36, 3.96, 4.56, 4.17, 3.71, 3.59, 3.39, 3.31, 3.20, 3.17, 3.10, 3.06, 3.02, 2.99,
        2.96
    };
    /** For 3 to 20 runs, where the noise of a replicate is known. */
    private static final double[] WITH_NOISE = {
        3.09, 3.02, 2.99, 2.96, 2.94, 2.99, 2.97, 2.94, 2.94, 2.90, 2.89, 2.87, 2.87, 2.84, 2.84, 2.83, 2.82, 2.81
    };

    private static final int LEAST_WITH_NOISE = 3;
    private static final double[][] EXACT = exact();

    private LimitFactors() {}

    private static double[][] exact() {
        double[][] table = new double[KeptSpread.MOST_DEGREES + BaselineStatistics.WINDOW][];
        for (int degrees = 1; degrees < table.length; degrees++) {
            TDistribution distribution = TDistribution.of(degrees);
            double t = -distribution.inverseCumulativeProbability(TAIL);
            table[degrees] = new double[BaselineStatistics.WINDOW + 1];
            for (int runs = 2; runs <= BaselineStatistics.WINDOW; runs++) {
                table[degrees][runs] = t * Math.sqrt(1 + 1.0 / runs);
            }
            table[degrees][1] = -distribution.inverseCumulativeProbability(TAIL_OF_ONE) * Math.sqrt(2);
        }
        return table;
    }

    /** For at least 2 runs of which nothing else is known. */
    static double plain(int runs) {
        return PLAIN[Math.min(runs - 2, PLAIN.length - 1)];
    }

    /** For at least 1 run with known noise of a replicate. */
    static double withNoise(int runs, int degrees) {
        return runs < LEAST_WITH_NOISE
                ? exact(runs, degrees)
                : WITH_NOISE[Math.min(runs - LEAST_WITH_NOISE, WITH_NOISE.length - 1)];
    }

    /** For 1 to 20 runs and a spread of so many degrees of freedom. */
    static double exact(int runs, int degrees) {
        return EXACT[Math.min(degrees, EXACT.length - 1)][Math.min(runs, BaselineStatistics.WINDOW)];
    }
}
