package io.jenkins.plugins.tao.sweep;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.Table;
import io.jenkins.plugins.tao.record.MetricSummary;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The cells of a sweep as a table: values, how each ended, metrics. As text, CSV, JSON and Markdown; pure. */
public final class SweepTable implements Table.Forms {
    /** More metrics than a line holds are on the pages of the jobs, and in the other forms. */
    private static final int MOST_METRICS = 4;

    private final List<CellEnd> cells;
    private final Optional<CellEnd> winner;
    private final Set<String> axes = new LinkedHashSet<>();
    private final Set<String> metrics = new LinkedHashSet<>();

    /** The table of {@code cells}. */
    public SweepTable(List<CellEnd> cells, Optional<Best> best) {
        this.cells = List.copyOf(cells);
        winner = best.flatMap(rule -> rule.of(cells));
        cells.forEach(end -> axes.addAll(end.cell().values().keySet()));
        best.ifPresent(rule -> metrics.add(rule.metric())); // the one that decides first
        cells.forEach(end -> metrics.addAll(end.kpis().keySet()));
    }

    /** The lines, a header first; the best cell is marked with a star. Behind them a line for each cell that was ended early. */
    public static List<String> lines(List<CellEnd> cells, Optional<Best> best) {
        SweepTable table = new SweepTable(cells, best);
        List<String> lines = new ArrayList<>(table.text().lines().toList());
        cells.stream()
                .filter(CellEnd::endedEarly)
                .forEach(end -> lines.add(end.cell().id() + " " + end.outcome() + " " + end.note()));
        return lines;
    }

    /** Columns for a terminal or a log. */
    public String text() {
        List<String> shown = metrics.stream().limit(MOST_METRICS).toList();
        List<String> heads = new ArrayList<>(List.of("cell"));
        heads.addAll(axes);
        heads.add("outcome");
        heads.addAll(shown);
        heads.add("job");
        List<List<String>> rows = new ArrayList<>();
        for (CellEnd end : cells) {
            List<String> row = new ArrayList<>(List.of(end.cell().id() + (isBest(end) ? "*" : "")));
            axes.forEach(axis -> row.add(end.cell().values().getOrDefault(axis, "-")));
            row.add(end.outcome());
            shown.forEach(metric -> row.add(number(end.kpis().get(metric))));
            row.add(end.job());
            rows.add(row);
        }
        return Table.text(heads, rows);
    }

    @Override
    public List<String> heads() {
        List<String> heads = new ArrayList<>(List.of("cell", "best"));
        heads.addAll(axes);
        heads.add("outcome");
        heads.addAll(metrics);
        heads.addAll(List.of("job", "note"));
        return heads;
    }

    @Override
    public List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        for (CellEnd end : cells) {
            List<String> row = new ArrayList<>(List.of(end.cell().id(), isBest(end) ? "best" : ""));
            axes.forEach(axis -> row.add(end.cell().values().getOrDefault(axis, "")));
            row.add(end.outcome());
            metrics.forEach(metric ->
                    row.add(end.kpis().containsKey(metric) ? number(end.kpis().get(metric)) : ""));
            row.addAll(List.of(end.job(), end.note()));
            rows.add(row);
        }
        return rows;
    }

    @Override
    public String json() {
        return tree().toPrettyString() + "\n";
    }

    /** The same as a tree. */
    public ArrayNode tree() {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (CellEnd end : cells) {
            ObjectNode node = list.addObject()
                    .put("cell", end.cell().id())
                    .put("best", isBest(end))
                    .put("outcome", end.outcome());
            ObjectNode values = node.putObject("values");
            end.cell().values().forEach(values::put);
            ObjectNode kpis = node.putObject("kpis");
            end.kpis().forEach((name, value) -> MetricSummary.put(kpis, name, value));
            if (!end.job().isEmpty()) {
                node.put("job", end.job());
            }
            if (!end.note().isEmpty()) {
                node.put("note", end.note());
            }
        }
        return list;
    }

    private boolean isBest(CellEnd end) {
        return winner.filter(end::equals).isPresent();
    }

    /** A metric that a cell did not tell is no zero. */
    private static String number(@Nullable Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, "%.6g", value);
    }
}
