package io.jenkins.plugins.tao.cost;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/** Values of which a share is not greater, by nearest rank: each answer is a value that was seen. */
final class Quantiles {
    private static final int PERCENT = 100;

    private Quantiles() {}

    /** The value that {@code percent} of {@code values} do not exceed; empty for none. */
    static OptionalDouble of(Collection<Double> values, int percent) {
        if (values.isEmpty()) {
            return OptionalDouble.empty();
        }
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int rank = (sorted.size() * percent + PERCENT - 1) / PERCENT;
        return OptionalDouble.of(sorted.get(Math.max(0, rank - 1)));
    }
}
