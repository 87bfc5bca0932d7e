package io.jenkins.plugins.tao.gate.criteria;

import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.Numbers;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.record.MetricSummary;
import io.jenkins.plugins.tao.record.MetricSummary.Point;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Which number of a metric's curve counts. */
public sealed interface Reading {
    /** Steps of the epoch that are no longer than this have no value between them. */
    double LITTLE_MORE = 1.5;

    /** The last value. */
    record Last() implements Reading {}

    /** The best value, by the metric's direction. */
    record Best() implements Reading {}

    /** The mean, or the median, of the last values. */
    record OfLast(int count, boolean median) implements Reading {}

    /** How many epochs it took until the metric was at least as good as this; fewer are better. */
    record EpochsTo(double value) implements Reading {}

    /** How far the last value is from the best, as a part of the best; less is better. */
    record Divergence() implements Reading {}

    /** How many values were not a number; fewer are better. */
    record NotFinite() implements Reading {}

    /** The number; empty when the curve has none: the value was never reached. */
    default OptionalDouble of(MetricSummary metric, Direction direction) {
        if (this instanceof Best) {
            return best(metric, direction);
        }
        if (this instanceof OfLast last) {
            double[] values = last(metric, last.count());
            return values.length == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(last.median() ? Numbers.median(values) : Numbers.mean(values));
        }
        if (this instanceof EpochsTo goal) {
            return epochsTo(metric, direction, goal.value());
        }
        if (this instanceof Divergence) {
            OptionalDouble best = best(metric, direction);
            return best.isEmpty()
                    ? best
                    : OptionalDouble.of(Math.abs(metric.last() - best.getAsDouble())
                            / Math.max(Math.abs(best.getAsDouble()), Double.MIN_NORMAL));
        }
        return OptionalDouble.of(this instanceof NotFinite ? metric.notFinite() : metric.last());
    }

    private static OptionalDouble best(MetricSummary metric, Direction direction) {
        return direction == Direction.HIGHER ? metric.highest() : metric.lowest();
    }

    /** The last values; empty where there are fewer, or where the thinned curve lacks some of them. A value that is not a number makes the result not a number. */
    private static double[] last(MetricSummary metric, int count) {
        List<Point> curve = metric.curve();
        if (curve.size() < Math.max(count, 1)) {
            return new double[0];
        }
        List<Point> last = curve.subList(curve.size() - count, curve.size());
        boolean whole = curve.size() == metric.count();
        double step = (last.get(count - 1).epoch() - curve.get(0).epoch()) / (metric.count() - 1);
        for (int i = 1; i < count && !whole; i++) {
            if (last.get(i).epoch() - last.get(i - 1).epoch() > LITTLE_MORE * step) {
                return new double[0];
            }
        }
        double[] values = last.stream().mapToDouble(Point::value).toArray();
        return Arrays.stream(values).allMatch(Double::isFinite) ? values : new double[] {Double.NaN};
    }

    private static OptionalDouble epochsTo(MetricSummary metric, Direction direction, double goal) {
        int count = 0;
        for (Point point : metric.curve()) {
            if (direction.oriented(point.value()) >= direction.oriented(goal)) {
                return OptionalDouble.of(metric.curve().size() == metric.count() ? count + 1 : point.epoch() + 1);
            }
            count++;
        }
        return OptionalDouble.empty();
    }

    /** Why there is no number: {@code #20 never reached val_mAP50 0.4; its best was 0.35.}. */
    default String lacking(String run, String name, MetricSummary metric, Direction direction) {
        OptionalDouble best = best(metric, direction);
        if (best.isPresent() && this instanceof EpochsTo goal) {
            return run + " never reached " + name + " " + Words.apart(goal.value(), best.getAsDouble())
                    + "; its best was " + Words.apart(best.getAsDouble(), goal.value()) + ".";
        }
        if (this instanceof OfLast last) {
            return metric.count() < last.count()
                    ? run + " has " + Sentences.count(metric.count(), "value") + " of " + name + ", fewer than "
                            + last.count() + "."
                    : "the record of " + run + " does not keep the last " + last.count() + " of its " + metric.count()
                            + " values of " + name + ".";
        }
        return "no value of '" + name + "' of " + run + " is a number.";
    }

    /** Whether the number is one of the metric itself: with its direction, range and unit. */
    default boolean ofMetric() {
        return this instanceof Last || this instanceof Best || this instanceof OfLast;
    }

    /** The direction of the number, where {@code metric} is that of the metric. */
    default Direction direction(Direction metric) {
        return ofMetric() ? metric : Direction.LOWER;
    }

    /** What it is called before the metric's name; empty for the last value. */
    default String words() {
        if (this instanceof EpochsTo goal) {
            return "epochs until " + Words.number(goal.value()) + " of ";
        }
        if (this instanceof Best) {
            return "best ";
        }
        if (this instanceof OfLast last) {
            return (last.median() ? "median" : "mean") + " of last " + last.count() + " ";
        }
        if (this instanceof Divergence) {
            return "divergence of ";
        }
        return this instanceof NotFinite ? "values that are not a number of " : "";
    }
}
