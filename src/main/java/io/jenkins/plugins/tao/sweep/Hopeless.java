package io.jenkins.plugins.tao.sweep;

import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.record.MetricSummary;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.status.MetricPoint;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Finds hopeless cells by rules, from what all cells tell. Each cell is named once. What a cell told before it ended counts for the others, also
 * when it was ended early: that makes the median milder, not stricter. For any thread.
 */
public final class Hopeless {
    /** A median of fewer says little. */
    static final int FEWEST_OTHERS = 3;

    private static final String BY = "rule ";

    private final List<EarlyRule> rules;
    private final Map<String, Map<String, Curve>> curves = new LinkedHashMap<>();
    private final Map<String, String> named = new LinkedHashMap<>();
    private final Object lock = new Object();

    /** For rules with their directions. */
    public Hopeless(List<EarlyRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** Whether {@code by}, what a cancelled job says of who ended it, is the word of a rule. */
    public static boolean ended(String by) {
        return Arrays.stream(EarlyRule.Kind.values()).anyMatch(kind -> by.startsWith(BY + kind.word() + " "));
    }

    /** Takes what an ended cell told, from its record; it is judged no more. */
    public void learn(String cell, RunRecord record) {
        synchronized (lock) {
            rules.forEach(rule -> learn(cell, rule, record));
            named.putIfAbsent(cell, "");
        }
    }

    private void learn(String cell, EarlyRule rule, RunRecord record) {
        Curve own = curve(cell, rule.metric());
        if (own.isEmpty()) {
            record.metric(rule.metric())
                    .map(MetricSummary::curve)
                    .orElse(List.of())
                    .forEach(point -> own.add(point.epoch(), point.value()));
        }
    }

    /** The cell has ended and is judged no more. */
    public void close(String cell) {
        synchronized (lock) {
            named.putIfAbsent(cell, "");
        }
    }

    /**
     * Takes what a cell has told now.
     *
     * @return by which rule it is hopeless, {@code rule median at epoch 12: …}; empty when it is not, or was named before
     */
    public Optional<String> take(String cell, List<MetricPoint> told) {
        synchronized (lock) {
            return judged(cell, told);
        }
    }

    private Optional<String> judged(String cell, List<MetricPoint> told) {
        for (EarlyRule rule : rules) {
            Curve own = curve(cell, rule.metric());
            told.stream()
                    .filter(point -> point.metric().equals(rule.metric()))
                    .forEach(point -> own.add(point.epoch().orElse(0), point.value()));
        }
        if (named.containsKey(cell)) {
            return Optional.empty();
        }
        Optional<String> why =
                rules.stream().flatMap(rule -> judged(rule, cell).stream()).findFirst();
        why.ifPresent(reason -> named.put(cell, reason));
        return why;
    }

    private Curve curve(String cell, String metric) {
        return curves.computeIfAbsent(cell, unknown -> new LinkedHashMap<>())
                .computeIfAbsent(metric, unknown -> new Curve());
    }

    private Optional<String> judged(EarlyRule rule, String cell) {
        Curve own = curve(cell, rule.metric());
        return rule.kind() == EarlyRule.Kind.NAN ? notANumber(rule, own) : belowMedian(rule, cell, own);
    }

    private static Optional<String> notANumber(EarlyRule rule, Curve own) {
        return own.lastIsNotFinite() && own.epochsUpTo(own.lastEpoch()) >= rule.after()
                ? Optional.of(BY + rule.kind().word() + " at epoch " + number(own.lastEpoch()) + ": " + rule.metric()
                        + " is no number")
                : Optional.empty();
    }

    /** At the newest epoch that enough others have reached; what the cell itself has reached since counts in its favour. */
    private Optional<String> belowMedian(EarlyRule rule, String cell, Curve own) {
        Direction direction = rule.direction().orElse(Direction.HIGHER);
        OptionalDouble best = own.best(direction, Double.POSITIVE_INFINITY);
        for (double epoch : own.latestFirst()) {
            double[] others = others(rule, cell, direction, epoch);
            if (own.epochsUpTo(epoch) < rule.after()) {
                return Optional.empty();
            }
            if (others.length >= FEWEST_OTHERS) {
                return best.isPresent() ? worse(rule, direction, best.getAsDouble(), others, epoch) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private double[] others(EarlyRule rule, String cell, Direction direction, double epoch) {
        return curves.keySet().stream()
                .filter(other -> !other.equals(cell))
                .map(other -> curve(other, rule.metric()))
                .filter(curve -> curve.reached(epoch))
                .map(curve -> curve.best(direction, epoch))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .sorted()
                .toArray();
    }

    private static Optional<String> worse(
            EarlyRule rule, Direction direction, double best, double[] others, double epoch) {
        double median = (others[(others.length - 1) / 2] + others[others.length / 2]) / 2;
        boolean worse = direction == Direction.HIGHER ? best < median : best > median;
        return worse
                ? Optional.of(BY + rule.kind().word() + " at epoch " + number(epoch) + ": its best " + rule.metric()
                        + ", " + number(best) + ", is " + (direction == Direction.HIGHER ? "below " : "above ")
                        + number(median) + ", the median of " + others.length + " other cells")
                : Optional.empty();
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e9
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.5g", value);
    }
}
