package io.jenkins.plugins.tao.backend;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Passes files on to another sink and notes which patterns matched one, taken or left out. Safe for use by several threads. */
public final class PatternUse implements ArtifactSink {
    private static final String RESULTS = "results/";

    private final ArtifactSink sink;
    private final Map<String, Predicate<String>> unused = new LinkedHashMap<>();

    /** Notes the patterns of {@code plan}; {@code sink} gets all files. */
    public PatternUse(ArtifactPlan plan, ArtifactSink sink) {
        this.sink = sink;
        ArtifactChoice choice = new ArtifactChoice(plan, new Unheard());
        plan.globs().forEach(glob -> unused.put(glob, choice.matching(List.of(glob))));
    }

    @Override
    public ArtifactFile open(String path) throws IOException {
        note(path);
        return sink.open(path);
    }

    @Override
    public void skipped(String path, String reason) {
        note(path);
        sink.skipped(path, reason);
    }

    private synchronized void note(String path) {
        String below = path.startsWith(RESULTS) ? path.substring(RESULTS.length()) : path;
        unused.keySet().remove(below);
        unused.values().removeIf(pattern -> pattern.test(below));
    }

    /** The backend tells what is no pattern; once is enough. */
    private static final class Unheard implements ArtifactSink {
        @Override
        public ArtifactFile open(String path) {
            throw new IllegalStateException("a choice of files opens none");
        }

        @Override
        public void skipped(String path, String reason) {
            // told by the backend
        }
    }

    /** The patterns that no file has matched so far, in the order of the plan. */
    public synchronized List<String> unmatched() {
        return List.copyOf(unused.keySet());
    }
}
