package io.jenkins.plugins.tao.spec;

import io.jenkins.plugins.tao.job.JobSpec;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Paths in a job's spec, variables and command that its machines do not have, or from where no results are brought home. */
public final class StrayPaths {
    private static final String END = "[^\\s\"'`;,|&()<>]*+";
    private static final Pattern ADDRESS = Pattern.compile("\\b(?:file|local)://+(/" + END + "|" + END + ")");
    private static final Pattern PATH = Pattern.compile("(?<![\\w.:/{}$~*?-])/[\\w.@+-]++(?:/[\\w.@+-]++)++");
    private static final Pattern RESULTS =
            Pattern.compile("(?<![\\w/.])(?:\\w++\\.)*+results_dir=[\"']?+(/" + END + ")");

    private StrayPaths() {}

    /**
     * One of them.
     *
     * @param place the key of the spec, the variable, or {@code command}
     */
    public record Found(String place, String path) {
        @Override
        public String toString() {
            return path + " (" + place + ")";
        }
    }

    /** {@code file://} addresses but those of {@code shared} paths. */
    public static List<Found> addresses(JobSpec job, Predicate<String> shared) {
        List<Found> found = new ArrayList<>();
        each(job, (place, text) -> {
            Matcher address = ADDRESS.matcher(text);
            while (address.find()) {
                if (!shared.test("/" + address.group(1).replaceFirst("^/+", ""))) {
                    found.add(new Found(place, address.group()));
                }
            }
        });
        return found;
    }

    /** Paths that are there on this machine, below the directories of this process: its home, where it runs, and Jenkins' own. */
    public static List<Found> here(JobSpec job) {
        List<Path> own = Stream.concat(
                        Stream.of("user.dir", "user.home", "JENKINS_HOME")
                                .flatMap(name -> Stream.ofNullable(System.getProperty(name))),
                        Stream.ofNullable(System.getenv("JENKINS_HOME")))
                .filter(text -> text.startsWith("/") && text.length() > 1)
                .map(Path::of)
                .toList();
        return here(job, own);
    }

    static List<Found> here(JobSpec job, List<Path> own) {
        List<Found> found = new ArrayList<>();
        each(job, (place, text) -> {
            Matcher path = PATH.matcher(text);
            while (path.find()) {
                if (isHere(path.group(), own)) {
                    found.add(new Found(place, path.group()));
                }
            }
        });
        return found;
    }

    private static boolean isHere(String text, List<Path> own) {
        try {
            Path path = Path.of(text).normalize();
            return own.stream().anyMatch(path::startsWith) && Files.exists(path);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** Where the command says that it writes results, outside {@code results}. */
    public static List<Found> results(JobSpec job, String results) {
        List<Found> found = new ArrayList<>();
        Matcher named = RESULTS.matcher(job.command());
        while (named.find()) {
            String path = named.group(1);
            if (!path.equals(results) && !path.startsWith(results + "/")) {
                found.add(new Found("command", path));
            }
        }
        return found;
    }

    /** Each text of the job with its place; those of a list have the list's. */
    public static void each(JobSpec job, BiConsumer<String, String> texts) {
        walk("", job.spec(), texts);
        job.env().forEach(texts);
        texts.accept("command", job.hooks().around(job.command()));
    }

    private static void walk(String place, @Nullable Object value, BiConsumer<String, String> texts) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, item) -> walk(place + (place.isEmpty() ? "" : ".") + name, item, texts));
        } else if (value instanceof Iterable<?> list && !(value instanceof Path)) {
            list.forEach(item -> walk(place, item, texts));
        } else if (value != null) {
            texts.accept(place, value.toString());
        }
    }
}
