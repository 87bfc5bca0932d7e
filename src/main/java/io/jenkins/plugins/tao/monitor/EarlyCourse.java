package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.status.MetricPoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run of a job under the rules that may end it early. What was found stays found until the next run. */
final class EarlyCourse {
    private final List<EarlyEnd> rules;
    /** How many of the newest values in a row are no finite numbers, by metric. */
    private final Map<String, Integer> inARow = new HashMap<>();

    private Optional<String> why = Optional.empty();

    EarlyCourse(List<EarlyEnd> rules) {
        this.rules = rules;
    }

    /** The next run under the same rules. */
    EarlyCourse again() {
        return new EarlyCourse(rules);
    }

    /** Takes the next values of all metrics. */
    void take(List<MetricPoint> told) {
        for (MetricPoint point : told) {
            int count = Double.isFinite(point.value()) ? 0 : inARow.getOrDefault(point.metric(), 0) + 1;
            inARow.put(point.metric(), count);
            why = why.or(() -> rules.stream()
                    .filter(rule -> rule.metric().equals(point.metric()) && count >= rule.values())
                    .findFirst()
                    .map(rule -> "ended early: " + rule.metric() + " was not a number in " + count
                            + (count == 1 ? " value" : " values")));
        }
    }

    /** Why the run is to be ended; empty while it may go on. */
    Optional<String> why() {
        return why;
    }
}
