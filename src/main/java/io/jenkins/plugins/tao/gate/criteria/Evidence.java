package io.jenkins.plugins.tao.gate.criteria;

import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a run is judged by.
 *
 * @param tonight the runs of tonight, one a seed, the confirming one among them; at least one
 * @param history the runs before, any order; runs of tonight among them do not count
 * @param levels the runs that were blessed as a level, any order
 * @param baselines blessed runs by name
 * @param unreadable baselines that are there and cannot be read: name and why
 */
public record Evidence(
        List<RunRecord> tonight,
        List<RunRecord> history,
        List<Blessed> levels,
        Map<String, Blessed> baselines,
        Map<String, String> unreadable) {
    public Evidence {
        Set<String> own = tonight.stream().map(RunRecord::id).collect(Collectors.toSet());
        tonight = List.copyOf(tonight);
        history = history.stream()
                .filter(run -> !own.contains(run.id()))
                .sorted(Comparator.comparing(RunRecord::submittedAt))
                .toList();
        levels = List.copyOf(levels);
        baselines = Map.copyOf(baselines);
        unreadable = Map.copyOf(unreadable);
    }

    /** Runs and nothing blessed. */
    public Evidence(List<RunRecord> tonight, List<RunRecord> history) {
        this(tonight, history, List.of(), Map.of(), Map.of());
    }

    /** The run that others are compared with: one that succeeded if there is one. */
    public RunRecord anchor() {
        return tonight.stream().filter(RunRecord::succeeded).findFirst().orElseGet(() -> tonight.get(0));
    }

    /** The name of the night. */
    public String label() {
        return anchor().label();
    }

    /** The same with some runs of tonight alone. */
    public Evidence only(List<RunRecord> runs) {
        return new Evidence(runs, history, levels, baselines, unreadable);
    }

    /** Whether {@code run} repeats the last good version, beside a run that confirms. */
    public static boolean isBeside(RunRecord run) {
        return confirms(run) && run.origin().fact(RunOrigin.BESIDE).isPresent();
    }

    public static boolean confirms(RunRecord run) {
        return run.origin().fact(RunOrigin.CONFIRMS).isPresent();
    }
}
