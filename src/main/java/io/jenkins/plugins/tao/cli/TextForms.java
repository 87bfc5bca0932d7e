package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Types that a person writes as one word. A backend's own type takes part when it has a public static factory of one
 * argument that returns it: {@code parse(String)}, {@code of(String)}, or {@code ofFile(Path)} for what lies in a file;
 * {@code ofFile(Path, Optional<Secret>)} takes a passphrase too.
 */
final class TextForms {
    private static final List<String> FACTORIES = List.of("parse", "of", "ofFile");

    private final Surroundings here;

    TextForms(Surroundings here) {
        this.here = here;
    }

    /** Whether {@code type} is written as one word. */
    boolean takes(Class<?> type) {
        return type == String.class
                || type == boolean.class
                || type == int.class
                || type == long.class
                || type == double.class
                || type == Integer.class
                || type == Long.class
                || type == Double.class
                || type == Boolean.class
                || type == Duration.class
                || type == Path.class
                || type == Secret.class
                || type == SecretSource.class
                || type.isEnum()
                || factory(type).isPresent();
    }

    /**
     * Makes one.
     *
     * @throws IllegalArgumentException if the text is no such thing; the message says what is
     */
    Object make(Class<?> type, String text, Optional<Secret> passphrase) throws UsageException {
        if (type == String.class) {
            return text;
        }
        if (type == boolean.class || type == Boolean.class) {
            return truth(text);
        }
        if (type == Duration.class) {
            return Durations.parse(text)
                    .orElseThrow(() -> wrong("a length of time such as 4h, 90m, 1-12:00:00 or minutes", text));
        }
        if (type == Path.class) {
            return here.path(text);
        }
        if (type == Secret.class) {
            return SecretRef.parse(text).resolve("the target", here);
        }
        if (type == SecretSource.class) {
            return source(SecretRef.parse(text));
        }
        if (type.isEnum()) {
            return constant(type, text);
        }
        return type.isPrimitive() || Number.class.isAssignableFrom(type)
                ? number(type, text)
                : made(type, text, passphrase);
    }

    private SecretSource source(SecretRef reference) {
        return SecretSource.of(reference, () -> {
            try {
                return reference.resolve("the target", here);
            } catch (UsageException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        });
    }

    private static Object truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default -> throw wrong("true or false", text);
        };
    }

    private static Object number(Class<?> type, String text) {
        String plain = text.replace("_", "");
        try {
            if (type == int.class || type == Integer.class) {
                return Integer.parseInt(plain);
            }
            return type == long.class || type == Long.class
                    ? (Object) Long.parseLong(plain)
                    : Double.parseDouble(plain);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    (type == double.class ? "expected a number" : "expected a whole number") + ", found '" + text + "'",
                    e);
        }
    }

    private static Object constant(Class<?> type, String text) {
        List<String> known = List.of(type.getEnumConstants()).stream()
                .map(each -> word(((Enum<?>) each).name()))
                .toList();
        for (Object each : type.getEnumConstants()) {
            if (word(((Enum<?>) each).name()).equals(word(text))) {
                return each;
            }
        }
        throw new IllegalArgumentException("unknown value '" + text + "'. " + Keys.advice(text, known, "values"));
    }

    private static String word(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private Object made(Class<?> type, String text, Optional<Secret> passphrase) {
        Method factory = factory(type).orElseThrow();
        try {
            Object given = factory.getParameterTypes()[0] == Path.class ? here.path(text) : text;
            return factory.getParameterCount() == 1
                    ? factory.invoke(null, given)
                    : factory.invoke(null, given, passphrase);
        } catch (InvocationTargetException e) {
            String why = e.getCause() instanceof IllegalArgumentException wrong ? wrong.getMessage() : "'" + text + "'";
            throw new IllegalArgumentException(why, e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(factory + " must be public", e);
        }
    }

    /** Whether what lies in the file may be locked with a passphrase. */
    boolean takesPassphrase(Class<?> type) {
        return factory(type).filter(method -> method.getParameterCount() == 2).isPresent();
    }

    private static Optional<Method> factory(Class<?> type) {
        return FACTORIES.stream()
                .flatMap(name -> List.of(type.getMethods()).stream()
                        .filter(method -> method.getName().equals(name) && isFactory(method, type)))
                .findFirst();
    }

    private static boolean isFactory(Method method, Class<?> type) {
        Class<?>[] arguments = method.getParameterTypes();
        return Modifier.isStatic(method.getModifiers())
                && method.getReturnType() == type
                && (Arrays.equals(arguments, new Class<?>[] {String.class})
                        || Arrays.equals(arguments, new Class<?>[] {Path.class})
                        || Arrays.equals(arguments, new Class<?>[] {Path.class, Optional.class}));
    }

    private static IllegalArgumentException wrong(String expected, String found) {
        return new IllegalArgumentException("expected " + expected + ", found '" + found + "'");
    }
}
