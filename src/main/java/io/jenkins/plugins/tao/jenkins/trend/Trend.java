package io.jenkins.plugins.tao.jenkins.trend;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.Finding;
import io.jenkins.plugins.tao.gate.Gate;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How the builds of a Jenkins job went, build by build, with the blessed value and the limit of the usual rule. Pure. */
final class Trend {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int MOST_NIGHTS = 100;
    private static final int MOST_METRICS = 12;

    private final List<TrendNight> nights;
    private final Map<String, Blessed> baselines;

    private Trend(List<TrendNight> nights, Map<String, Blessed> baselines) {
        this.nights = nights;
        this.baselines = baselines;
    }

    /** Of the newest builds among these records. */
    static Trend of(List<RunRecord> records, Map<String, Blessed> baselines) {
        Map<String, List<RunRecord>> byBuild = new LinkedHashMap<>();
        records.forEach(record -> byBuild.computeIfAbsent(record.label(), label -> new ArrayList<>())
                .add(record));
        List<TrendNight> all = byBuild.values().stream()
                .map(TrendNight::new)
                .sorted(Comparator.comparing(TrendNight::submittedAt).thenComparing(TrendNight::buildNumber))
                .toList();
        return new Trend(all.subList(Math.max(0, all.size() - MOST_NIGHTS), all.size()), baselines);
    }

    List<TrendNight> newestFirst() {
        List<TrendNight> reversed = new ArrayList<>(nights);
        Collections.reverse(reversed);
        return reversed;
    }

    ObjectNode json() {
        ObjectNode all = JSON.createObjectNode();
        ArrayNode builds = all.putArray("builds");
        nights.forEach(night -> builds.addObject()
                .put("label", night.getLabel())
                .put("url", night.getUrl())
                .put("outcome", night.getOutcome()));
        ArrayNode charts = all.putArray("charts");
        Set<String> names = new LinkedHashSet<>();
        nights.forEach(night -> names.addAll(night.metrics().keySet()));
        names.stream().limit(MOST_METRICS).forEach(name -> {
            ObjectNode chart =
                    chart(charts, name, night -> optional(night.metrics().get(name)));
            limits(chart, name);
        });
        chart(charts, "duration (s)", TrendNight::duration);
        chart(charts, "queue wait (s)", TrendNight::queueWait);
        chart(charts, "GPU-hours", TrendNight::gpuHours);
        return all;
    }

    private static OptionalDouble optional(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** A build without a value is a gap. */
    private ObjectNode chart(ArrayNode charts, String name, Function<TrendNight, OptionalDouble> value) {
        ObjectNode chart = charts.addObject().put("name", name);
        ArrayNode points = chart.putArray("points");
        for (TrendNight night : nights) {
            OptionalDouble known = value.apply(night);
            if (known.isPresent()) {
                points.add(known.getAsDouble());
            } else {
                points.addNull();
            }
        }
        return chart;
    }

    private void limits(ObjectNode chart, String metric) {
        Optional.ofNullable(baselines.get(Blessed.LEVEL))
                .flatMap(blessed -> blessed.record().metric(metric))
                .filter(summary -> Double.isFinite(summary.last()))
                .ifPresent(summary -> chart.put("baseline", summary.last()));
        usual(metric).ifPresent(limit -> chart.put("limit", limit));
    }

    /** The limit that the newest build was held against by the usual rule, once there are builds enough. */
    private Optional<Double> usual(String metric) {
        if (nights.size() < 2) {
            return Optional.empty();
        }
        List<RunRecord> tonight = nights.get(nights.size() - 1).runs();
        List<RunRecord> before = nights.subList(0, nights.size() - 1).stream()
                .flatMap(night -> night.runs().stream())
                .toList();
        List<Blessed> levels =
                Optional.ofNullable(baselines.get(Blessed.LEVEL)).stream().toList();
        Finding finding = Gate.judge(
                        List.of(GateText.parse(Map.of("kpi", metric))),
                        new Evidence(tonight, before, levels, baselines, Map.of()))
                .findings()
                .get(0);
        return finding.limit().isPresent() ? Optional.of(finding.limit().getAsDouble()) : Optional.empty();
    }
}
