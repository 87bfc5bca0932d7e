package io.jenkins.plugins.tao.cost;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * All prices of one place.
 *
 * @param prices none twice for the same target and kind of GPU
 */
public record PriceTable(List<Price> prices) {
    /** Nothing has a price. */
    public static final PriceTable NONE = new PriceTable(List.of());

    public PriceTable {
        prices = List.copyOf(prices);
        Set<String> scopes = new HashSet<>();
        for (Price price : prices) {
            require(
                    scopes.add(price.scope().toLowerCase(Locale.ROOT)),
                    "there are two prices for %s; keep one",
                    price.scope());
        }
    }

    /** What something costs. */
    public record Money(double amount, String currency) {}

    /** What {@code run} cost; empty when its GPU-time is not known or nothing tells the price. */
    public Optional<Money> of(RunRecord run) {
        OptionalDouble hours = Measure.GPU_HOURS.of(run);
        return hours.isEmpty() ? Optional.empty() : of(run, hours.getAsDouble());
    }

    /** What {@code gpuHours} of {@code run} cost; empty when nothing tells the price. */
    Optional<Money> of(RunRecord run, double gpuHours) {
        return prices.stream()
                .filter(price -> price.holdsFor(run))
                .max(Comparator.comparingInt(Price::rank))
                .map(price -> new Money(price.perGpuHour() * gpuHours, price.currency()));
    }
}
