package io.jenkins.plugins.tao.gate.statistics;

import java.util.Arrays;

/** Means, spreads and medians of a few numbers. */
public final class Numbers {
    /** Makes the median absolute deviation of normal numbers their standard deviation. */
    static final double MAD_TO_SD = 1.4826;

    private Numbers() {}

    /** The mean, as the mean of the differences from the first value: equal values have exactly that value as theirs. */
    public static double mean(double... values) {
        double sum = 0;
        for (double value : values) {
            sum += value - values[0];
        }
        return values[0] + sum / values.length;
    }

    /** The sum of the squared distances from the mean. */
    static double squares(double... values) {
        double mean = mean(values);
        return Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
    }

    /** The standard deviation of a sample, with n − 1; 0 for one value. */
    public static double deviation(double... values) {
        return values.length < 2 ? 0 : Math.sqrt(squares(values) / (values.length - 1));
    }

    public static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The median absolute deviation, scaled to a standard deviation. */
    public static double scaledMad(double... values) {
        double median = median(values);
        return MAD_TO_SD
                * median(Arrays.stream(values)
                        .map(value -> Math.abs(value - median))
                        .toArray());
    }
}
