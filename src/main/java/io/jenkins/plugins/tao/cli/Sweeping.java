package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.sweep.Cell;
import io.jenkins.plugins.tao.sweep.Matrix;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The sweep that a job file describes with {@code matrix}: a request for each cell. */
final class Sweeping {
    static final String KEY = "matrix";
    private static final String CELL = "matrix ";
    private static final String ENV = "env.";

    private Sweeping() {}

    /** One cell and the request for its job. */
    record Part(Cell cell, JobRequest request) {}

    /**
     * The cells of {@code request}; empty when its file describes a single job.
     *
     * @throws UsageException if the matrix is none, or too large
     */
    static List<Part> of(JobRequest request) throws UsageException {
        Optional<Value> matrix = request.content().get(KEY);
        if (matrix.isEmpty()) {
            return List.of();
        }
        try {
            return new Matrix(axes(matrix.get()))
                    .cells().stream()
                            .map(cell -> new Part(cell, request(request, cell)))
                            .toList();
        } catch (IllegalArgumentException e) {
            throw new UsageException(matrix.get().where() + ": " + e.getMessage() + ".", e);
        }
    }

    /** Whether a request is for one cell. */
    static boolean isCell(JobRequest request) {
        return request.overrides().stream()
                .anyMatch(override -> override.option().startsWith(CELL));
    }

    /** The values of the cell that a request is for, as in {@code train.lr=1e-3, train.seed=0}; empty when it is for none. */
    static String cell(JobRequest request) {
        return request.overrides().stream()
                .filter(override -> override.option().startsWith(CELL))
                .map(override -> override.option().substring(CELL.length()) + "=" + override.value())
                .collect(Collectors.joining(", "));
    }

    private static Map<String, List<String>> axes(Value matrix) throws UsageException {
        if (!(matrix instanceof Value.Keyed keyed)) {
            throw new UsageException(
                    matrix.where() + ": 'matrix' takes keys with their values, as in train.seed: 0..4.");
        }
        Map<String, List<String>> axes = new LinkedHashMap<>();
        for (Map.Entry<String, Value.Entry> axis : keyed.entries().entrySet()) {
            Value value = axis.getValue().value();
            List<Value> values = value instanceof Value.Items items ? items.values() : List.of(value);
            List<String> texts = new ArrayList<>();
            for (Value one : values) {
                if (!(one instanceof Value.Text text)) {
                    throw new UsageException(one.where() + ": the axis '" + axis.getKey()
                            + "' takes single values, as in [1e-3, 1e-4], and this is " + one.kind() + ".");
                }
                texts.add(text.text());
            }
            axes.put(axis.getKey(), texts);
        }
        return axes;
    }

    private static JobRequest request(JobRequest whole, Cell cell) {
        return whole.with(cell.values().entrySet().stream()
                .map(value -> replacement(value.getKey(), value.getValue()))
                .toList());
    }

    private static JobRequest.Replacement replacement(String path, String value) {
        if (path.startsWith(ENV)) {
            return new JobRequest.Replacement(CELL + path, List.of("env", path.substring(ENV.length())), value, false);
        }
        return new JobRequest.Replacement(CELL + path, List.of("spec", path), value, true);
    }
}
