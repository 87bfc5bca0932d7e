package io.jenkins.plugins.tao.gate.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The values of one metric in the runs of one night, one for each seed.
 *
 * @param label how people name it, such as {@code #204}
 * @param seeds what the finished runs gave, in the metric's own unit; a run that ended without a value is not among them
 * @param planned how many runs were planned
 * @param confirm what the confirming run gave, where there was one
 */
public record Night(String label, List<Double> seeds, int planned, Optional<Double> confirm) {
    public Night {
        seeds = List.copyOf(seeds);
    }

    /** A night whose planned runs all gave a value. */
    public static Night of(String label, double... seeds) {
        return new Night(label, Arrays.stream(seeds).boxed().toList(), seeds.length, Optional.empty());
    }

    /** A night whose {@code planned} runs gave no value: aborted, preempted, timed out. */
    public static Night without(String label, int planned) {
        return new Night(label, List.of(), planned, Optional.empty());
    }

    /** The same with the value of the confirming run. */
    public Night confirmedBy(double value) {
        return new Night(label, seeds, planned, Optional.of(value));
    }

    /** The finite values. */
    public double[] finite() {
        return seeds.stream()
                .mapToDouble(Double::doubleValue)
                .filter(Double::isFinite)
                .toArray();
    }

    /** Whether a finished run gave NaN or an infinity. */
    public boolean notANumber() {
        return seeds.stream().anyMatch(value -> !Double.isFinite(value));
    }

    /** Whether at least half of the planned runs gave a finite value. */
    public boolean valid() {
        int count = finite().length;
        return count > 0 && 2 * count >= planned;
    }
}
