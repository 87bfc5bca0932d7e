package io.jenkins.plugins.tao.jenkins.trend;

import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * The runs of one build as one point: of metrics the mean of the runs that gave one, the longest duration and wait, all GPU-hours. Never
 * changed.
 */
public final class TrendNight {
    private static final Pattern NUMBER = Pattern.compile("#([0-9]{1,18})");

    private final List<RunRecord> runs;

    TrendNight(List<RunRecord> runs) {
        this.runs = List.copyOf(runs);
    }

    List<RunRecord> runs() {
        return runs;
    }

    /** The build, such as {@code #204}. */
    public String getLabel() {
        return runs.get(0).label();
    }

    /** The address of the build below Jenkins' own; empty when it is not known. */
    public String getUrl() {
        return runs.get(0).origin().fact(RunOrigin.URL).orElse("");
    }

    /** Orders builds of the same second; 0 where the label names no number. */
    long buildNumber() {
        Matcher number = NUMBER.matcher(getLabel());
        return number.matches() ? Long.parseLong(number.group(1)) : 0;
    }

    Instant submittedAt() {
        return runs.get(0).submittedAt();
    }

    /** {@code succeeded}, else how the first run ended that did not. */
    public String getOutcome() {
        return runs.stream()
                .filter(run -> !run.succeeded())
                .map(RunRecord::outcome)
                .findFirst()
                .orElse("succeeded");
    }

    /** The last value of each metric by name. */
    Map<String, Double> metrics() {
        Map<String, Double> means = new LinkedHashMap<>();
        runs.stream()
                .flatMap(run -> run.metrics().keySet().stream())
                .distinct()
                .forEach(name -> values(name).average().ifPresent(mean -> means.put(name, mean)));
        return means;
    }

    private DoubleStream values(String name) {
        return runs.stream()
                .flatMap(run -> run.metric(name).stream())
                .mapToDouble(metric -> metric.last())
                .filter(Double::isFinite);
    }

    OptionalDouble duration() {
        return measured(Measure.DURATION).max();
    }

    OptionalDouble queueWait() {
        return measured(Measure.QUEUE_WAIT).max();
    }

    OptionalDouble gpuHours() {
        List<Double> known = measured(Measure.GPU_HOURS).boxed().toList();
        return known.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(known.stream().mapToDouble(hours -> hours).sum());
    }

    private DoubleStream measured(Measure measure) {
        return runs.stream().flatMapToDouble(run -> measure.of(run).stream());
    }

    /** For people: metrics by name. */
    public String getKpis() {
        return metrics().entrySet().stream()
                .limit(4)
                .map(kpi -> kpi.getKey() + " " + String.format(Locale.ROOT, "%.4g", kpi.getValue()))
                .collect(Collectors.joining("\n"));
    }

    public String getDuration() {
        return words(duration());
    }

    public String getWait() {
        return words(queueWait());
    }

    public String getGpuHours() {
        return gpuHours().isEmpty()
                ? ""
                : String.format(Locale.ROOT, "%.3g", gpuHours().getAsDouble());
    }

    private static String words(OptionalDouble seconds) {
        return seconds.isEmpty() ? "" : Durations.words(Duration.ofSeconds((long) seconds.getAsDouble()));
    }
}
