package io.jenkins.plugins.tao.gate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Runs with their times, costs and metrics as text, CSV, JSON and Markdown; pure. What is not known is an empty cell. */
public final class RunTable implements Table.Forms {
    private static final int USUAL_KPIS = 3;

    private final List<RunRecord> runs;
    private final Map<String, List<PastVerdict>> verdicts = new HashMap<>();
    private final List<String> kpis;

    /** The table of {@code runs} with what gates said of them and these metrics; none for the first that the newest run reported. */
    public RunTable(List<RunRecord> runs, List<PastVerdict> verdicts, List<String> kpis) {
        this.runs = List.copyOf(runs);
        verdicts.forEach(verdict -> verdict.runs()
                .forEach(run -> this.verdicts
                        .computeIfAbsent(run, id -> new ArrayList<>())
                        .add(verdict)));
        this.kpis = kpis.isEmpty() ? usual(runs) : List.copyOf(kpis);
    }

    private static List<String> usual(List<RunRecord> runs) {
        return runs.isEmpty()
                ? List.of()
                : runs.get(runs.size() - 1).metrics().keySet().stream()
                        .limit(USUAL_KPIS)
                        .toList();
    }

    /** Columns for a terminal, a line for the heads and one for each run. */
    public List<String> text() {
        return Table.text(heads(), rows()).lines().toList();
    }

    /** The verdict that did most to the run; empty where no gate judged it. */
    public Optional<PastVerdict> worst(RunRecord run) {
        return verdicts(run).max(Comparator.comparing(PastVerdict::effect).thenComparingInt(PastVerdict::badness));
    }

    private Stream<PastVerdict> verdicts(RunRecord run) {
        return verdicts.getOrDefault(run.id(), List.of()).stream();
    }

    @Override
    public String json() {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (RunRecord run : runs) {
            ObjectNode node = list.addObject().put("run", run.label()).put("id", run.id());
            run.text("times/submittedAt").ifPresent(at -> node.put("submittedAt", at));
            node.put("outcome", run.outcome());
            ArrayNode gates = node.putArray("gates");
            verdicts(run)
                    .forEach(verdict -> gates.addObject()
                            .put("gate", verdict.gate())
                            .put("answer", verdict.call().name())
                            .put("effect", verdict.effect().name()));
            Measure.QUEUE_WAIT.of(run).ifPresent(seconds -> node.put("queueSeconds", seconds));
            Measure.DURATION.of(run).ifPresent(seconds -> node.put("runSeconds", seconds));
            Measure.GPU_HOURS.of(run).ifPresent(hours -> node.put("gpuHours", hours));
            if (run.knowsGpuTimePartly()) {
                run.knownGpuHours().ifPresent(hours -> node.put("gpuHoursAtLeast", hours));
            }
            run.text("origin/code").ifPresent(code -> node.put("code", code));
            ObjectNode metrics = node.putObject("metrics");
            kpis.forEach(kpi -> value(run, kpi).ifPresent(value -> metrics.put(kpi, value)));
        }
        return list.toPrettyString() + "\n";
    }

    @Override
    public List<String> heads() {
        List<String> heads = new ArrayList<>(
                List.of("run", "id", "submitted", "outcome", "gates", "queue s", "run s", "GPU hours", "code"));
        heads.addAll(kpis);
        return heads;
    }

    @Override
    public List<List<String>> rows() {
        return runs.stream().map(this::row).toList();
    }

    private List<String> row(RunRecord run) {
        List<String> row = new ArrayList<>(List.of(
                run.label(),
                run.id(),
                run.text("times/submittedAt").orElse(""),
                run.outcome(),
                worst(run).map(PastVerdict::words).orElse(""),
                Words.number(Measure.QUEUE_WAIT.of(run)),
                Words.number(Measure.DURATION.of(run)),
                Words.number(Measure.GPU_HOURS.of(run)),
                run.text("origin/code")
                        .map(code -> code.length() > 10 ? code.substring(0, 10) : code)
                        .orElse("")));
        kpis.forEach(kpi -> row.add(Words.number(value(run, kpi))));
        return row;
    }

    private static OptionalDouble value(RunRecord run, String kpi) {
        return run.metric(kpi)
                .map(metric -> OptionalDouble.of(metric.last()))
                .or(() -> Measure.named(kpi).map(measure -> measure.of(run)))
                .orElse(OptionalDouble.empty());
    }
}
