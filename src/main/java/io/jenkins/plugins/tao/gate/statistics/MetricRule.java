package io.jenkins.plugins.tao.gate.statistics;

import java.util.OptionalDouble;

/**
 * Properties of a metric that its series is judged by. It converts between the metric's unit and the scale of comparison, on
 * which more is better.
 *
 * @param direction which values are good
 * @param range its bounds
 * @param noise the standard deviation of one replicate in the metric's unit, if known
 * @param minDrop the smallest drop that matters, in the metric's unit; 0 if every drop does
 */
public record MetricRule(Direction direction, MetricRange range, OptionalDouble noise, double minDrop) {
    /** {@code value} on the scale of comparison. */
    double scaled(double value) {
        return direction.oriented(range.scaled(value));
    }

    /** A value of the scale of comparison in the metric's unit. */
    public double unscaled(double scaled) {
        return range.unscaled(direction.oriented(scaled));
    }

    /** The length on the scale of comparison of a drop of {@code amount} (metric's unit) from {@code mean} (on the scale). */
    double scaledDrop(double mean, double amount) {
        return range == MetricRange.OPEN || amount == 0
                ? amount
                : mean - scaled(unscaled(mean) - direction.oriented(amount));
    }

    /** The replicates of {@code sample} as one run on the scale of comparison. */
    LevelRun run(Sample sample) {
        double[] values = sample.finite();
        for (int i = 0; i < values.length; i++) {
            values[i] = scaled(values[i]);
        }
        return new LevelRun(sample.label(), Numbers.mean(values), values.length, Numbers.squares(values), false);
    }
}
