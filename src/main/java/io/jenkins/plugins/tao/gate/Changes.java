package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.record.SpecLabels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What changed between two runs, from their records alone: the first place to look after a regression. */
public record Changes(RunRecord before, RunRecord now) {
    private static final String UNKNOWN = "(not known)";
    private static final List<String> HEADS = List.of("what", "before", "now");

    /** One thing that is another now; {@code (not known)} where a record does not tell it. */
    public record Change(String what, String before, String now) {}

    /** All of them, the likeliest cause first; what neither record knows is none. */
    public List<Change> all() {
        List<Change> changes = new ArrayList<>();
        paths().forEach((what, path) -> add(changes, what, before.text(path), now.text(path)));
        commands(changes);
        entries(changes, "spec", "work/spec");
        if (knowsEnvironment(before) && knowsEnvironment(now)) {
            entries(changes, "env", "work/env");
        }
        add(changes, "nodes", joined(before), joined(now));
        return changes;
    }

    /** A record of an older version has the hash of its command alone. */
    private void commands(List<Change> changes) {
        boolean both = knowsEnvironment(before) && knowsEnvironment(now);
        String path = both ? "work/command" : "work/commandHash";
        add(changes, "command", before.text(path), now.text(path));
        if (both) {
            add(changes, "script before", before.text("work/pre"), now.text("work/pre"));
            add(changes, "script after", before.text("work/post"), now.text("work/post"));
        }
    }

    /** Whether a record tells of environment and scripts, which those of older versions do not. */
    private static boolean knowsEnvironment(RunRecord run) {
        return run.text("work/command").isPresent();
    }

    private void entries(List<Change> changes, String what, String path) {
        Map<String, String> then = before.entries(path);
        Map<String, String> today = now.entries(path);
        new java.util.TreeSet<>(keys(then, today))
                .stream()
                        .filter(key -> !SpecLabels.is(key))
                        .forEach(key -> add(
                                changes,
                                what + " " + key,
                                Optional.of(then.getOrDefault(key, "(none)")),
                                Optional.of(today.getOrDefault(key, "(none)"))));
    }

    /** Those of what was asked for: a run that has not begun knows no machines yet. */
    public List<Change> ofRequest() {
        return all().stream()
                .filter(change ->
                        !change.now().equals(UNKNOWN) && !change.what().equals("nodes"))
                .toList();
    }

    private static Map<String, String> paths() {
        Map<String, String> paths = new LinkedHashMap<>();
        paths.put("commit", "origin/code");
        paths.put("uncommitted changes", "origin/dirty");
        paths.put("branch", "origin/branch");
        paths.put("image", "work/image");
        paths.put("image digest", "work/imageDigest");
        paths.put("data", "work/data");
        paths.put("seed", "work/seed");
        paths.put("target", "target");
        paths.put("GPU type", "machines/gpuType");
        paths.put("GPUs a node", "machines/gpus");
        paths.put("number of nodes", "machines/nodeCount");
        paths.put("driver", "machines/driver");
        paths.put("CUDA", "machines/cuda");
        return paths;
    }

    private static java.util.Set<String> keys(Map<String, String> one, Map<String, String> other) {
        java.util.Set<String> keys = new java.util.HashSet<>(one.keySet());
        keys.addAll(other.keySet());
        return keys;
    }

    private static Optional<String> joined(RunRecord run) {
        List<String> nodes = run.texts("machines/nodes");
        return nodes.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", nodes));
    }

    private static void add(List<Change> changes, String what, Optional<String> before, Optional<String> now) {
        if (!before.equals(now)) {
            changes.add(new Change(what, before.orElse(UNKNOWN), now.orElse(UNKNOWN)));
        }
    }

    /** Lines for a terminal or a log. */
    public String text() {
        List<Change> all = all();
        if (all.isEmpty()) {
            return "nothing that the records know changed between " + before.label() + " and " + now.label() + "\n";
        }
        return "changed between " + before.label() + " and " + now.label() + ":\n" + Table.text(HEADS, rows());
    }

    /** A table of GitHub's Markdown. */
    public String markdown() {
        return Table.markdown(HEADS, rows());
    }

    private List<List<String>> rows() {
        return all().stream()
                .map(change -> List.of(change.what(), change.before(), change.now()))
                .toList();
    }

    /** The last good run that the finding names; the newest comparable run that succeeded where it is compared with no run. */
    public static Optional<RunRecord> lastGood(Evidence evidence, Finding finding) {
        String label = finding.standing().lastGood();
        if (label.isEmpty() && finding.standing().phase().isPresent()) {
            return Optional.empty();
        }
        List<RunRecord> good = evidence.history().stream()
                .filter(RunRecord::succeeded)
                .filter(run -> !Evidence.confirms(run)
                        && (label.isEmpty() || run.label().equals(label)))
                .filter(run -> finding.criterion()
                        .matching()
                        .differences(evidence.anchor(), run)
                        .isEmpty())
                .toList();
        return good.isEmpty() ? Optional.empty() : Optional.of(good.get(good.size() - 1));
    }
}
