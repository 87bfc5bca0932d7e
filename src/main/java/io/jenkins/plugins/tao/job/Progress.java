package io.jenkins.plugins.tao.job;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How far a training is, as its {@code status.json} tells.
 *
 * @param status the last status word: {@code STARTED}, {@code RUNNING}, {@code SUCCESS}, {@code FAILURE}; empty before the
 *     first line
 * @param message the last message; may be empty
 * @param epoch the current epoch as written: most networks count from 0
 * @param maxEpoch the last epoch as written
 * @param fractions whether {@code epoch} is how many epochs are done, 0.1 of {@code maxEpoch} 3, as the trainers of Hugging Face write
 * @param step the current step
 * @param maxStep the last step
 * @param eta what the training itself expects to need still
 * @param kpis the newest value of each metric, {@code NaN} and infinities included, in order of appearance
 */
public record Progress(
        String status,
        String message,
        OptionalDouble epoch,
        OptionalDouble maxEpoch,
        boolean fractions,
        OptionalDouble step,
        OptionalDouble maxStep,
        Optional<Duration> eta,
        Map<String, Double> kpis) {
    /** Before the first line. */
    public static final Progress NONE = new Progress(
            "",
            "",
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            false,
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            Optional.empty(),
            Map.of());

    public Progress {
        kpis = Collections.unmodifiableMap(new LinkedHashMap<>(kpis));
    }

    /** The part that is done, 0 to 1, from epochs, else from steps; empty when neither is known. */
    public OptionalDouble fraction() {
        OptionalDouble byEpoch = part(fractions ? oneLess(epoch) : epoch, lastEpoch());
        return byEpoch.isPresent() ? byEpoch : part(step, maxStep);
    }

    /** The last epoch, counted from 0. */
    public OptionalDouble lastEpoch() {
        return fractions ? oneLess(maxEpoch) : maxEpoch;
    }

    private static OptionalDouble oneLess(OptionalDouble number) {
        return number.isPresent() ? OptionalDouble.of(number.getAsDouble() - 1) : number;
    }

    private static OptionalDouble part(OptionalDouble at, OptionalDouble max) {
        if (at.isEmpty() || max.isEmpty() || max.getAsDouble() < 0) {
            return OptionalDouble.empty();
        }
        double done = (at.getAsDouble() + 1) / (max.getAsDouble() + 1);
        return OptionalDouble.of(Math.max(0, Math.min(1, done)));
    }
}
