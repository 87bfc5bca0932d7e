package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The runs of one training and build side by side: one that collapsed, or gave no number, is named and hides in no mean. Pure.
 *
 * @param all at least two
 */
record Replicates(List<One> all, Direction direction) {
    /** As many standard deviations of usual seeds below the others have nothing to do with chance. */
    private static final double FAR = 10;
    /** Less of the others' value is a small difference, however alike usual seeds are. */
    private static final double PART = 0.1;
    /** What a collapse is where no earlier run tells how seeds differ. */
    private static final double HALF = 0.5;

    private static final int LEAST = 3;

    Replicates {
        all = List.copyOf(all);
    }

    /**
     * One replicate.
     *
     * @param name such as {@code seed 2} or {@code member 2}
     * @param value in the metric's unit
     */
    record One(String name, double value) {}

    /** What is wrong with one of them: the answer, and a sentence. */
    record Odd(GateResult call, String words) {}

    /**
     * The one that is no number, else the one that collapsed while the others agree.
     *
     * @param spread the standard deviation of usual replicates; 0 when it is not known
     */
    Optional<Odd> odd(double spread) {
        Optional<One> none =
                all.stream().filter(one -> !Double.isFinite(one.value())).findFirst();
        if (none.isPresent()) {
            return Optional.of(new Odd(
                    GateResult.FAILED,
                    "Failed: " + none.get().name() + " is not a number ("
                            + none.get().value() + "), the others " + Words.brief(middle(none.get()))
                            + ": look at its log."));
        }
        One worst = all.stream()
                .min(Comparator.comparingDouble(one -> direction.oriented(one.value())))
                .orElseThrow();
        return all.size() >= LEAST && collapsed(worst, spread)
                ? Optional.of(new Odd(
                        GateResult.REGRESSION,
                        "Regression: " + worst.name() + " has " + Words.brief(worst.value()) + ", the others "
                                + Words.brief(middle(worst)) + ": look at its log."))
                : Optional.empty();
    }

    private boolean collapsed(One worst, double spread) {
        double middle = middle(worst);
        double drop = direction.oriented(middle) - direction.oriented(worst.value());
        double[] others = others(worst);
        double apart = Arrays.stream(others).max().orElse(0)
                - Arrays.stream(others).min().orElse(0);
        return spread > 0
                ? drop > FAR * spread && drop > PART * Math.abs(middle) && apart < FAR / 2 * spread
                : drop > HALF * Math.abs(middle) && middle != 0 && apart < PART * Math.abs(middle);
    }

    private double middle(One odd) {
        return Numbers.median(others(odd));
    }

    private double[] others(One odd) {
        List<One> others = new ArrayList<>(all);
        others.remove(odd);
        return others.stream().mapToDouble(One::value).filter(Double::isFinite).toArray();
    }
}
