package io.jenkins.plugins.tao.jenkins.trend;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.Table;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.SameBuild;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** How the builds of a Jenkins job went: a chart for each metric and training, those that gates ask for first. Pure. */
final class Trend {
    private static final int MOST_BUILDS = 100;
    /**
     * So many builds before them are judged too: a level is made of the newest 80 runs at most. A regression that is older shows in the
     * limits and answers that its gates kept.
     */
    private static final int WARM_UP = 100;

    private static final int MOST_METRICS = 24;
    private static final int DIGITS = 4;
    private static final int CSV_DIGITS = 9;
    private static final List<String> COLUMNS =
            List.of("build", "training", "metric", "value", "level", "limit", "answer", "evidence", "changes");

    private final List<Blessed> blessed;
    /** The first build that is shown. */
    private final int from;

    private final List<TrendBuild> shown = new ArrayList<>();
    private final List<TrendTraining> trainings;
    private final List<TrendChart> charts = new ArrayList<>();

    private Trend(
            List<List<RunRecord>> builds, List<Blessed> blessed, List<PastVerdict> verdicts, LongFunction<String> url) {
        this.blessed = blessed;
        from = Math.max(0, builds.size() - MOST_BUILDS);
        trainings = TrendTraining.of(builds, from);
        Map<String, List<PastVerdict>> byRun = new HashMap<>();
        verdicts.forEach(verdict -> verdict.runs()
                .forEach(run ->
                        byRun.computeIfAbsent(run, id -> new ArrayList<>()).add(verdict)));
        for (List<RunRecord> runs : builds.subList(from, builds.size())) {
            List<PastVerdict> own = runs.stream()
                    .flatMap(run -> byRun.getOrDefault(run.id(), List.of()).stream())
                    .distinct()
                    .toList();
            shown.add(new TrendBuild(runs, url.apply(TrendBuild.number(runs)), own));
        }
        trainings.forEach(training -> addCharts(training, byRun));
        charts.sort(Comparator.comparing(chart -> !chart.gated())); // stable
        rows();
    }

    /**
     * Of the newest builds among these records.
     *
     * @param blessed all blessings, the oldest first
     * @param verdicts what gates answered, the oldest first
     * @param url the address of the build of a number, below Jenkins' root; empty when it is deleted
     */
    static Trend of(
            List<RunRecord> records, List<Blessed> blessed, List<PastVerdict> verdicts, LongFunction<String> url) {
        List<List<RunRecord>> builds = SameBuild.split(records).stream()
                .sorted(Comparator.comparing(
                                (List<RunRecord> runs) -> runs.get(0).submittedAt())
                        .thenComparing(TrendBuild::number))
                .toList();
        int first = Math.max(0, builds.size() - MOST_BUILDS - WARM_UP);
        return new Trend(builds.subList(first, builds.size()), blessed, verdicts, url);
    }

    /** What gates asked of a training, then its metrics, then what is measured of each run. */
    private void addCharts(TrendTraining training, Map<String, List<PastVerdict>> byRun) {
        Map<String, TrendChart> own = new LinkedHashMap<>();
        training.builds()
                .tailMap(from)
                .forEach((build, runs) -> runs.stream()
                        .flatMap(run -> byRun.getOrDefault(run.id(), List.of()).stream())
                        .distinct()
                        .forEach(verdict -> GateTitle.parse(verdict.gate())
                                .ifPresent(asked -> chart(own, training, asked).add(build, asked, verdict))));
        int most = own.size() + MOST_METRICS;
        training.metrics(from).stream()
                .filter(metric -> own.size() < most)
                .forEach(metric -> chart(own, training, GateTitle.of(metric)));
        Stream.of(Measure.DURATION, Measure.QUEUE_WAIT, Measure.GPU_HOURS)
                .forEach(measure -> chart(own, training, GateTitle.of(measure.key())));
        charts.addAll(own.values());
    }

    private static TrendChart chart(Map<String, TrendChart> charts, TrendTraining training, GateTitle what) {
        return charts.computeIfAbsent(what.name(), name -> new TrendChart(training, what));
    }

    /** The kpis of the table. */
    private void rows() {
        boolean several = trainings.size() > 1;
        Set<String> gated = new HashSet<>();
        charts.stream()
                .filter(TrendChart::gated)
                .forEach(chart -> gated.add(chart.training().name()));
        for (TrendChart chart : charts) {
            boolean kpi = chart.gated()
                    || (!gated.contains(chart.training().name())
                            && Measure.named(chart.what().metric()).isEmpty());
            chart.training().builds().tailMap(kpi ? from : Integer.MAX_VALUE).forEach((build, runs) -> {
                OptionalDouble value = chart.worst(build)
                        .map(PastVerdict::value)
                        .filter(OptionalDouble::isPresent)
                        .orElseGet(() -> chart.value(runs));
                if (value.isPresent()) {
                    String name = several ? chart.training().name() + ": " : "";
                    shown.get(build - from).add(name + chart.what().name() + " " + TrendPoint.text(value, DIGITS));
                }
            });
        }
    }

    List<TrendBuild> newestFirst() {
        List<TrendBuild> reversed = new ArrayList<>(shown);
        Collections.reverse(reversed);
        return reversed;
    }

    /** The first {@code most} charts that have a value; for a page. */
    ObjectNode json(int most) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        ArrayNode builds = all.putArray("builds");
        shown.forEach(build -> builds.addObject()
                .put("label", build.getLabel())
                .put("url", build.getUrl())
                .put("outcome", build.getOutcome())
                .put("kind", build.getKind()));
        ArrayNode names = all.putArray("trainings");
        trainings.forEach(training -> marks(names.addObject().put("name", training.name()), training));
        ArrayNode list = all.putArray("charts");
        for (TrendChart chart : charts) {
            List<TrendPoint> points = list.size() < most ? chart.points(from, levels()) : List.of();
            if (points.stream().anyMatch(point -> point.value().isPresent())) {
                chart.json(list, points, of(chart.training()));
            }
        }
        return all;
    }

    private List<Blessed> levels() {
        return blessed.stream().filter(one -> one.name().equals(Blessed.LEVEL)).toList();
    }

    /** The blessings of a training, the oldest first. */
    private List<Blessed> of(TrendTraining training) {
        return blessed.stream()
                .filter(one -> training.has(one.record().id())
                        || (trainings.stream()
                                        .noneMatch(
                                                other -> other.has(one.record().id()))
                                && TrendTraining.nearest(one.record(), trainings)
                                        .contains(training)))
                .toList();
    }

    /** What happened to a training, by the build with which it begins. */
    private void marks(ObjectNode node, TrendTraining training) {
        ArrayNode marks = node.putArray("marks");
        for (int build : training.builds().tailMap(from).keySet()) {
            String changes = training.changes(build);
            if (!changes.isEmpty()) {
                marks.addObject()
                        .put("build", build - from)
                        .put("text", changes)
                        .put("code", changes.startsWith("commit") && !changes.contains(";"));
            }
        }
        for (Blessed one : of(training)) {
            training.builds().tailMap(from).forEach((build, runs) -> {
                if (runs.stream().anyMatch(run -> run.id().equals(one.record().id()))) {
                    String as = one.name().equals(Blessed.LEVEL) ? "" : " as " + one.name();
                    marks.addObject()
                            .put("build", build - from)
                            .put("text", "blessed" + as + " by " + one.by() + ": " + one.why())
                            .put("blessed", true);
                }
            });
        }
    }

    /** A line for each build, training and metric. */
    String csv() {
        List<List<String>> rows = new ArrayList<>();
        for (TrendChart chart : charts) {
            for (TrendPoint point : chart.points(from, levels())) {
                rows.add(List.of(
                        shown.get(point.build()).getLabel(),
                        chart.training().name(),
                        chart.what().name(),
                        TrendPoint.text(point.value(), CSV_DIGITS),
                        TrendPoint.text(point.level(), CSV_DIGITS),
                        TrendPoint.text(point.limit(), CSV_DIGITS),
                        point.call().map(call -> call.words()).orElse(""),
                        point.sentence(),
                        chart.training().changes(point.build() + from)));
            }
        }
        return Table.csv(COLUMNS, rows);
    }
}
