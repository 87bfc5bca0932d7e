package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Bound;
import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Tolerance;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.Numbers;
import io.jenkins.plugins.tao.gate.statistics.Sample;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Compares a run with one value: a bound, a good run, a blessed run, a median. */
final class AgainstValue {
    private static final int LEAST_FOR_MEDIAN = 5;

    private AgainstValue() {}

    /**
     * What a run is compared with.
     *
     * @param what its name
     * @param value its value
     * @param spread the scaled median absolute deviation around it; 0 for a single value
     */
    record Reference(String what, double value, double spread) {}

    /**
     * The runs before it.
     *
     * @param runs those that count, with a value
     * @param note what people should know of the others
     */
    record Before(List<Sample> runs, String note) {}

    static Finding bound(Criterion criterion, Direction direction, Sample tonight, double bound) {
        double value = Numbers.mean(tonight.finite());
        boolean good = direction.oriented(value) >= direction.oriented(bound);
        String least = direction == Direction.HIGHER ? "at least" : "at most";
        String sentence = named(criterion, tonight, bound) + " is " + (good ? least : direction.badSide())
                + " the required " + Words.apart(bound, value) + criterion.unit() + ".";
        return Finding.of(
                criterion,
                good ? GateResult.PASS : GateResult.REGRESSION,
                OptionalDouble.of(value),
                OptionalDouble.of(bound),
                sentence);
    }

    static Finding lastGood(
            Criterion criterion, Direction direction, Before before, Sample tonight, Tolerance tolerance) {
        Optional<Sample> good = Optional.empty();
        for (Sample run : before.runs()) {
            if (good.isEmpty() || good(direction, run, good.get(), tolerance)) {
                good = Optional.of(run);
            }
        }
        if (good.isEmpty()) {
            return Finding.noVerdict(
                    criterion, "there is no comparable run before " + tonight.label() + "." + before.note());
        }
        double value = Numbers.mean(good.get().finite());
        return noted(
                against(
                        criterion,
                        direction,
                        tonight,
                        new Reference("the last good run (" + good.get().label() + ")", value, 0),
                        tolerance),
                Finding.Standing.after(good.get().label()),
                before);
    }

    static Finding median(Criterion criterion, Direction direction, Before before, Sample tonight, Bound.Median bound) {
        List<Sample> runs = before.runs();
        List<Sample> last = runs.subList(Math.max(0, runs.size() - bound.runs()), runs.size());
        int needed = Math.min(LEAST_FOR_MEDIAN, bound.runs());
        if (last.size() < needed) {
            return Finding.noVerdict(
                    criterion,
                    last.size() + " of " + needed + " comparable runs before " + tonight.label() + "." + before.note());
        }
        double[] values =
                last.stream().mapToDouble(run -> Numbers.mean(run.finite())).toArray();
        double spread = Numbers.scaledMad(values);
        if (bound.tolerance().unit() == Tolerance.Unit.MAD && spread == 0) {
            return Finding.noVerdict(
                    criterion,
                    "the spread of the last " + last.size()
                            + " runs is 0 (fixed seed or coarse metric); give the tolerance as a number or in"
                            + " percent.");
        }
        String what = "the median of the last " + last.size() + " runs";
        return noted(
                against(
                        criterion,
                        direction,
                        tonight,
                        new Reference(what, Numbers.median(values), spread),
                        bound.tolerance()),
                Finding.Standing.UNKNOWN,
                before);
    }

    /** Compares with one value; worse than that by more than the tolerance is bad, or farther from it on either side. */
    static Finding against(
            Criterion criterion, Direction direction, Sample tonight, Reference reference, Tolerance tolerance) {
        double value = Numbers.mean(tonight.finite());
        double allowed = tolerance.around(reference.value(), reference.spread());
        double change = value - reference.value();
        Direction side = tolerance.bothSides() && direction.oriented(change) > 0 ? opposite(direction) : direction;
        double limit = side.oriented(side.oriented(reference.value()) - allowed);
        boolean good = side.oriented(value) >= side.oriented(limit);
        String sentence = named(criterion, tonight, limit) + (good ? ", " : " is ")
                + change(change, reference.value(), criterion.unit()) + " " + reference.what() + " with "
                + Words.apart(reference.value(), value) + criterion.unit()
                + (good ? "; limit " : ", " + side.badSide() + " the limit ") + Words.apart(limit, value)
                + criterion.unit()
                + (good ? "." : ". Fix it, or bless " + tonight.label() + " if this level is right.");
        return Finding.of(
                criterion,
                good ? GateResult.PASS : GateResult.REGRESSION,
                OptionalDouble.of(value),
                OptionalDouble.of(limit),
                sentence);
    }

    private static Direction opposite(Direction direction) {
        return direction == Direction.HIGHER ? Direction.LOWER : Direction.HIGHER;
    }

    private static boolean good(Direction direction, Sample run, Sample good, Tolerance tolerance) {
        double before = Numbers.mean(good.finite());
        double drop = direction.oriented(before) - direction.oriented(Numbers.mean(run.finite()));
        return (tolerance.bothSides() ? Math.abs(drop) : drop) <= tolerance.around(before, 0);
    }

    private static Finding noted(Finding finding, Finding.Standing standing, Before before) {
        return new Finding(
                finding.criterion(),
                finding.call(),
                finding.value(),
                finding.limit(),
                finding.sentence() + before.note(),
                false,
                standing,
                before.runs().stream()
                        .map(run -> Finding.Mark.of(run.label(), Numbers.mean(run.finite())))
                        .toList());
    }

    /** Metric and value, with enough digits to differ from {@code limit}. */
    private static String named(Criterion criterion, Sample run, double limit) {
        double[] values = run.finite();
        String each = values.length == 1
                ? ""
                : " (mean of " + values.length + " runs: "
                        + Words.brief(Arrays.stream(values).min().orElse(Double.NaN)) + " to "
                        + Words.brief(Arrays.stream(values).max().orElse(Double.NaN)) + ")";
        return criterion.name() + Words.apart(Numbers.mean(values), limit) + criterion.unit() + each;
    }

    /** {@code 2 % below}; {@code 0.01 above} where the reference is 0 or far off. */
    private static String change(double change, double reference, String unit) {
        if (change == 0) {
            return "the same as";
        }
        boolean part = Math.abs(change) <= 10 * Math.abs(reference);
        return (part
                        ? Words.rounded(100 * Math.abs(change / reference), 2) + " %"
                        : Words.rounded(Math.abs(change), 2) + unit)
                + (change < 0 ? " below" : " above");
    }
}
