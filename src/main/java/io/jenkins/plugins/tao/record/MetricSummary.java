package io.jenkins.plugins.tao.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.status.MetricPoint;
import java.util.AbstractList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One metric of one run. The curve is thinned to at most {@value #MOST} values, the first, the last {@value #LAST} and the extremes among them; all values are in
 * {@code series.csv}.
 *
 * @param last the last value, {@code NaN} and infinities included
 * @param lowest the smallest finite value
 * @param highest the greatest finite value
 * @param count how many values there were
 * @param notFinite how many of them were {@code NaN} or infinite
 * @param curve epochs and values in order; a value without an epoch has its place in the order instead
 */
public record MetricSummary(
        double last, OptionalDouble lowest, OptionalDouble highest, int count, int notFinite, List<Point> curve) {
    static final int MOST = 40;
    /** How many values at its end are kept. */
    private static final int LAST = 10;

    /** A value and its epoch. */
    public record Point(double epoch, double value) {}

    public MetricSummary {
        curve = curve instanceof ReadLater ? curve : List.copyOf(curve);
    }

    /** A curve that is read once it is asked for. */
    private static final class ReadLater extends AbstractList<Point> {
        private final int place;
        private final IntFunction<JsonNode> reader;
        private @Nullable List<Point> points;

        ReadLater(int place, IntFunction<JsonNode> reader) {
            this.place = place;
            this.reader = reader;
        }

        private synchronized List<Point> points() {
            if (points == null) {
                points = MetricSummary.points(reader.apply(place));
            }
            return points;
        }

        @Override
        public Point get(int index) {
            return points().get(index);
        }

        @Override
        public int size() {
            return points().size();
        }
    }

    /** The summary of the values of one metric; at least one. */
    static MetricSummary of(List<MetricPoint> points) {
        double[] finite = points.stream()
                .mapToDouble(MetricPoint::value)
                .filter(Double::isFinite)
                .toArray();
        List<Point> curve = new java.util.ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            curve.add(new Point(points.get(i).epoch().orElse(i), points.get(i).value()));
        }
        return new MetricSummary(
                points.get(points.size() - 1).value(),
                java.util.Arrays.stream(finite).min(),
                java.util.Arrays.stream(finite).max(),
                points.size(),
                points.size() - finite.length,
                thinned(curve));
    }

    private static List<Point> thinned(List<Point> all) {
        if (all.size() <= MOST) {
            return all;
        }
        java.util.NavigableSet<Integer> kept = new java.util.TreeSet<>(List.of(0, all.size() - 1));
        java.util.Comparator<Integer> byValue =
                java.util.Comparator.comparingDouble(i -> all.get(i).value());
        List<Integer> finite = java.util.stream.IntStream.range(0, all.size())
                .boxed()
                .filter(i -> Double.isFinite(all.get(i).value()))
                .toList();
        for (int i = 2; i <= LAST; i++) {
            kept.add(all.size() - i);
        }
        finite.stream().min(byValue).ifPresent(kept::add);
        finite.stream().max(byValue).ifPresent(kept::add);
        for (int i = 0; kept.size() < MOST && i < MOST; i++) {
            kept.add((int) ((long) i * (all.size() - 1) / (MOST - 1)));
        }
        return kept.stream().map(all::get).toList();
    }

    ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        put(node, "last", last);
        lowest.ifPresent(value -> put(node, "lowest", value));
        highest.ifPresent(value -> put(node, "highest", value));
        node.put("count", count);
        if (notFinite > 0) {
            node.put("notFinite", notFinite);
        }
        var points = node.putArray("curve");
        curve.forEach(point -> {
            var pair = points.addArray().add(point.epoch());
            if (Double.isFinite(point.value())) {
                pair.add(point.value());
            } else {
                pair.add(Double.toString(point.value()));
            }
        });
        return node;
    }

    private static List<Point> points(JsonNode pairs) {
        List<Point> curve = new java.util.ArrayList<>();
        pairs.forEach(pair -> curve.add(new Point(pair.path(0).asDouble(), number(pair.path(1)))));
        return curve;
    }

    /** The summary that {@code node} holds; {@code reader} reads the curve where it has a number in its place. */
    static MetricSummary of(JsonNode node, IntFunction<JsonNode> reader) {
        JsonNode curve = node.path("curve");
        return new MetricSummary(
                number(node.path("last")),
                optional(node.path("lowest")),
                optional(node.path("highest")),
                node.path("count").asInt(),
                node.path("notFinite").asInt(),
                curve.isNumber() ? new ReadLater(curve.intValue(), reader) : points(curve));
    }

    /** NaN and infinities are no JSON numbers: they are text. */
    public static void put(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, value);
        } else {
            node.put(name, Double.toString(value));
        }
    }

    private static double number(JsonNode node) {
        return switch (node.asText()) {
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> node.isNumber() ? node.doubleValue() : Double.NaN;
        };
    }

    private static OptionalDouble optional(JsonNode node) {
        return node.isNumber() ? OptionalDouble.of(node.doubleValue()) : OptionalDouble.empty();
    }
}
