package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Comparability;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What changed between two runs, from their records alone: the first place to look after a regression. */
public final class Changes {
    private static final String UNKNOWN = "(not known)";
    private static final List<String> HEADS = List.of("what", "before", "now");

    private final RunRecord before;
    private final RunRecord now;

    /** The changes from {@code before} to {@code now}. */
    public Changes(RunRecord before, RunRecord now) {
        this.before = before;
        this.now = now;
    }

    /** One thing that is another now; {@code (not known)} where a record does not tell it. */
    public record Change(String what, String before, String now) {}

    /** All of them, the likeliest cause first; what neither record knows is none. */
    public List<Change> all() {
        List<Change> changes = new ArrayList<>();
        paths().forEach((what, path) -> add(changes, what, before.text(path), now.text(path)));
        Map<String, String> then = before.entries("work/spec");
        Map<String, String> spec = now.entries("work/spec");
        new java.util.TreeSet<>(keys(then, spec))
                .forEach(key -> add(
                        changes,
                        "spec " + key,
                        Optional.of(then.getOrDefault(key, "(none)")),
                        Optional.of(spec.getOrDefault(key, "(none)"))));
        add(changes, "nodes", joined(before), joined(now));
        return changes;
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
        paths.put("command", "work/commandHash");
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
                .filter(run -> Comparability.differences(evidence.anchor(), run).isEmpty())
                .toList();
        return good.isEmpty() ? Optional.empty() : Optional.of(good.get(good.size() - 1));
    }
}
