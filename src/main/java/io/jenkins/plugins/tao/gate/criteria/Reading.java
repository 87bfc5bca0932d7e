package io.jenkins.plugins.tao.gate.criteria;

import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.record.MetricSummary;
import io.jenkins.plugins.tao.record.MetricSummary.Point;
import java.util.OptionalDouble;

/** Which number of a metric's curve counts. */
public sealed interface Reading {
    /** The last value. */
    record Last() implements Reading {}

    /** The best value, by the metric's direction. */
    record Best() implements Reading {}

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

    /** Why there is no number, such as {@code #20 never reached val_mAP50 0.4; its best was 0.35.} */
    default String lacking(String run, String name, MetricSummary metric, Direction direction) {
        OptionalDouble best = best(metric, direction);
        if (best.isPresent() && this instanceof EpochsTo goal) {
            return run + " never reached " + name + " " + Words.apart(goal.value(), best.getAsDouble())
                    + "; its best was " + Words.apart(best.getAsDouble(), goal.value()) + ".";
        }
        return "no value of '" + name + "' of " + run + " is a number.";
    }

    /** The direction of the number, where {@code metric} is that of the metric. */
    default Direction direction(Direction metric) {
        return this instanceof Last || this instanceof Best ? metric : Direction.LOWER;
    }

    /** What it is called before the metric's name; empty for the last value. */
    default String words() {
        if (this instanceof EpochsTo goal) {
            return "epochs until " + Words.number(goal.value()) + " of ";
        }
        if (this instanceof Best) {
            return "best ";
        }
        if (this instanceof Divergence) {
            return "divergence of ";
        }
        return this instanceof NotFinite ? "values that are not a number of " : "";
    }
}
