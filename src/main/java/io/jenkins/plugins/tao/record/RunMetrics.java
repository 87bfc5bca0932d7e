package io.jenkins.plugins.tao.record;

import io.jenkins.plugins.tao.status.MetricPoint;
import io.jenkins.plugins.tao.status.StatusSeries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * The metrics of one run, of all its {@code status.json}. A name that two of them use, as a training and its evaluation may, gets the
 * folder behind it: {@code mIoU [evaluate]}.
 */
public final class RunMetrics {
    /** The name of the series in the folder of a run. */
    public static final String FILE = "series.csv";

    /** The metric with the time of each epoch, in seconds. */
    public static final String EPOCH_TIME = StatusSeries.EPOCH_TIME;

    private final Map<String, List<MetricPoint>> series = new LinkedHashMap<>();
    private final Set<String> unreadable = new TreeSet<>();

    private RunMetrics() {}

    /** Reads the metrics of a job that was submitted at {@code submitted}. */
    static RunMetrics of(Map<String, List<String>> statuses, Instant submitted) {
        Map<String, List<MetricPoint>> byFolder = new LinkedHashMap<>();
        RunMetrics metrics = new RunMetrics();
        statuses.forEach((folder, lines) -> {
            StatusSeries reader = new StatusSeries(submitted);
            lines.forEach(reader::take);
            byFolder.put(folder, reader.points());
            metrics.unreadable.addAll(reader.unreadable());
        });
        Map<String, Set<String>> folders = new LinkedHashMap<>();
        byFolder.forEach((folder, points) -> points.forEach(point ->
                folders.computeIfAbsent(point.metric(), name -> new TreeSet<>()).add(folder)));
        byFolder.forEach((folder, points) -> points.forEach(point -> {
            boolean twice = folders.getOrDefault(point.metric(), Set.of()).size() > 1;
            String name = twice ? point.metric() + " [" + (folder.isEmpty() ? "." : folder) + "]" : point.metric();
            metrics.series.computeIfAbsent(name, unused -> new ArrayList<>()).add(point);
        }));
        return metrics;
    }

    /** The metrics of all members of an array, each with its member behind it: {@code mIoU [3]}, {@code mIoU [3/evaluate]}. */
    static RunMetrics ofMembers(Map<Integer, RunMetrics> members) {
        RunMetrics all = new RunMetrics();
        members.forEach((index, own) -> {
            own.series.forEach((name, points) -> all.series.put(memberName(name, index), points));
            own.unreadable.forEach(name -> all.unreadable.add(memberName(name, index)));
        });
        return all;
    }

    private static String memberName(String name, int index) {
        int folder = name.endsWith("]") ? name.lastIndexOf(" [") : -1;
        return folder < 0
                ? name + " [" + index + "]"
                : name.substring(0, folder + 2) + index + "/" + name.substring(folder + 2);
    }

    /** The values by metric. */
    Map<String, List<MetricPoint>> series() {
        return series;
    }

    /** Metrics whose value was no number. */
    Set<String> unreadable() {
        return unreadable;
    }

    /** All values as CSV, RFC 4180: {@code metric,epoch,step,value}; what is not known is empty. */
    public String csv() {
        StringBuilder csv = new StringBuilder("metric,epoch,step,value\r\n");
        series.forEach((name, points) -> points.forEach(point -> csv.append(cell(name))
                .append(',')
                .append(number(point.epoch()))
                .append(',')
                .append(number(point.step()))
                .append(',')
                .append(number(OptionalDouble.of(point.value())))
                .append("\r\n")));
        return csv.toString();
    }

    private static String cell(String text) {
        boolean formula = !text.isEmpty() && "=+-@".indexOf(text.charAt(0)) >= 0;
        String safe = formula ? "'" + text : text;
        return safe.matches("(?s).*[\",\r\n].*") ? "\"" + safe.replace("\"", "\"\"") + "\"" : safe;
    }

    private static String number(OptionalDouble number) {
        if (number.isEmpty()) {
            return "";
        }
        double value = number.getAsDouble();
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.format(Locale.ROOT, "%.0f", value)
                : Double.toString(value);
    }
}
