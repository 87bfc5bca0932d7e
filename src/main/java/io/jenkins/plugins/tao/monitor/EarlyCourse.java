package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.status.MetricPoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lombok.RequiredArgsConstructor;

/** One run of a job under the rules that may end it early. What was found stays found until the next run. */
@RequiredArgsConstructor
final class EarlyCourse {
    private static final int REACHED = -1;

    private final List<EarlyEnd> rules;
    /** How many values each rule has counted; a rule whose goal was reached is out. */
    private final Map<EarlyEnd, Integer> counts = new HashMap<>();

    private Optional<String> why = Optional.empty();

    /** The next run under the same rules. */
    EarlyCourse again() {
        return new EarlyCourse(rules);
    }

    /** Takes the next values of all metrics. */
    void take(List<MetricPoint> told) {
        for (MetricPoint point : told) {
            for (EarlyEnd rule : rules) {
                if (rule.metric().equals(point.metric()) && count(rule, point.value()) == rule.values()) {
                    why = why.or(() -> Optional.of(rule.sentence()));
                }
            }
        }
    }

    private int count(EarlyEnd rule, double value) {
        boolean good = rule.goal().map(goal -> goal.isReached(value)).orElse(Double.isFinite(value));
        int before = counts.getOrDefault(rule, 0);
        boolean stays = rule.goal().isPresent(); // a goal that was reached once stays reached
        int count = stays && (good || before == REACHED) ? REACHED : good ? 0 : before + 1;
        counts.put(rule, count);
        return count;
    }

    /** Why the run is to be ended; empty while it may go on. */
    Optional<String> why() {
        return why;
    }
}
