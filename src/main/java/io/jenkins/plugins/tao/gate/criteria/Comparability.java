package io.jenkins.plugins.tao.gate.criteria;

import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.record.SpecLabels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What two runs must have in common to be compared: the same work on the same machines. Image, driver, data and code are not among it: they
 * are named among what changed. What one of both does not know separates them not.
 */
public final class Comparability {
    static final Map<String, String> CONSTANT = constant();
    private static final Pattern AXIS = Pattern.compile("([^\\s,=]+)=");
    private static final int MOST_NAMED = 3;
    /** As many keys of a spec as a record keeps at most. */
    private static final int WHOLE = 120;

    private Comparability() {}

    private static Map<String, String> constant() {
        Map<String, String> constant = new LinkedHashMap<>();
        constant.put("network", "work/network");
        constant.put("action", "work/action");
        constant.put("GPU type", "machines/gpuType");
        constant.put("GPUs a node", "machines/gpus");
        constant.put("nodes", "machines/nodeCount");
        return constant;
    }

    /** What keeps the runs from being compared, a phrase each such as {@code GPU type A100 instead of H100}; empty when nothing does. */
    public static List<String> differences(RunRecord now, RunRecord then) {
        return differences(now, then, Matching.USUAL);
    }

    static List<String> differences(RunRecord now, RunRecord then, Matching matching) {
        List<String> found = new ArrayList<>();
        CONSTANT.forEach((name, path) ->
                difference(name, now.text(path), then.text(path)).ifPresent(found::add));
        difference("cell", cell(now), cell(then)).ifPresent(found::add);
        found.addAll(circumstances(now, then, matching.mustMatch()));
        spec(now, then, matching.mayDiffer()).ifPresent(found::add);
        return found;
    }

    static List<String> circumstances(RunRecord now, RunRecord then, Set<String> names) {
        return Matching.CIRCUMSTANCES.entrySet().stream()
                .filter(known -> names.contains(known.getKey()))
                .flatMap(known -> circumstance(known.getKey(), known.getValue(), now, then).stream())
                .toList();
    }

    /** A tag of an image may move: where both digests are known they decide. */
    private static Optional<String> circumstance(String name, String path, RunRecord now, RunRecord then) {
        Optional<String> digest = now.text("work/imageDigest");
        Optional<String> before = then.text("work/imageDigest");
        return name.equals("image") && digest.isPresent() && before.isPresent()
                ? difference(name, digest, before)
                : difference(name, now.text(path), then.text(path));
    }

    static Optional<String> difference(String name, Optional<String> now, Optional<String> then) {
        return now.isEmpty() || then.isEmpty() || now.equals(then)
                ? Optional.empty()
                : Optional.of(name + " " + now.get() + " instead of " + then.get());
    }

    /** What the cell of a sweep has in common with its repeats. */
    static Optional<String> cell(RunRecord run) {
        return run.origin().fact(RunOrigin.GROUP).or(() -> run.origin().fact(RunOrigin.CELL));
    }

    private static Optional<String> spec(RunRecord now, RunRecord then, Set<String> mayDiffer) {
        if (difference("spec", now.text("work/specHash"), then.text("work/specHash"))
                .isEmpty()) {
            return Optional.empty();
        }
        List<String> changes = specChanges(now, then, mayDiffer);
        if (changes.isEmpty()) {
            return isWhole(now) && isWhole(then) ? Optional.empty() : Optional.of("another spec");
        }
        String more = changes.size() > MOST_NAMED ? " and " + (changes.size() - MOST_NAMED) + " more" : "";
        return Optional.of("spec " + String.join(", ", changes.subList(0, Math.min(MOST_NAMED, changes.size())))
                + more);
    }

    /** Whether the record has the whole spec: a long one is cut, and its hash alone tells the rest. */
    static boolean isWhole(RunRecord run) {
        Map<String, String> spec = run.entries("work/spec");
        return !spec.isEmpty() && spec.size() < WHOLE && spec.values().stream().noneMatch(value -> value.endsWith("…"));
    }

    /** The keys of the spec that differ, each with both values; without labels, and without the axes along which cells repeat each other. */
    private static List<String> specChanges(RunRecord now, RunRecord then, Set<String> mayDiffer) {
        Map<String, String> after = spec(now);
        Map<String, String> before = spec(then);
        TreeSet<String> keys = new TreeSet<>(after.keySet());
        keys.addAll(before.keySet());
        keys.removeAll(repeated(now, then));
        keys.removeIf(key -> mayDiffer.stream().anyMatch(free -> key.equals(free) || key.startsWith(free + ".")));
        return keys.stream()
                .filter(key -> !Objects.equals(after.get(key), before.get(key)))
                .map(key -> key + " " + after.getOrDefault(key, "(none)") + " instead of "
                        + before.getOrDefault(key, "(none)"))
                .toList();
    }

    private static Set<String> repeated(RunRecord now, RunRecord then) {
        Optional<String> group = now.origin().fact(RunOrigin.GROUP);
        return group.isPresent() && group.equals(then.origin().fact(RunOrigin.GROUP))
                ? AXIS.matcher(now.origin().fact(RunOrigin.CELL).orElse(""))
                        .results()
                        .map((MatchResult axis) -> axis.group(1))
                        .collect(Collectors.toSet())
                : Set.of();
    }

    /** The spec without labels; the id and the directory of the run itself stand as stars. */
    static Map<String, String> spec(RunRecord run) {
        Map<String, String> spec = new LinkedHashMap<>();
        String folder = run.text("resultsDir").orElse(run.id());
        run.entries("work/spec").forEach((key, value) -> {
            if (!SpecLabels.is(key)) {
                spec.put(key, value.replace(folder, "*").replace(run.id(), "*"));
            }
        });
        return spec;
    }
}
