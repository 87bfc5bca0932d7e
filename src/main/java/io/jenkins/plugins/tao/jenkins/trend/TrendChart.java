package io.jenkins.plugins.tao.jenkins.trend;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.Finding;
import io.jenkins.plugins.tao.gate.Gate;
import io.jenkins.plugins.tao.gate.KnownMetrics;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.gate.criteria.SameBuild;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.record.MetricSummary;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import lombok.RequiredArgsConstructor;

/** One metric of one training, build by build. */
@RequiredArgsConstructor
final class TrendChart {
    /** As many builds without a value are skipped to find the newest that can be judged. */
    private static final int MOST_TRIES = 5;

    private final TrendTraining training;
    private final GateTitle what;
    private final Map<Integer, List<PastVerdict>> verdicts = new HashMap<>();
    /** The newest value that a gate other than the usual rule compared with, by what it is. */
    private final Map<String, Double> bounds = new LinkedHashMap<>();

    private boolean usual;

    TrendTraining training() {
        return training;
    }

    GateTitle what() {
        return what;
    }

    /** Whether a gate asked for it. */
    boolean gated() {
        return !verdicts.isEmpty();
    }

    /** Adds what a gate answered for a build; the oldest come first. */
    void add(int build, GateTitle asked, PastVerdict verdict) {
        verdicts.computeIfAbsent(build, key -> new ArrayList<>()).add(verdict);
        if (asked.isUsual()) {
            usual = true;
        } else {
            verdict.limit().ifPresent(limit -> bounds.put(asked.bound(), limit));
        }
    }

    /** The value of its runs in one build as they are: the mean of what succeeded, else of what there is. */
    OptionalDouble value(List<RunRecord> runs) {
        double[] good = values(runs.stream().filter(RunRecord::succeeded).toList());
        return DoubleStream.of(good.length == 0 ? values(runs) : good).average();
    }

    private double[] values(List<RunRecord> runs) {
        return runs.stream()
                .flatMapToDouble(this::values)
                .filter(Double::isFinite)
                .toArray();
    }

    private DoubleStream values(RunRecord run) {
        Optional<Measure> measure = Measure.named(what.metric());
        Optional<MetricSummary> own = run.metric(what.metric());
        if (!what.reading().isEmpty()) {
            return DoubleStream.empty();
        }
        if (own.isPresent()) {
            return DoubleStream.of(own.get().last());
        }
        return measure.isPresent()
                ? measure.get().of(run).stream()
                : run.ofMembers(what.metric()).values().stream().mapToDouble(MetricSummary::last);
    }

    /** The worst answer in a build; empty where no gate asked. */
    Optional<PastVerdict> worst(int build) {
        return TrendPoint.worst(verdicts.getOrDefault(build, List.of()));
    }

    /** Its points from the build {@code from} on. */
    List<TrendPoint> points(int from, List<Blessed> levels) {
        Map<String, Deque<Finding.Mark>> marks = new HashMap<>();
        series(levels)
                .forEach(mark -> marks.computeIfAbsent(mark.label(), label -> new ArrayDeque<>())
                        .add(mark));
        boolean judged = usual && bounds.isEmpty();
        Deque<TrendPoint> points = new ArrayDeque<>();
        training.builds().tailMap(from, true).descendingMap().forEach((build, runs) -> {
            Optional<Finding.Mark> mark =
                    Optional.ofNullable(marks.get(SameBuild.label(runs.get(0)))).map(Deque::pollLast);
            points.addFirst(
                    TrendPoint.of(build - from, value(runs), mark, verdicts.getOrDefault(build, List.of()), judged));
        });
        return List.copyOf(points);
    }

    /** What the usual rule says of each build, as it was the newest one. */
    private List<Finding.Mark> series(List<Blessed> levels) {
        if (!what.reading().isEmpty() && !what.reading().equals("best ")) {
            return List.of(); // it needs the curves of all runs, which lie on the disk
        }
        List<Integer> with = training.builds().descendingKeySet().stream()
                .filter(build -> training.builds().getOrDefault(build, List.of()).stream()
                        .anyMatch(RunRecord::succeeded))
                .limit(MOST_TRIES)
                .toList();
        for (int build : with) {
            List<Finding.Mark> series = series(build, levels);
            if (!series.isEmpty()) {
                return series;
            }
        }
        return List.of();
    }

    private List<Finding.Mark> series(int build, List<Blessed> levels) {
        List<RunRecord> runs = training.builds().getOrDefault(build, List.of());
        boolean known = Measure.named(what.metric()).isPresent()
                || KnownMetrics.of(runs.get(0), what.metric()).isPresent();
        Map<String, String> keys = new HashMap<>(Map.of("kpi", what.metric()));
        if (!what.reading().isEmpty()) {
            keys.put("read", "best");
        }
        if (!known) {
            keys.put("direction", "higher");
        }
        List<RunRecord> before = training.builds().headMap(build).values().stream()
                .flatMap(List::stream)
                .toList();
        List<Finding.Mark> series = Gate.judge(
                        List.of(GateText.parse(keys)), new Evidence(runs, before, levels, Map.of(), Map.of()))
                .findings()
                .get(0)
                .series();
        return known
                ? series
                : series.stream()
                        .map(mark -> new Finding.Mark(
                                mark.label(), mark.value(), mark.call(), Optional.empty(), mark.phase(), mark.begins()))
                        .toList();
    }

    /** Adds it to a JSON list. {@code blessed} are those of its training. */
    void json(ArrayNode charts, List<TrendPoint> points, List<Blessed> blessed) {
        String unit = Measure.named(what.metric()).map(Measure::unit).orElse("");
        ObjectNode chart = charts.addObject()
                .put("metric", what.name())
                .put("unit", unit)
                .put("training", training.name())
                .put("gated", gated())
                .put("band", usual || bounds.isEmpty());
        ArrayNode list = chart.putArray("points");
        for (TrendPoint point : points) {
            ObjectNode node = list.addObject().put("build", point.build());
            point.value().ifPresent(value -> node.put("value", value));
            point.level().ifPresent(level -> node.put("level", level));
            point.limit().ifPresent(limit -> node.put("limit", limit));
            point.call().ifPresent(call -> node.put("answer", call.words()).put("kind", TrendPoint.kind(call)));
            if (!point.sentence().isEmpty()) {
                node.put("why", point.sentence());
            }
        }
        ArrayNode lines = chart.putArray("lines");
        bounds.forEach((bound, value) -> lines.addObject().put("name", bound).put("value", value));
        Map<String, Double> values = new LinkedHashMap<>();
        boolean kpi = gated() || Measure.named(what.metric()).isEmpty();
        (kpi ? blessed : List.<Blessed>of())
                .forEach(one -> value(List.of(one.record())).ifPresent(value -> values.put(one.name(), value)));
        values.forEach((name, value) -> lines.addObject()
                .put("name", name.equals(Blessed.LEVEL) ? "blessed" : "blessed " + name)
                .put("value", value)
                .put("blessed", true));
    }
}
