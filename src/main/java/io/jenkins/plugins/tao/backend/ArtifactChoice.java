package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Decides which files of a job are brought home: by pattern, each once, all within the limits of one plan. */
public final class ArtifactChoice {
    private static final Pattern GROUP_OR_ANYWHERE = Pattern.compile("\\{[^}]*}|(?<![^/])\\*\\*/");

    private final ArtifactPlan plan;
    private final ArtifactSink sink;
    private final Set<String> seen = new HashSet<>();
    private final List<String> failures = new ArrayList<>();
    private long total;

    /** Tells {@code sink} what is left out. */
    public ArtifactChoice(ArtifactPlan plan, ArtifactSink sink) {
        this.plan = plan;
        this.sink = sink;
    }

    /** Whether a relative path matches one of {@code globs} and is clean; a glob that is none is told. */
    public Predicate<String> matching(List<String> globs) {
        List<PathMatcher> matchers = new ArrayList<>();
        for (String glob : globs) {
            try {
                matchers.add(FileSystems.getDefault().getPathMatcher("glob:" + antLike(glob)));
            } catch (PatternSyntaxException e) {
                sink.skipped(glob, "is not a file pattern: " + e.getDescription());
            }
        }
        return path -> isClean(path) && matches(matchers, path);
    }

    /** Any number of directories are none as well, as people know it from Ant; groups stay, since they cannot be nested. */
    private static String antLike(String glob) {
        return GROUP_OR_ANYWHERE
                .matcher(glob)
                .replaceAll(
                        found -> Matcher.quoteReplacement(found.group().startsWith("{") ? found.group() : "{**/,}"));
    }

    private static boolean matches(List<PathMatcher> matchers, String path) {
        try {
            return matchers.stream().anyMatch(matcher -> matcher.matches(Path.of(path)));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static boolean isClean(String path) {
        List<String> parts = List.of(path.split("/", -1));
        // the code that a job fetched for itself, and notes of its frame, are no results
        return path.indexOf('\0') < 0
                && !parts.get(0).equals(".tao")
                && !parts.contains("..")
                && !parts.contains("")
                && !parts.contains(".");
    }

    /** Something that is there did not come, or came in part only, and is not kept; the others are. */
    public void failed(String name, String why) {
        sink.skipped(name, why);
        missed(name + " " + why);
    }

    /** The same for what has no name. */
    public void missed(String what) {
        failures.add(what);
    }

    /**
     * Checks that everything that was chosen was fetched.
     *
     * @param files which they are, for a person
     * @throws Unreadable naming what is not
     */
    public void end(String files, String remedy) throws Unreadable {
        if (!failures.isEmpty()) {
            throw new Unreadable(
                    files + " were not fetched completely and were discarded", String.join("; ", failures), remedy);
        }
    }

    /** Whether {@code name} comes up for the first time. */
    public boolean isNew(String name) {
        return seen.add(name);
    }

    /**
     * Whether to copy {@code name}: a new one that fits within the limits, which count it from now on.
     *
     * @param address where it stays when it does not fit
     */
    public boolean take(String name, long size, String address) {
        if (!isNew(name)) {
            return false;
        }
        if (size > plan.maxBytesPerFile()) {
            sink.skipped(
                    name,
                    "has " + Bytes.words(size) + ", more than the limit of " + Bytes.words(plan.maxBytesPerFile())
                            + " a file; it stays at " + address);
            return false;
        }
        if (size > plan.maxBytes() - total) {
            sink.skipped(
                    name,
                    "has " + Bytes.words(size) + " and would pass the limit of " + Bytes.words(plan.maxBytes())
                            + " in all; it stays at " + address);
            return false;
        }
        total += size;
        return true;
    }
}
