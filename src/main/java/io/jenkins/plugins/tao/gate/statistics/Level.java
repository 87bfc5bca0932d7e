package io.jenkins.plugins.tao.gate.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The level of a series before tonight and how far a night may fall below it. Values are oriented: more is better.
 *
 * @param nights how many nights it is made of, before outliers were dropped
 * @param mean the mean of the nights that were kept
 * @param deviation their standard deviation
 * @param scale the standard deviation of one night that is expected; from {@code deviation} and from the noise of single runs
 * @param k how many times {@code scale} a good night falls below the mean in 1 of 200 nights
 * @param minDrop the smallest drop that matters
 * @param runs the runs of tonight
 */
public record Level(int nights, double mean, double deviation, double scale, double k, double minDrop, int runs) {
    /** Nights that are needed when the noise of a run is not known. */
    public static final int LEAST = 5;

    /** Nights that are needed when it is. */
    static final int LEAST_WITH_NOISE = 3;

    /** From this many nights on, outliers are dropped. */
    static final int CLEANED_FROM = 8;

    private static final double OUTLIER = 5;
    private static final int NOISE_WEIGHT = 6;
    private static final double POWER_80 = 0.84;
    /** For 5 to 20 nights: to 7 exact by Student's t, then simulated with the cleaning, 0.5 % each; see docs/gates.md. */
    private static final double[] PLAIN = {
        5.04, 4.36, 3.96, 4.56, 4.17, 3.71, 3.59, 3.39, 3.31, 3.20, 3.17, 3.10, 3.06, 3.02, 2.99, 2.96
    };
    /** For 3 to 20 nights. */
    private static final double[] WITH_NOISE = {
        3.09, 3.02, 2.99, 2.96, 2.94, 2.99, 2.97, 2.94, 2.94, 2.90, 2.89, 2.87, 2.87, 2.84, 2.84, 2.83, 2.82, 2.81
    };

    /** What a person declared of a metric: the noise of one run, if known, and the smallest drop that matters. */
    public record Declared(OptionalDouble noise, double minDrop) {
        public static final Declared NOTHING = new Declared(OptionalDouble.empty(), 0);
    }

    /** How many nights are needed. */
    static int least(OptionalDouble noise) {
        return noise.isPresent() ? LEAST_WITH_NOISE : LEAST;
    }

    /**
     * The level of some nights.
     *
     * @param nights the runs of each of them, oriented, finite; at least {@link #least} nights
     * @param noise the standard deviation of one run, declared or measured within nights
     * @param runs the runs of tonight
     */
    static Level of(List<double[]> nights, OptionalDouble noise, double minDrop, int runs) {
        double[] means = nights.stream().mapToDouble(Numbers::mean).toArray();
        double[] kept = clean(means);
        double mean = Numbers.mean(kept);
        double deviation = Numbers.deviation(kept);
        double scale = deviation;
        if (noise.isPresent()) {
            double ofNight = noise.getAsDouble() * noise.getAsDouble() / runs;
            int free = kept.length - 1;
            scale = Math.sqrt((NOISE_WEIGHT * ofNight + free * deviation * deviation) / (NOISE_WEIGHT + free));
        }
        double[] table = noise.isPresent() ? WITH_NOISE : PLAIN;
        int at = means.length - least(noise);
        return new Level(means.length, mean, deviation, scale, table[Math.min(at, table.length - 1)], minDrop, runs);
    }

    /** The pooled standard deviation of the runs within a night; empty while there are fewer than six spare runs. */
    static OptionalDouble noiseWithin(List<double[]> nights) {
        int spare = nights.stream().mapToInt(runs -> runs.length - 1).sum();
        double squares = nights.stream().mapToDouble(Numbers::squares).sum();
        return spare < NOISE_WEIGHT ? OptionalDouble.empty() : OptionalDouble.of(Math.sqrt(squares / spare));
    }

    /** Without the nights that are far from the median; all of them when there are few, or when most are equal. */
    private static double[] clean(double... means) {
        double spread = Numbers.scaledMad(means);
        if (means.length < CLEANED_FROM || spread == 0) {
            return means;
        }
        double median = Numbers.median(means);
        return Arrays.stream(means)
                .filter(value -> Math.abs(value - median) <= OUTLIER * spread)
                .toArray();
    }

    /** Whether nothing can be said: all nights were equal, and no drop that matters is given. */
    boolean flat() {
        return scale == 0 && minDrop == 0;
    }

    private double drop() {
        return Math.max(k * scale, minDrop);
    }

    /** A night below it is suspect. */
    public double limit() {
        return mean - drop();
    }

    /** A night above it is better than usual. */
    public double upperLimit() {
        return mean + drop();
    }

    /** A confirming run below it makes a suspect night a regression: half of the limit for one run. */
    public double confirmLimit() {
        return mean - Math.max(k * scale * Math.sqrt(runs) / 2, minDrop / 2);
    }

    /** The smallest drop that would be noticed in four of five nights. */
    public double reach() {
        return Math.max((k + POWER_80) * scale, minDrop);
    }

    /** How many expected standard deviations {@code value} is below the mean. */
    public double distance(double value) {
        return (mean - value) / scale;
    }
}
