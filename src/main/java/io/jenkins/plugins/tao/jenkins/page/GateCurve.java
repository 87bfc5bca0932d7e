package io.jenkins.plugins.tao.jenkins.page;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Small line of the last values of a gate: points of an SVG of 120 by 28, in which higher values are further up. One value far from all
 * others is drawn at the edge, so that it does not flatten the rest.
 */
public final class GateCurve {
    private static final double WIDTH = 120;
    private static final double HEIGHT = 28;
    /** Room for the dot of the newest value. */
    private static final double EDGE = 3;

    private final double[] values;
    private final double low;
    private final double high;
    private final OptionalDouble limit;

    GateCurve(List<Double> values, OptionalDouble limit) {
        this.values = values.stream()
                .mapToDouble(Double::doubleValue)
                .filter(Double::isFinite)
                .toArray();
        this.limit = limit;
        double[] sorted = DoubleStream.of(this.values).sorted().toArray();
        int tenth = sorted.length / 10;
        double[] common = DoubleStream.concat(
                        limit.stream(), DoubleStream.of(sorted).skip(tenth).limit(sorted.length - 2L * tenth))
                .sorted()
                .toArray();
        double least = common.length == 0 ? 0 : common[0];
        double most = common.length == 0 ? 0 : common[common.length - 1];
        double beyond = (most - least) / 2;
        low = sorted.length == 0 ? least : Math.max(least - beyond, Math.min(least, sorted[0]));
        high = sorted.length == 0 ? most : Math.min(most + beyond, Math.max(most, sorted[sorted.length - 1]));
    }

    /** Whether there are values enough for a line. */
    public boolean isDrawn() {
        return values.length > 1;
    }

    /** The points of the line, as SVG writes them. */
    public String getLine() {
        double step = (WIDTH - 2 * EDGE) / Math.max(1, values.length - 1);
        return IntStream.range(0, values.length)
                .mapToObj(i -> text(EDGE + i * step) + "," + y(values[i]))
                .collect(Collectors.joining(" "));
    }

    /** The place of the newest value from the top. */
    public String getLast() {
        return y(values[values.length - 1]);
    }

    /** The place of the limit from the top; empty where there is none. */
    public String getLimit() {
        return limit.isEmpty() ? "" : y(limit.getAsDouble());
    }

    private String y(double value) {
        double part = high > low ? (Math.max(low, Math.min(high, value)) - low) / (high - low) : 0.5;
        return text(HEIGHT - EDGE - part * (HEIGHT - 2 * EDGE));
    }

    private static String text(double place) {
        return String.format(Locale.ROOT, "%.1f", place);
    }
}
