package io.jenkins.plugins.tao.gate.criteria;

import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What two runs must have in common to be compared. The code is not among it: it is what is tested. What one of both does not know
 * separates them not.
 */
public final class Comparability {
    private static final Map<String, String> CONSTANT = constant();
    private static final int MOST_NAMED = 3;

    private Comparability() {}

    private static Map<String, String> constant() {
        Map<String, String> constant = new LinkedHashMap<>();
        constant.put("network", "work/network");
        constant.put("action", "work/action");
        constant.put("data", "work/data");
        constant.put("GPU type", "machines/gpuType");
        constant.put("GPUs a node", "machines/gpus");
        constant.put("nodes", "machines/nodeCount");
        constant.put("driver", "machines/driver");
        return constant;
    }

    /** What keeps the runs from being compared, a phrase each such as {@code GPU type A100 instead of H100}; empty when nothing does. */
    public static List<String> differences(RunRecord now, RunRecord then) {
        List<String> found = new ArrayList<>();
        CONSTANT.forEach((name, path) ->
                difference(name, now.text(path), then.text(path)).ifPresent(found::add));
        image(now, then).ifPresent(found::add);
        if (difference("spec", now.text("work/specHash"), then.text("work/specHash"))
                .isPresent()) {
            found.add(spec(now, then));
        }
        return found;
    }

    private static Optional<String> difference(String name, Optional<String> now, Optional<String> then) {
        return now.isEmpty() || then.isEmpty() || now.equals(then)
                ? Optional.empty()
                : Optional.of(name + " " + now.get() + " instead of " + then.get());
    }

    /** A tag may move: where both digests are known they decide. */
    private static Optional<String> image(RunRecord now, RunRecord then) {
        Optional<String> digest = now.text("work/imageDigest");
        Optional<String> before = then.text("work/imageDigest");
        return digest.isPresent() && before.isPresent()
                ? difference("image", digest, before)
                : difference("image", now.text("work/image"), then.text("work/image"));
    }

    private static String spec(RunRecord now, RunRecord then) {
        List<String> changes = specChanges(now, then);
        if (changes.isEmpty()) {
            return "another spec";
        }
        String more = changes.size() > MOST_NAMED ? " and " + (changes.size() - MOST_NAMED) + " more" : "";
        return "spec " + String.join(", ", changes.subList(0, Math.min(MOST_NAMED, changes.size()))) + more;
    }

    /** The keys of the spec that differ, each with both values. */
    static List<String> specChanges(RunRecord now, RunRecord then) {
        Map<String, String> after = now.entries("work/spec");
        Map<String, String> before = then.entries("work/spec");
        TreeSet<String> keys = new TreeSet<>(after.keySet());
        keys.addAll(before.keySet());
        return keys.stream()
                .filter(key -> !java.util.Objects.equals(after.get(key), before.get(key)))
                .map(key -> key + " " + after.getOrDefault(key, "(none)") + " instead of "
                        + before.getOrDefault(key, "(none)"))
                .toList();
    }
}
