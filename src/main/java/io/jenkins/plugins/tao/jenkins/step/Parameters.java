package io.jenkins.plugins.tao.jenkins.step;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameters of steps by their names, as their public getters and setters have them. */
public final class Parameters {
    private static final Pattern GETTER = Pattern.compile("(?:get|is)([A-Z].*)");

    private Parameters() {}

    /** Sets each text of {@code step} without the blanks around it, and to the empty text where a Pipeline or a saved build has null. */
    public static void tidy(Object step) {
        for (Method setter : step.getClass().getMethods()) {
            String name = setter.getName().replaceFirst("^set", "");
            boolean ofText = setter.getParameterCount() == 1 && setter.getParameterTypes()[0] == String.class;
            if (ofText
                    && !name.equals(setter.getName())
                    && method(step, "get" + name).isPresent()) {
                call(setter, step, text(step, name).strip());
            }
        }
    }

    /** Gives {@code to} what {@code from} has of the parameters of {@code kind}; one that {@code to} does not take is left out. */
    static void copy(Object from, Object to, Class<?> kind) {
        for (Method getter : kind.getMethods()) {
            Matcher name = GETTER.matcher(getter.getName());
            if (getter.getParameterCount() == 0 && name.matches()) {
                method(to, "set" + name.group(1), getter.getReturnType())
                        .ifPresent(setter -> call(setter, to, call(getter, from)));
            }
        }
    }

    /** Gives {@code to} the texts of {@code from} where it has none, but those called {@code without}. */
    static void fill(Object from, Object to, Class<?> kind, Collection<String> without) {
        for (Method getter : kind.getMethods()) {
            String name = getter.getName().replaceFirst("^get", "");
            if (getter.getReturnType() == String.class && without.stream().noneMatch(name::equalsIgnoreCase)) {
                method(to, "set" + name, String.class)
                        .filter(setter -> text(to, name).isBlank())
                        .ifPresent(setter -> call(setter, to, call(getter, from)));
            }
        }
    }

    /** The text of a parameter; blank where it has none, or has none of this name. */
    static String text(Object step, String name) {
        return method(step, "get" + capital(name))
                .map(getter -> call(getter, step))
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .orElse("");
    }

    /** Sets a parameter that is a text. */
    static void set(Object step, String name, String text) {
        call(method(step, "set" + capital(name), String.class).orElseThrow(), step, text);
    }

    private static String capital(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    private static Optional<Method> method(Object step, String name, Class<?>... types) {
        try {
            return Optional.of(step.getClass().getMethod(name, types));
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        }
    }

    private static @Nullable Object call(Method method, Object on, @Nullable Object... values) {
        try {
            return method.invoke(on, values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(method + " of a step must be public and refuse nothing", e);
        }
    }
}
