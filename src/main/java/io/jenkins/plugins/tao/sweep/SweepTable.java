package io.jenkins.plugins.tao.sweep;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The cells of a sweep as a table of text: values, how each ended, metrics. */
public final class SweepTable {
    /** More metrics than a line holds are on the pages of the jobs. */
    private static final int MOST_METRICS = 4;

    private final List<CellEnd> cells;
    private final Optional<Best> best;

    private SweepTable(List<CellEnd> cells, Optional<Best> best) {
        this.cells = List.copyOf(cells);
        this.best = best;
    }

    /** The lines, a header first; the best cell is marked with a star. */
    public static List<String> lines(List<CellEnd> cells, Optional<Best> best) {
        return new SweepTable(cells, best).lines();
    }

    private List<String> lines() {
        Set<String> axes = new LinkedHashSet<>();
        cells.forEach(end -> axes.addAll(end.cell().values().keySet()));
        Set<String> metrics = metrics();
        Optional<CellEnd> winner = best.flatMap(rule -> rule.of(cells));
        List<List<String>> rows = new ArrayList<>();
        rows.add(row("cell", axes, "outcome", metrics, "job"));
        for (CellEnd end : cells) {
            String mark = winner.filter(end::equals).isPresent() ? "*" : "";
            rows.add(row(
                    end.cell().id() + mark,
                    values(axes, end.cell().values()),
                    end.outcome(),
                    metrics.stream()
                            .map(metric -> number(end.kpis().get(metric)))
                            .toList(),
                    end.job()));
        }
        return aligned(rows);
    }

    /** The metric that decides first, then the others as the cells told them. */
    private Set<String> metrics() {
        Set<String> all = new LinkedHashSet<>();
        best.ifPresent(rule -> all.add(rule.metric()));
        for (CellEnd end : cells) {
            end.kpis().keySet().stream()
                    .filter(metric -> all.size() < MOST_METRICS)
                    .forEach(all::add);
        }
        return all;
    }

    private static List<String> row(
            String id, Collection<String> values, String outcome, Collection<String> metrics, String job) {
        List<String> row = new ArrayList<>(List.of(id));
        row.addAll(values);
        row.add(outcome);
        row.addAll(metrics);
        row.add(job);
        return row;
    }

    private static List<String> values(Set<String> axes, Map<String, String> values) {
        return axes.stream().map(axis -> values.getOrDefault(axis, "-")).toList();
    }

    /** A metric that a cell did not tell is no zero. */
    private static String number(@org.jspecify.annotations.Nullable Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, "%.6g", value);
    }

    private static List<String> aligned(List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
