package io.jenkins.plugins.tao.tracking;

import io.jenkins.plugins.tao.record.MetricSummary;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The values of a run's metrics, of its {@code series.csv}, else of the thinned curves in its record. */
final class Series {
    private static final int METRIC = 0;
    private static final int EPOCH = 1;
    private static final int STEP = 2;
    private static final int VALUE = 3;

    private Series() {}

    /**
     * One value.
     *
     * @param metric its name as the training wrote it
     * @param step the epoch where that is a whole number, else the step, else its place in the order
     */
    record Value(String metric, long step, double value) {}

    /** All values of a file, RFC 4180, with a head line; lines that cannot be read pass by. */
    static List<Value> parse(String csv) {
        List<Value> values = new ArrayList<>();
        Map<String, Long> order = new HashMap<>();
        List<List<String>> rows = rows(csv);
        for (List<String> row : rows.subList(Math.min(1, rows.size()), rows.size())) {
            if (row.size() <= VALUE) {
                continue;
            }
            String metric = row.get(METRIC).replaceFirst("^'(?=[=+@-])", "");
            long place = order.merge(metric, 1L, Long::sum) - 1;
            number(row.get(VALUE))
                    .ifPresent(value -> values.add(new Value(
                            metric,
                            whole(row.get(EPOCH))
                                    .orElseGet(() -> whole(row.get(STEP)).orElse(place)),
                            value)));
        }
        return values;
    }

    /** What the record alone has. */
    static List<Value> of(RunRecord run) {
        List<Value> values = new ArrayList<>();
        run.metrics().forEach((name, summary) -> {
            List<MetricSummary.Point> curve = summary.curve();
            for (int i = 0; i < curve.size(); i++) {
                double epoch = curve.get(i).epoch();
                values.add(new Value(
                        name,
                        epoch == Math.rint(epoch) ? (long) epoch : i,
                        curve.get(i).value()));
            }
            if (curve.isEmpty()) {
                values.add(new Value(name, 0, summary.last()));
            }
        });
        return values;
    }

    private static Optional<Double> number(String text) {
        try {
            return Optional.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Long> whole(String text) {
        return number(text)
                .filter(value -> value == Math.rint(value) && Math.abs(value) < Long.MAX_VALUE / 2.0)
                .map(Double::longValue);
    }

    private static List<List<String>> rows(String csv) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < csv.length(); i++) {
            char c = csv.charAt(i);
            if (c == '"' && quoted && i + 1 < csv.length() && csv.charAt(i + 1) == '"') {
                cell.append(csv.charAt(++i));
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == ',' || c == '\n')) {
                row.add(cell.toString());
                cell.setLength(0);
                if (c == '\n') {
                    rows.add(row);
                    row = new ArrayList<>();
                }
            } else if (quoted || c != '\r') {
                cell.append(c);
            }
        }
        return rows;
    }
}
