package io.jenkins.plugins.tao.placing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Which of several targets is asked first. */
public enum Order {
    /** As they are given. */
    GIVEN,
    /** By how long half of the earlier jobs like this one waited there; targets without such a history come last, as they are given. */
    WAIT;

    /**
     * The targets in this order.
     *
     * @param wait seconds that a job is expected to wait on a target; empty where that is not known
     */
    public List<String> of(List<String> targets, Function<String, OptionalDouble> wait) {
        if (this == GIVEN) {
            return List.copyOf(targets);
        }
        Map<String, Double> waits = new LinkedHashMap<>();
        targets.forEach(target -> waits.put(target, wait.apply(target).orElse(Double.MAX_VALUE)));
        List<String> sorted = new ArrayList<>(targets);
        sorted.sort(Comparator.comparing(target -> waits.getOrDefault(target, Double.MAX_VALUE)));
        return sorted;
    }
}
