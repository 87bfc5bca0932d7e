package io.jenkins.plugins.tao.jenkins.trend;

import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/** A build as a row: how its runs ended, what gates answered, the longest duration and wait, all GPU-hours. */
public final class TrendBuild {
    private static final Pattern NUMBER = Pattern.compile("#([0-9]{1,18})");

    private final List<RunRecord> runs;
    private final String url;
    private final List<PastVerdict> verdicts;
    private final List<String> kpis = new ArrayList<>();

    TrendBuild(List<RunRecord> runs, String url, List<PastVerdict> verdicts) {
        this.runs = List.copyOf(runs);
        this.url = url;
        this.verdicts = List.copyOf(verdicts);
    }

    /** Adds a line to its kpis. */
    void add(String kpi) {
        kpis.add(kpi);
    }

    /** The build, such as {@code #204}. */
    public String getLabel() {
        return runs.get(0).label();
    }

    /** The address of the build below Jenkins' root; empty when the build is deleted. */
    public String getUrl() {
        return url;
    }

    /** Orders builds of the same second; 0 where the label names no number. */
    static long number(List<RunRecord> runs) {
        Matcher number = NUMBER.matcher(runs.get(0).label());
        return number.matches() ? Long.parseLong(number.group(1)) : 0;
    }

    /** {@code succeeded}, else how the first run ended that did not; and the worst answer of its gates, unless it is good. */
    public String getOutcome() {
        String ended = runs.stream()
                .filter(run -> !run.succeeded())
                .map(RunRecord::outcome)
                .findFirst()
                .orElse("succeeded");
        return TrendPoint.worst(verdicts)
                .filter(verdict -> !verdict.call().good())
                .map(verdict -> ended + ", " + verdict.call().words())
                .orElse(ended);
    }

    /** {@code failed}, {@code lost} or {@code succeeded}: the colour of the outcome. */
    public String getKind() {
        String ended = runs.stream().allMatch(RunRecord::succeeded) ? "succeeded" : "failed";
        String judged = TrendPoint.worst(verdicts)
                .map(verdict -> TrendPoint.kind(verdict.call()))
                .orElse("succeeded");
        return ended.equals("failed") ? ended : judged;
    }

    /** Of each metric that a gate asked for, or of all where none did, the value. */
    public List<String> getKpis() {
        return List.copyOf(kpis);
    }

    public String getDuration() {
        return words(measured(Measure.DURATION).max());
    }

    public String getWait() {
        return words(measured(Measure.QUEUE_WAIT).max());
    }

    /** The sum of what is known; empty where nothing is. */
    public String getGpuHours() {
        double[] known = measured(Measure.GPU_HOURS).toArray();
        return known.length == 0
                ? ""
                : String.format(Locale.ROOT, "%.3g", DoubleStream.of(known).sum());
    }

    private DoubleStream measured(Measure measure) {
        return runs.stream().flatMapToDouble(run -> measure.of(run).stream());
    }

    private static String words(OptionalDouble seconds) {
        return seconds.isEmpty() ? "" : Durations.words(Duration.ofSeconds((long) seconds.getAsDouble()));
    }
}
