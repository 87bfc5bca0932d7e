package io.jenkins.plugins.tao.reference;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import io.jenkins.plugins.tao.job.text.Option;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** What is written for a component, by its type. */
final class ComponentForm {
    static final String NONE = "–";
    private static final Map<Class<?>, String> PLAIN = Map.ofEntries(
            Map.entry(String.class, "text"),
            Map.entry(boolean.class, "`true` or `false`"),
            Map.entry(Boolean.class, "`true` or `false`"),
            Map.entry(int.class, "whole number"),
            Map.entry(Integer.class, "whole number"),
            Map.entry(OptionalInt.class, "whole number"),
            Map.entry(long.class, "whole number"),
            Map.entry(OptionalLong.class, "whole number"),
            Map.entry(double.class, "number"),
            Map.entry(Double.class, "number"),
            Map.entry(OptionalDouble.class, "number"),
            Map.entry(Duration.class, "length of time"),
            Map.entry(Path.class, "path"),
            Map.entry(Secret.class, "reference to a secret"),
            Map.entry(SecretSource.class, "reference to a secret"),
            Map.entry(Object.class, "any value"));

    private ComponentForm() {}

    static String of(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            String element = of(arguments[arguments.length - 1]);
            Type raw = generic.getRawType();
            if (raw == Map.class) {
                return "names, each with " + (element.startsWith("any") ? "" : "a ") + element;
            }
            return raw == List.class || raw == Set.class ? "list of " + plural(element) : element;
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isEnum()) {
            return "one of "
                    + Arrays.stream(plain.getEnumConstants())
                            .map(ComponentForm::word)
                            .collect(Collectors.joining(", "));
        }
        boolean form = plain.getSimpleName().endsWith("Configuration") && !Modifier.isAbstract(plain.getModifiers());
        boolean group = form || (plain.isRecord() && !isWord(plain));
        return PLAIN.getOrDefault(plain, group ? "keys and values" : "text");
    }

    /** The unit of a length of time, else what the declaration says. */
    static String unit(Type type, Option option) {
        if (type.getTypeName().contains(Duration.class.getName())) {
            return "minutes, or with letters: `" + Durations.EXAMPLES.replace(", ", "`, `") + "`";
        }
        return option.unit().isEmpty() ? NONE : option.unit();
    }

    /** The record whose keys stand below this one; empty for a value. */
    static Optional<Class<?>> group(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return group(arguments[arguments.length - 1]);
        }
        Class<?> plain = (Class<?>) type;
        boolean ours = plain.isRecord() && !isWord(plain) && plain.getEnclosingClass() == null;
        return ours ? Optional.of(plain) : Optional.empty();
    }

    static String word(Object constant) {
        return "`" + ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-') + "`";
    }

    /** Whether the type reads one word; {@code bind} knows it by the same names. */
    private static boolean isWord(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .anyMatch(method -> method.getReturnType() == type
                        && List.of("parse", "of", "ofFile").contains(method.getName()));
    }

    private static String plural(String element) {
        return element.equals("text") ? "texts" : element.replace("one of", "any of");
    }
}
