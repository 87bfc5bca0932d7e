package io.jenkins.plugins.tao.gate.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Values of one metric in one run: one value, or one of each seed or array member.
 *
 * @param label the run's name, such as {@code #204}
 * @param values one of each successful replicate, in the metric's unit; NaN and infinities are possible
 * @param planned how many replicates were planned
 * @param recheck the runs that checked it, if there were any
 */
public record Sample(String label, List<Double> values, int planned, Optional<Recheck> recheck) implements SeriesEvent {
    public Sample {
        values = List.copyOf(values);
    }

    /** A run whose planned replicates all gave a value. */
    public static Sample of(String label, double... values) {
        return new Sample(label, Arrays.stream(values).boxed().toList(), values.length, Optional.empty());
    }

    /** A run without a value: aborted, preempted, timed out. */
    public static Sample without(String label, int planned) {
        return new Sample(label, List.of(), planned, Optional.empty());
    }

    /** The same sample with the value of a rerun. */
    public Sample rechecked(double rerun) {
        return new Sample(label, values, planned, Optional.of(new Recheck(rerun, OptionalDouble.empty())));
    }

    /** The same sample with the values of a pair: this version and the last good one, run side by side. */
    public Sample paired(double rerun, double lastGood) {
        return new Sample(label, values, planned, Optional.of(new Recheck(rerun, OptionalDouble.of(lastGood))));
    }

    /** The finite values. */
    public double[] finite() {
        return values.stream()
                .mapToDouble(Double::doubleValue)
                .filter(Double::isFinite)
                .toArray();
    }

    /** Whether a replicate gave NaN or an infinity. */
    public boolean notANumber() {
        return values.stream().anyMatch(value -> !Double.isFinite(value));
    }

    /** Whether at least half of the planned replicates gave a finite value. */
    public boolean valid() {
        int count = finite().length;
        return count > 0 && 2 * count >= planned;
    }

    /**
     * Values of the runs that check a suspect run, in the metric's unit.
     *
     * @param rerun the same version again with another seed
     * @param lastGood the last good version, run beside {@code rerun}; empty for a rerun alone
     */
    public record Recheck(double rerun, OptionalDouble lastGood) {
        /** Whether all its values are finite; otherwise it decides nothing. */
        public boolean usable() {
            return Double.isFinite(rerun) && (lastGood.isEmpty() || Double.isFinite(lastGood.getAsDouble()));
        }
    }
}
