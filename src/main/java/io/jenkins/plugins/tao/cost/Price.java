package io.jenkins.plugins.tao.cost;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.record.RunRecord;
import java.util.Locale;
import java.util.Optional;

/**
 * What one hour of one GPU costs.
 *
 * @param target the target it holds for; empty for all
 * @param gpuType a part of the GPU's name as the node reports it, such as {@code H100}, in any case; empty for every kind
 * @param perGpuHour the price, not negative
 * @param currency as a table writes it, such as {@code EUR}
 */
public record Price(Optional<String> target, Optional<String> gpuType, double perGpuHour, String currency) {
    private static final int LONGEST_CURRENCY = 16;

    public Price {
        require(
                Double.isFinite(perGpuHour) && perGpuHour >= 0,
                "the price of a GPU-hour must be a number that is not negative, was %s",
                perGpuHour);
        require(
                !currency.isBlank() && currency.length() <= LONGEST_CURRENCY,
                "a price needs a currency of at most %d letters, such as EUR",
                LONGEST_CURRENCY);
        target = target.map(String::strip).filter(text -> !text.isEmpty());
        gpuType = gpuType.map(String::strip).filter(text -> !text.isEmpty());
        currency = currency.strip();
    }

    /** Whether it holds for {@code run}. A price of one kind of GPU does not hold for a run whose kind is not known. */
    boolean holdsFor(RunRecord run) {
        boolean here = target.isEmpty() || run.text("target").equals(target);
        return here
                && (gpuType.isEmpty()
                        || run.text("machines/gpuType")
                                .filter(kind -> kind.toLowerCase(Locale.ROOT)
                                        .contains(gpuType.get().toLowerCase(Locale.ROOT)))
                                .isPresent());
    }

    /** Of several prices that hold, the one with the highest rank counts: its target is named, then its kind of GPU. */
    int rank() {
        return (target.isPresent() ? 2 : 0) + (gpuType.isPresent() ? 1 : 0);
    }

    /** What it holds for, for messages. */
    String scope() {
        return "target " + target.orElse("any") + ", GPU " + gpuType.orElse("any");
    }
}
