package io.jenkins.plugins.tao.placing;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The placeholders by which a job names what its parent left: its results and its checkpoints. */
public final class Inheritance {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{parent\\.([a-z0-9.-]+)}");
    private static final String RESULTS = "results";
    private static final Pattern CHECKPOINT = Pattern.compile("checkpoint\\.(best|last|epoch-(\\d{1,9}))");
    private static final List<String> PLACES = List.of("/train", "");

    private Inheritance() {}

    /** What can be asked of the target where the parent ran. */
    public interface Parent {
        /** What lies at a path; empty when nothing does. */
        Optional<Paths.Listing> list(String path) throws BackendException;

        /** All of its {@code status.json}. */
        String status() throws BackendException;
    }

    /**
     * The placeholders that a job has.
     *
     * @throws IllegalArgumentException if one is unknown, or there is no parent
     */
    public static Set<String> wanted(JobSpec spec, boolean hasParent) {
        Set<String> names = new TreeSet<>();
        rewritten(spec, text -> {
            Matcher match = PLACEHOLDER.matcher(text);
            while (match.find()) {
                names.add(match.group(1));
            }
            return text;
        });
        for (String name : names) {
            if (!name.equals(RESULTS) && !CHECKPOINT.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "there is no {parent." + name
                                + "}; known are {parent.results}, {parent.checkpoint.best}, {parent.checkpoint.last} and {parent.checkpoint.epoch-12}");
            }
            if (!hasParent) {
                throw new IllegalArgumentException("{parent." + name + "} needs 'after', which names the parent");
            }
        }
        return names;
    }

    /** What the placeholders stand for. */
    public static Inherited of(JobHandle job, Set<String> wanted, List<String> targets, Parent parent) {
        boolean elsewhere = targets.stream().anyMatch(target -> !target.equals(job.target()));
        if (!wanted.isEmpty() && elsewhere && !job.resultsDirectory().startsWith("s3://")) {
            return Inherited.lacking(
                    "What " + job.key() + " left lies on target '" + job.target() + "', in " + job.resultsDirectory()
                            + ", and this job may run on another one. Name the same target, or keep results in S3.");
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String name : wanted) {
            try {
                Optional<String> value =
                        name.equals(RESULTS) ? Optional.of(job.resultsDirectory()) : checkpoint(job, name, parent);
                if (value.isEmpty()) {
                    return Inherited.lacking("The job " + job.key() + " left no such file as {parent." + name + "} in "
                            + job.resultsDirectory()
                            + " or its folder train. Look what lies there, and give its path in"
                            + " place of the placeholder.");
                }
                values.put(name, value.get());
            } catch (BackendException.Rejected | BackendException.Denied e) {
                return Inherited.lacking(unseen(job, e));
            } catch (BackendException e) {
                return Inherited.unknown(unseen(job, e));
            }
        }
        return Inherited.of(values);
    }

    private static String unseen(JobHandle job, BackendException why) {
        return "The checkpoints of " + job.key() + " could not be looked at. " + why.explain();
    }

    private static Optional<String> checkpoint(JobHandle job, String name, Parent parent) throws BackendException {
        Matcher which = CHECKPOINT.matcher(name);
        if (!which.matches()) {
            return Optional.empty();
        }
        String status = which.group(1).equals("best") ? parent.status() : "";
        for (String place : PLACES) {
            String folder = job.resultsDirectory() + place;
            Optional<Paths.Listing> listing = parent.list(folder);
            if (listing.filter(Paths.Listing::more).isPresent()) {
                throw new BackendException.Rejected(
                        folder + " holds more than " + Paths.MOST + " files.",
                        "Give the path of the checkpoint in place of the placeholder.");
            }
            List<String> files = listing.stream()
                    .flatMap(known -> known.entries().stream())
                    .map(Paths.Entry::name)
                    .toList();
            Optional<String> chosen = chosen(which, files, status);
            if (chosen.isPresent()) {
                return chosen.map(file -> folder + "/" + file);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> chosen(Matcher which, List<String> files, String status) {
        return switch (which.group(1)) {
            case "best" -> Checkpoints.best(files, status);
            case "last" -> Checkpoints.last(files);
            default -> Checkpoints.ofEpoch(files, Long.parseLong(which.group(2)));
        };
    }

    /** The job with its placeholders filled in. */
    public static JobSpec filled(JobSpec spec, Map<String, String> values) {
        return values.isEmpty() ? spec : rewritten(spec, text -> filled(text, values));
    }

    private static String filled(String text, Map<String, String> values) {
        return PLACEHOLDER
                .matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(values.getOrDefault(match.group(1), match.group())));
    }

    private static JobSpec rewritten(JobSpec spec, UnaryOperator<String> texts) {
        Map<String, String> env = new LinkedHashMap<>();
        spec.env().forEach((name, value) -> env.put(name, texts.apply(value)));
        return spec.toBuilder()
                .command(texts.apply(spec.command()))
                .env(env)
                .inputs(spec.inputs().stream().map(texts).toList())
                .spec(tree(spec.spec(), texts))
                .build();
    }

    private static Map<String, Object> tree(Map<?, ?> map, UnaryOperator<String> texts) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value(value, texts)));
        return copy;
    }

    private static @Nullable Object value(@Nullable Object value, UnaryOperator<String> texts) {
        if (value instanceof Map<?, ?> map) {
            return tree(map, texts);
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            list.forEach(one -> copy.add(value(one, texts)));
            return copy;
        }
        return value instanceof CharSequence text ? texts.apply(text.toString()) : value;
    }
}
