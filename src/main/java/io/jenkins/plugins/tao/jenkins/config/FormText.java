package io.jenkins.plugins.tao.jenkins.config;

import static io.jenkins.plugins.tao.job.Require.require;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.jenkins.plugins.tao.bind.YamlTree;
import io.jenkins.plugins.tao.job.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads the texts of forms; each failure names the field. */
public final class FormText {
    private static final int LONGEST_SHOWN = 60;

    private static final YAMLMapper YAML = new YAMLMapper(YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build());

    private FormText() {}

    /** The text without blanks around it; empty for none. */
    public static Optional<String> text(@Nullable String value) {
        return value == null || value.isBlank() ? Optional.empty() : Optional.of(value.strip());
    }

    /** The text to keep: what was given, or the empty one; never null, as forms send both. */
    public static String kept(@Nullable String value) {
        return value == null ? "" : value.strip();
    }

    /** Entries separated by line ends or by commas outside of braces and brackets, or a list in JSON. */
    public static List<String> list(@Nullable String value) {
        return ListText.read(kept(value), true);
    }

    /** Entries of a line each, commas belonging to them, or a list in JSON. */
    public static List<String> lines(@Nullable String value) {
        return ListText.read(kept(value), false);
    }

    /** {@value Durations#FORM}. */
    public static Optional<Duration> duration(String field, @Nullable String value) {
        return text(value)
                .map(given -> Durations.parse(given)
                        .orElseThrow(() -> new IllegalArgumentException(
                                field + " must be " + Durations.FORM + ", was '" + given + "'")));
    }

    /** A whole number. */
    public static Optional<Integer> number(String field, @Nullable String value) {
        return text(value).map(given -> {
            require(given.matches("-?\\d{1,9}"), "%s must be a whole number, was '%s'", field, given);
            return Integer.valueOf(given);
        });
    }

    /** A whole number of things. */
    public static OptionalInt count(String field, @Nullable String value) {
        Optional<Integer> given = number(field, value);
        return given.isPresent() ? OptionalInt.of(given.get()) : OptionalInt.empty();
    }

    /** One of the words that {@code kind} knows, in capitals or not. */
    public static <E extends Enum<E>> Optional<E> constant(String field, @Nullable String value, Class<E> kind) {
        return text(value)
                .map(given -> Arrays.stream(kind.getEnumConstants())
                        .filter(each -> each.name().equalsIgnoreCase(given))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(field + " must be one of "
                                + Arrays.toString(kind.getEnumConstants()).toLowerCase(Locale.ROOT) + ", was '" + given
                                + "'")));
    }

    /** A mapping in YAML, nested or not; JSON is YAML too. Words without quotes are the numbers and truth values that they look like. */
    public static Map<String, Object> map(String field, @Nullable String value) {
        return mapping(field, kept(value), true);
    }

    private static Map<String, Object> mapping(String field, String given, boolean typed) {
        try {
            return YamlTree.mapping(given, typed).orElseThrow(() -> noMapping(field, given, 0, null));
        } catch (YAMLException e) {
            Mark mark = e instanceof MarkedYAMLException marked ? marked.getProblemMark() : null;
            throw noMapping(field, given, mark == null ? 0 : mark.getLine(), e);
        } catch (YamlTree.BadKey e) {
            throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
        }
    }

    /** The parser's words are about its own classes: only the place is of use to the author of the text. */
    private static IllegalArgumentException noMapping(
            String field, String given, int line, @Nullable YAMLException cause) {
        String place = line > 0 ? "; line " + (line + 1) + " is not" : "";
        return new IllegalArgumentException(
                field + " must be a mapping in YAML, one 'NAME: value' a line" + place + ", was '" + shortened(given)
                        + "'",
                cause);
    }

    private static String shortened(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= LONGEST_SHOWN && line.equals(text)
                ? line
                : line.substring(0, Math.min(LONGEST_SHOWN, line.length())) + "…";
    }

    /** A flat mapping of texts in YAML, each as it is written: {@code 1.10} stays so. */
    public static Map<String, String> texts(String field, @Nullable String value) {
        Map<String, String> texts = new LinkedHashMap<>();
        mapping(field, kept(value), false).forEach((name, entry) -> {
            require(entry != null, "%s has no value for '%s'", field, name);
            require(
                    !(entry instanceof Map || entry instanceof List),
                    "%s: the value of '%s' must be text",
                    field,
                    name);
            texts.put(name, String.valueOf(entry));
        });
        return texts;
    }

    /** The YAML that {@link #map} reads. */
    public static String yaml(Map<?, ?> map) {
        try {
            return YAML.writeValueAsString(map).strip();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as YAML: " + e.getOriginalMessage(), e);
        }
    }
}
