package io.jenkins.plugins.tao.sweep;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * By which metric the best cell of a sweep is chosen.
 *
 * @param metric its whole name, as {@code status.json} gives it
 * @param highest whether the highest value is the best, else the lowest
 */
public record Best(String metric, boolean highest) {
    private static final Pattern FORM = Pattern.compile("(max|min)\\s+(\\S.*)");

    /**
     * Reads {@code max val_acc} or {@code min val_loss}.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static Best parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        require(form.matches(), "best must be 'max METRIC' or 'min METRIC', was '%s'", text);
        return new Best(form.group(2), form.group(1).equals("max"));
    }

    /** The best of the cells that succeeded and told the metric; the first of several that are alike. */
    public Optional<CellEnd> of(List<CellEnd> cells) {
        Comparator<CellEnd> byValue =
                Comparator.comparingDouble(cell -> oriented(cell.kpis().getOrDefault(metric, 0.0)));
        return cells.stream()
                .filter(cell -> cell.succeeded() && !Double.isNaN(cell.kpis().getOrDefault(metric, Double.NaN)))
                .reduce((one, other) -> byValue.compare(other, one) > 0 ? other : one);
    }

    private double oriented(double value) {
        return highest ? value : -value;
    }
}
