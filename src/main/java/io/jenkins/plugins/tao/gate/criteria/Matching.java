package io.jenkins.plugins.tao.gate.criteria;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.record.RunRecord;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a gate asks of two runs before it compares them, beyond what each gate asks.
 *
 * @param mustMatch circumstances that must be equal, such as {@code image}
 * @param mayDiffer keys of the spec that may differ, such as {@code train.num_epochs}
 */
public record Matching(Set<String> mustMatch, Set<String> mayDiffer) {
    /** What each gate asks. */
    public static final Matching USUAL = new Matching(Set.of(), Set.of());

    /** The circumstances by name, and where a record has them. */
    static final Map<String, String> CIRCUMSTANCES = circumstances();

    public Matching {
        mustMatch.forEach(name -> require(
                CIRCUMSTANCES.containsKey(name),
                "mustMatch has no '%s'; it takes: %s",
                name,
                String.join(", ", CIRCUMSTANCES.keySet())));
        mustMatch = Set.copyOf(mustMatch);
        mayDiffer = Set.copyOf(mayDiffer);
    }

    private static Map<String, String> circumstances() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("image", "work/image");
        all.put("driver", "machines/driver");
        all.put("data", "work/data");
        all.put("code", "origin/code");
        all.put("command", "work/commandHash");
        all.put("cuda", "machines/cuda");
        all.put("target", "target");
        return all;
    }

    /**
     * Reads both lists, with or without brackets, split by commas or lines.
     *
     * @throws IllegalArgumentException if a circumstance has no such name
     */
    static Matching parse(String mustMatch, String mayDiffer) {
        return new Matching(names(mustMatch), names(mayDiffer));
    }

    private static Set<String> names(String text) {
        return Arrays.stream(text.strip().replaceAll("^\\[|]$", "").split("[,\n]", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }

    /** The same without circumstances: what makes two runs the same work. */
    public Matching ofWork() {
        return new Matching(Set.of(), mayDiffer);
    }

    /** The circumstances that changed, such as {@code image b (was a), driver 2 (was 1)}; empty when none did. */
    public Optional<String> change(RunRecord now, RunRecord then) {
        List<String> changes = Comparability.circumstances(now, then, mustMatch).stream()
                .map(change -> change.replaceFirst(" instead of (.*)$", " (was $1)"))
                .toList();
        return changes.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", changes));
    }

    /** What keeps the runs from being compared, a phrase each; empty when nothing does. */
    public List<String> differences(RunRecord now, RunRecord then) {
        return Comparability.differences(now, then, this);
    }
}
