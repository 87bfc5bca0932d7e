package io.jenkins.plugins.tao.bind;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.text.Suggestions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Types that are written as one word, and how each is read. A type of a backend takes part when it has a public static
 * factory that returns it: {@code parse(String)}, {@code of(String)}, {@code ofFile(Path)}, or {@code ofFile(Path,
 * Optional<Secret>)} for what may be locked with a passphrase.
 */
final class Words {
    private static final List<String> FACTORIES = List.of("parse", "of", "ofFile");

    /** The JVM copies all methods of a class each time it is asked for them, and each option of each job asks. */
    private static final ClassValue<Optional<Method>> FACTORY_OF = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            return FACTORIES.stream()
                    .flatMap(name -> Arrays.stream(type.getMethods())
                            .filter(method -> method.getName().equals(name) && isFactory(method, type)))
                    .findFirst();
        }
    };

    private final Map<Class<?>, Function<String, ?>> readers = new HashMap<>();

    Words(Map<Class<?>, Function<String, ?>> own) {
        Function<String, Integer> whole = text -> number("a whole number", text, Integer::valueOf);
        Function<String, Long> large = text -> number("a whole number", text, Long::valueOf);
        Function<String, Double> decimal = text -> number("a number", text, Double::valueOf);
        readers.put(String.class, text -> text);
        both(boolean.class, Boolean.class, Words::truth);
        both(int.class, Integer.class, whole);
        both(long.class, Long.class, large);
        both(double.class, Double.class, decimal);
        readers.put(OptionalInt.class, text -> OptionalInt.of(whole.apply(text)));
        readers.put(OptionalLong.class, text -> OptionalLong.of(large.apply(text)));
        readers.put(OptionalDouble.class, text -> OptionalDouble.of(decimal.apply(text)));
        readers.put(Duration.class, Words::duration);
        readers.put(Path.class, Path::of);
        readers.putAll(own);
    }

    private void both(Class<?> primitive, Class<?> boxed, Function<String, ?> reader) {
        readers.put(primitive, reader);
        readers.put(boxed, reader);
    }

    /** How {@code type} is read; empty for a type that is more than one word. */
    Optional<Function<String, ?>> reader(Class<?> type) {
        Function<String, ?> known = readers.get(type);
        if (known != null) {
            return Optional.of(known);
        }
        if (type.isEnum()) {
            return Optional.of(text -> constant(type, text));
        }
        return factory(type).map(factory -> text -> made(factory, text, Optional.empty()));
    }

    /** Whether what {@code type} is read from may be locked with a passphrase. */
    boolean takesPassphrase(Class<?> type) {
        return factory(type).filter(method -> method.getParameterCount() == 2).isPresent();
    }

    /** The passphrase that is found where {@code text} says. */
    Object passphrase(String text) {
        return reader(Secret.class).orElseThrow().apply(text);
    }

    /** Reads what is locked with {@code passphrase}. */
    Object unlocked(Class<?> type, String text, Object passphrase) {
        return made(factory(type).orElseThrow(), text, Optional.of(passphrase));
    }

    private static Duration duration(String text) {
        return Durations.parse(text).orElseThrow(() -> new WrongWord(Durations.FORM));
    }

    private static boolean truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default -> throw new WrongWord("true or false");
        };
    }

    private static <T> T number(String expected, String text, Function<String, T> reader) {
        try {
            return reader.apply(text.replace("_", ""));
        } catch (NumberFormatException e) {
            WrongWord wrong = new WrongWord(expected);
            wrong.addSuppressed(e);
            throw wrong;
        }
    }

    private static Object constant(Class<?> type, String text) {
        List<String> known = Arrays.stream(type.getEnumConstants())
                .map(each -> word(((Enum<?>) each).name()))
                .toList();
        int index = known.indexOf(word(text));
        if (index < 0) {
            throw new WrongWord("one of " + known, Suggestions.advice(text, known, "values"));
        }
        return type.getEnumConstants()[index];
    }

    private static String word(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private Object made(Method factory, String text, Optional<?> passphrase) {
        factory.trySetAccessible();
        boolean file = factory.getParameterTypes()[0] == Path.class;
        try {
            Object given = file ? reader(Path.class).orElseThrow().apply(text) : text;
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

    private static Optional<Method> factory(Class<?> type) {
        return FACTORY_OF.get(type);
    }

    private static boolean isFactory(Method method, Class<?> type) {
        List<Class<?>> arguments = List.of(method.getParameterTypes());
        return Modifier.isStatic(method.getModifiers())
                && method.getReturnType() == type
                && (arguments.equals(List.of(String.class))
                        || arguments.equals(List.of(Path.class))
                        || arguments.equals(List.of(Path.class, Optional.class)));
    }
}
