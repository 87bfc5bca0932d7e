package io.jenkins.plugins.tao.bind;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.Suggestions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values of an experiment spec that are replaced by their paths, as in {@code train.optim.lr}. A spec names only what differs from
 * the network's defaults, so a new key is no mistake; one that differs by a slip from a key of the spec is.
 */
public final class SpecPaths {
    /** Parts of a job whose values have paths beside those of the spec. */
    private static final List<String> PARTS = List.of("env", "args");

    /** In front of a path: the key is meant as it is written, as in Hydra. */
    private static final String NEW = "+";

    private SpecPaths() {}

    /**
     * A copy of {@code spec} with the values of {@code set} at their paths.
     *
     * @throws IllegalArgumentException if a path is none, is a slip, or leads through a value that has no keys
     */
    public static Map<String, Object> replaced(Map<String, Object> spec, Map<String, ?> set) {
        Map<String, Object> changed = spec;
        for (Map.Entry<String, ?> value : set.entrySet()) {
            changed = with(changed, keys(value.getKey(), known(spec)), value.getKey(), value.getValue());
        }
        return changed;
    }

    private static Map<String, Object> with(Map<?, ?> from, List<String> keys, String path, Object value) {
        Map<String, Object> copy = new LinkedHashMap<>();
        from.forEach((key, each) -> copy.put(String.valueOf(key), each));
        String key = keys.get(0);
        if (keys.size() == 1) {
            copy.put(key, value);
            return copy;
        }
        Object inner = Optional.<Object>ofNullable(copy.get(key)).orElse(Map.of());
        require(
                inner instanceof Map,
                "'%s' of the spec is a single value or a list, so there is no '%s' to replace",
                key,
                path);
        copy.put(key, with((Map<?, ?>) inner, keys.subList(1, keys.size()), path, value));
        return copy;
    }

    /**
     * The keys of {@code path} from the outside in.
     *
     * @param known what {@link #known} says of the spec
     * @throws IllegalArgumentException if it is no path, or differs by a slip from a known one
     */
    public static List<String> keys(String path, Collection<String> known) {
        boolean isNew = path.startsWith(NEW);
        String plain = isNew ? path.substring(1) : path;
        List<String> keys = List.of(plain.split("\\.", -1));
        require(
                keys.stream().noneMatch(String::isBlank),
                "'%s' is no path of a spec; write the keys with dots, as in train.num_epochs",
                path);
        Optional<String> meant = isNew ? Optional.empty() : meant(plain, known);
        require(
                meant.isEmpty(),
                "the spec has no '%s'; did you mean '%s'? Write +%s if the key is new",
                plain,
                meant.orElse(""),
                plain);
        return keys;
    }

    /**
     * The part of a job that {@code path} begins with, as in {@code env.NAME}; empty for a path of the spec.
     *
     * @param known what {@link #known} says of the spec
     * @throws IllegalArgumentException if the first word differs by a slip from a part and is no section
     */
    public static String part(String path, Collection<String> known) {
        String word = path.substring(0, Math.max(0, path.indexOf('.')));
        boolean inSpec = path.startsWith(NEW) || (known.contains(word) && !PARTS.contains(word));
        String part = inSpec ? "" : Suggestions.slip(word, PARTS).orElse("");
        require(
                part.isEmpty() || part.equals(word),
                "the spec has no '%s'. Did you mean '%s'? Write +%s if the key is new",
                path,
                part + path.substring(word.length()),
                path);
        return part;
    }

    /**
     * Refuses the place of a seed that differs by a slip from one that the job has.
     *
     * @throws IllegalArgumentException if it does
     */
    public static void checkSeed(String path, Map<?, ?> spec) {
        try {
            Set<String> known = known(spec);
            part(path, known);
            keys(path, known);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("confirm: " + e.getMessage(), e);
        }
    }

    /**
     * The value at {@code path}; null where there is none.
     *
     * @throws IllegalArgumentException if it is no path, or differs by a slip from a known one
     */
    public static @Nullable Object value(Map<?, ?> spec, String path) {
        Object at = spec;
        for (String key : keys(path, known(spec))) {
            at = at instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return at;
    }

    /** All paths of a spec, those of groups too. */
    public static Set<String> known(Map<?, ?> spec) {
        Set<String> paths = new LinkedHashSet<>();
        add(spec, "", paths);
        return paths;
    }

    private static void add(Map<?, ?> group, String above, Set<String> paths) {
        group.forEach((key, value) -> {
            paths.add(above + key);
            if (value instanceof Map<?, ?> inner) {
                add(inner, above + key + ".", paths);
            }
        });
    }

    /** The known path that {@code path} is a slip of: a key that is nearly one beside it, or the end of a longer path. */
    private static Optional<String> meant(String path, Collection<String> known) {
        if (known.contains(path)) {
            return Optional.empty();
        }
        int start = 0;
        int dot = path.indexOf('.');
        while (dot > start && known.contains(path.substring(0, dot))) {
            start = dot + 1;
            dot = path.indexOf('.', start);
        }
        String above = path.substring(0, start);
        int end = dot > start ? dot : path.length();
        String key = path.substring(start, end);
        String below = path.substring(end);
        return Suggestions.slip(key, children(above, known))
                .map(near -> known.contains(above + near + below) ? above + near + below : above + near)
                .or(() -> above.isEmpty()
                        ? known.stream().filter(one -> one.endsWith("." + path)).findFirst()
                        : Optional.empty());
    }

    private static List<String> children(String parent, Collection<String> known) {
        List<String> names = new ArrayList<>();
        for (String path : known) {
            if (path.startsWith(parent) && path.indexOf('.', parent.length()) < 0) {
                names.add(path.substring(parent.length()));
            }
        }
        return names;
    }
}
