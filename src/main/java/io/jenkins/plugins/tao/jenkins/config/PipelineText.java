package io.jenkins.plugins.tao.jenkins.config;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.model.Describable;
import io.jenkins.plugins.tao.job.text.Suggestions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jenkinsci.plugins.structs.describable.DescribableModel;
import org.jenkinsci.plugins.structs.describable.DescribableParameter;
import org.jenkinsci.plugins.structs.describable.UninstantiatedDescribable;
import org.jspecify.annotations.Nullable;

/**
 * Lets a Pipeline write {@code gpus: 8}, {@code inputs: ['/a', '/b']} and {@code env: [A: '1']} where a form has a field
 * of text: values become the text that the form would hold, and become values again for the Snippet Generator.
 */
public final class PipelineText {
    private static final String SCRIPT = "command";
    /** Of an argument without a name, as Jenkins calls it. */
    private static final String ANONYMOUS = "<anonymous>";

    private PipelineText() {}

    /** The arguments with numbers, truth values, lists and maps as text; describables stay what they are. */
    public static Map<String, Object> flatten(Map<String, Object> arguments) {
        return flatten(arguments, UnaryOperator.identity());
    }

    /** The same, with {@code known} applied to each value first. */
    public static Map<String, Object> flatten(Map<String, Object> arguments, UnaryOperator<Object> known) {
        Map<String, Object> flat = new LinkedHashMap<>();
        arguments.forEach((name, value) -> {
            if (value != null) { // null is as if it were not given
                flat.put(
                        name,
                        value instanceof List<?> lines && name.equals(SCRIPT)
                                ? script(lines)
                                : text(name, value, known));
            }
        });
        return flat;
    }

    /**
     * Refuses arguments that {@code type} does not know.
     *
     * @param function what a Pipeline calls: {@code taoRun}, {@code simulated}
     * @throws IllegalArgumentException naming the nearest parameter and all of them
     */
    public static void refuseUnknown(String function, Class<?> type, Collection<String> given) {
        List<String> known = DescribableModel.of(type).getParameters().stream()
                .map(DescribableParameter::getName)
                .sorted()
                .toList();
        for (String name : given) {
            require(
                    known.contains(name) || name.equals(ANONYMOUS),
                    "%s has no parameter '%s'. %s",
                    function,
                    name,
                    Suggestions.advice(name, known, "parameters"));
        }
    }

    /** A script given as a list has a line an entry. */
    private static String script(List<?> lines) {
        return String.join("\n", lines.stream().map(String::valueOf).toList());
    }

    private static @Nullable Object text(String name, @Nullable Object given, UnaryOperator<Object> known) {
        if (given == null) {
            return null;
        }
        Object value = known.apply(given);
        if (value instanceof CharSequence || value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        if (value instanceof Collection<?> list) {
            return ListText.write(list.stream()
                    .map(entry -> String.valueOf(plainValue(name, text(name, entry, known))))
                    .toList());
        }
        if (value instanceof Map<?, ?> map && !map.containsKey("$class")) {
            return FormText.yaml(plain(name, map));
        }
        fits(
                name,
                value,
                value instanceof Map || value instanceof Describable || value instanceof UninstantiatedDescribable);
        return value;
    }

    /**
     * The arguments with the texts of {@code mappings} as maps again; a text that is no mapping stays as it was entered. So does one
     * with a dot in a key: the generator of Pipeline text writes such a key without quotes, which Groovy refuses.
     */
    public static Map<String, Object> unflatten(Map<String, ?> arguments, List<String> mappings) {
        Map<String, Object> natural = new LinkedHashMap<>(arguments);
        for (String name : mappings) {
            if (natural.get(name) instanceof String text) {
                natural.put(name, mapping(name, text));
            }
        }
        return natural;
    }

    private static Object mapping(String name, String text) {
        try {
            Map<String, Object> map = FormText.map(name, text);
            return hasDots(map) ? text : map;
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    private static boolean hasDots(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .anyMatch(entry -> String.valueOf(entry.getKey()).contains(".") || hasDots(entry.getValue()));
        }
        return value instanceof List<?> list && list.stream().anyMatch(PipelineText::hasDots);
    }

    /** Groovy's own kinds of text are written as plain ones. */
    private static Map<String, Object> plain(String field, Map<?, ?> map) {
        Map<String, Object> plain = new LinkedHashMap<>();
        map.forEach((name, value) -> plain.put(String.valueOf(name), plainValue(field + "." + name, value)));
        return plain;
    }

    private static @Nullable Object plainValue(String field, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return plain(field, map);
        }
        if (value instanceof Collection<?> list) {
            List<Object> entries = new ArrayList<>();
            list.forEach(entry -> entries.add(plainValue(field, entry)));
            return entries;
        }
        if (value == null) {
            return null;
        }
        fits(field, value, value instanceof CharSequence || value instanceof Number || value instanceof Boolean);
        return value instanceof CharSequence ? value.toString() : value;
    }

    private static void fits(String field, Object value, boolean known) {
        require(
                known,
                "%s must be text, a number, true or false, a list or a mapping, was of the type %s",
                field,
                value.getClass().getSimpleName());
    }
}
