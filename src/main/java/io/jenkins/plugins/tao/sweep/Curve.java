package io.jenkins.plugins.tao.sweep;

import io.jenkins.plugins.tao.gate.statistics.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;

/** What a cell has told of one metric so far. */
final class Curve {
    private final List<Point> points = new ArrayList<>();
    private final TreeSet<Double> epochs = new TreeSet<>();

    private record Point(double epoch, double value) {}

    void add(double epoch, double value) {
        points.add(new Point(epoch, value));
        epochs.add(epoch);
    }

    boolean isEmpty() {
        return points.isEmpty();
    }

    /** Of how many epochs it has told a value, up to {@code epoch}. */
    int epochsUpTo(double epoch) {
        return epochs.headSet(epoch, true).size();
    }

    boolean reached(double epoch) {
        return !epochs.isEmpty() && epochs.last() >= epoch;
    }

    /** The epochs that it has told of, the last first. */
    Iterable<Double> latestFirst() {
        return epochs.descendingSet();
    }

    boolean lastIsNotFinite() {
        return !points.isEmpty()
                && !Double.isFinite(points.get(points.size() - 1).value());
    }

    double lastEpoch() {
        return epochs.isEmpty() ? 0 : epochs.last();
    }

    /** The best value up to {@code epoch}; empty when there was no finite one. */
    OptionalDouble best(Direction direction, double epoch) {
        return points.stream()
                .filter(point -> point.epoch() <= epoch && Double.isFinite(point.value()))
                .mapToDouble(point -> direction == Direction.HIGHER ? point.value() : -point.value())
                .max()
                .stream()
                .map(best -> direction == Direction.HIGHER ? best : -best)
                .findFirst();
    }
}
