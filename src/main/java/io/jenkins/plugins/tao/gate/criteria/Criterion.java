package io.jenkins.plugins.tao.gate.criteria;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.gate.statistics.MetricRange;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One question to a run.
 *
 * @param metric a kpi as status.json names it, or one of the {@link Measure}s
 * @param reading which number of its curve
 * @param direction which values are good; empty for what is known of the metric
 * @param bound what it is compared with
 * @param effect what a bad answer does
 * @param range the bounds of the metric; empty for what is known of it
 * @param noise the standard deviation of one run, if known
 * @param minDrop the smallest drop that matters
 * @param matching which runs it is compared with
 * @param needVerdict whether no verdict makes the build unstable
 */
public record Criterion(
        String metric,
        Reading reading,
        Optional<Direction> direction,
        Bound bound,
        Effect effect,
        Optional<MetricRange> range,
        OptionalDouble noise,
        double minDrop,
        Matching matching,
        boolean needVerdict) {
    public Criterion {
        require(!metric.isBlank(), "a gate needs a metric");
        noise.ifPresent(value -> require(value > 0, "noise must be greater than 0, was %s", value));
        require(minDrop >= 0, "minDrop must not be negative, was %s", minDrop);
    }

    /** What it asks, such as {@code best val_mAP50 at least 0.42}. */
    public String title() {
        String what = reading.words() + metric;
        if (bound instanceof Bound.AtLeast least) {
            return what + " at least " + Words.number(least.value());
        }
        if (bound instanceof Bound.AtMost most) {
            return what + " at most " + Words.number(most.value());
        }
        if (bound instanceof Bound.LastGood last) {
            String branch = last.branch().isEmpty() ? "" : " of " + last.branch();
            return what + compared("the last good run" + branch, last.tolerance());
        }
        if (bound instanceof Bound.Pinned pinned) {
            return what + compared("baseline " + pinned.name(), pinned.tolerance());
        }
        if (bound instanceof Bound.Median median) {
            return what + compared("the median of " + median.runs() + " runs", median.tolerance());
        }
        return what + " as usual";
    }

    /** What it reads, before its value: {@code best val_mAP50 }. */
    public String name() {
        return reading.words() + metric + (reading.ofMetric() ? " " : ": ");
    }

    /** The unit of its numbers after a space; empty where none is known. */
    public String unit() {
        return Measure.named(metric)
                .map(Measure::unit)
                .filter(unit -> !unit.isEmpty())
                .map(unit -> " " + unit)
                .orElse("");
    }

    /** What it does to a build that has nothing to judge: unstable at least, and a bound is not held without a value. */
    public Effect whenSilent() {
        boolean absolute = bound instanceof Bound.AtLeast || bound instanceof Bound.AtMost;
        return absolute && effect == Effect.FAILURE ? Effect.FAILURE : Effect.UNSTABLE;
    }

    private static String compared(String reference, Tolerance tolerance) {
        if (tolerance.bothSides()) {
            return " within " + tolerance.words() + " of " + reference;
        }
        return " no worse than " + reference + (tolerance.amount() == 0 ? "" : " by " + tolerance.words());
    }
}
