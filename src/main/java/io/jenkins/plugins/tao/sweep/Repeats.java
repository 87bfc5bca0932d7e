package io.jenkins.plugins.tao.sweep;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which cells repeat each other: those that differ in certain axes only, such as the seed.
 *
 * @param axes their paths; empty for all whose last key is {@code seed} or {@code random_seed}
 */
public record Repeats(List<String> axes) {
    static final String ALL = "all cells";

    private static final Pattern SEED = Pattern.compile("(?i)(.*[._])?(random_)?seed");

    public Repeats {
        axes = List.copyOf(axes);
    }

    /**
     * The same, checked against the axes of a matrix.
     *
     * @throws IllegalArgumentException if it has no such axis
     */
    public Repeats of(Set<String> matrix) {
        axes.forEach(axis -> require(
                matrix.contains(axis),
                "repeats names '%s', and the matrix has no such axis; it has: %s",
                axis,
                String.join(", ", matrix)));
        return this;
    }

    /** The cell without the values that make it a repeat: equal for all repeats of each other. */
    public Cell group(Cell cell) {
        Map<String, String> rest = new LinkedHashMap<>(cell.values());
        rest.keySet().removeIf(axis -> axes.isEmpty() ? SEED.matcher(axis).matches() : axes.contains(axis));
        return new Cell(rest);
    }

    /** What a group is called: its values, or {@code all cells} where the sweep has repeats alone. */
    public String name(Cell cell) {
        String label = group(cell).label();
        return label.isEmpty() ? ALL : label;
    }
}
