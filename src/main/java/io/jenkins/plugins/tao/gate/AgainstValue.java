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

/** Compares tonight with one value: a bound, a good night, a blessed run, a median. */
final class AgainstValue {
    private static final int LEAST_FOR_MEDIAN = 5;

    private AgainstValue() {}

    /**
     * What tonight is compared with.
     *
     * @param what its name
     * @param value its value
     * @param spread the scaled median absolute deviation around it; 0 for a single value
     */
    record Reference(String what, double value, double spread) {}

    static Finding bound(Criterion criterion, Direction direction, Sample tonight, double bound) {
        double value = Numbers.mean(tonight.finite());
        boolean good = direction.oriented(value) >= direction.oriented(bound);
        String side = direction == Direction.HIGHER ? "at least " : "at most ";
        String sentence = criterion.reading().words() + criterion.metric() + " is " + Words.number(value)
                + mean(tonight) + (good ? ", " : ", not ") + side + Words.number(bound) + ".";
        return Finding.of(
                criterion,
                good ? GateResult.PASS : GateResult.REGRESSION,
                OptionalDouble.of(value),
                OptionalDouble.of(bound),
                sentence);
    }

    static Finding lastGood(
            Criterion criterion, Direction direction, SeriesEvents before, Sample tonight, Tolerance tolerance) {
        Optional<Sample> good = Optional.empty();
        for (Sample night : before.sinceLevel()) {
            if (good.isEmpty() || worse(direction, night, good.get(), tolerance) <= 0) {
                good = Optional.of(night);
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

    static Finding median(
            Criterion criterion, Direction direction, SeriesEvents before, Sample tonight, Bound.Median bound) {
        List<Sample> nights = before.sinceLevel();
        List<Sample> last = nights.subList(Math.max(0, nights.size() - bound.nights()), nights.size());
        int needed = Math.min(LEAST_FOR_MEDIAN, bound.nights());
        if (last.size() < needed) {
            return Finding.noVerdict(
                    criterion,
                    last.size() + " of " + needed + " comparable nights before " + tonight.label() + "."
                            + before.note());
        }
        double[] values =
                last.stream().mapToDouble(night -> Numbers.mean(night.finite())).toArray();
        double spread = Numbers.scaledMad(values);
        if (bound.tolerance().unit() == Tolerance.Unit.MAD && spread == 0) {
            return Finding.noVerdict(
                    criterion,
                    "the spread of the last " + last.size()
                            + " nights is 0 (fixed seed or coarse metric); give the tolerance as a number or in percent.");
        }
        String what = "the median of the last " + last.size() + " nights";
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

    /** Compares with one value; worse than that by more than the tolerance is bad. */
    static Finding against(
            Criterion criterion, Direction direction, Sample tonight, Reference reference, Tolerance tolerance) {
        double value = Numbers.mean(tonight.finite());
        double allowed = tolerance.around(reference.value(), reference.spread());
        double limit = direction.oriented(direction.oriented(reference.value()) - allowed);
        double change = value - reference.value();
        boolean good = direction.oriented(value) >= direction.oriented(limit);
        String part = reference.value() == 0 ? "" : " (" + signed(100 * change / Math.abs(reference.value())) + " %)";
        String sentence = criterion.reading().words() + criterion.metric() + " is " + Words.number(value)
                + mean(tonight)
                + ", " + signed(change) + part + " against " + reference.what() + " with "
                + Words.number(reference.value()) + "; " + (good ? "not " : "") + direction.badSide() + " the limit "
                + Words.number(limit) + " (" + direction.words() + ").";
        return Finding.of(
                criterion,
                good ? GateResult.PASS : GateResult.REGRESSION,
                OptionalDouble.of(value),
                OptionalDouble.of(limit),
                sentence);
    }

    private static double worse(Direction direction, Sample night, Sample good, Tolerance tolerance) {
        double before = Numbers.mean(good.finite());
        double drop = direction.oriented(before) - direction.oriented(Numbers.mean(night.finite()));
        return drop - tolerance.around(before, 0);
    }

    private static Finding noted(Finding finding, Finding.Standing standing, SeriesEvents before) {
        return new Finding(
                finding.criterion(),
                finding.call(),
                finding.value(),
                finding.limit(),
                finding.sentence() + before.note(),
                false,
                standing,
                before.sinceLevel().stream()
                        .map(night -> Finding.Mark.of(night.label(), Numbers.mean(night.finite())))
                        .toList());
    }

    private static String mean(Sample tonight) {
        int count = tonight.finite().length;
        return count == 1 ? "" : " (mean of " + count + " runs: " + range(tonight.finite()) + ")";
    }

    private static String range(double... values) {
        return Words.number(Arrays.stream(values).min().orElse(Double.NaN)) + " to "
                + Words.number(Arrays.stream(values).max().orElse(Double.NaN));
    }

    private static String signed(double value) {
        return (value > 0 ? "+" : "") + Words.number(value);
    }
}
