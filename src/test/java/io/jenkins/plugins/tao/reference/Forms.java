package io.jenkins.plugins.tao.reference;

import io.jenkins.plugins.tao.OurClasses;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** The properties of describables, as Stapler finds them: arguments of the constructor, and what has a setter. */
public final class Forms {
    private static final String CONFIG = "io.jenkins.plugins.tao.jenkins.config";

    private Forms() {}

    /** The describable that makes {@code record}; empty without one. */
    static Optional<Class<?>> of(Class<?> record) {
        return Found.FORMS.stream()
                .filter(form -> form.getSimpleName().equals(record.getSimpleName() + "Configuration")
                        || Arrays.stream(form.getDeclaredMethods()).anyMatch(method -> makes(method, record)))
                .findFirst();
    }

    /** Looking for the classes takes its time, and each parameter of each page asks. */
    private static final class Found {
        private static final List<Class<?>> FORMS = OurClasses.all(
                        CONFIG, type -> type.getSimpleName().endsWith("Configuration"))
                .toList();
    }

    /** Each class that Stapler can make: steps, targets, options and the build step, by name. */
    public static List<Class<?>> all() {
        return OurClasses.all(
                        "io.jenkins.plugins.tao.jenkins",
                        type -> !Modifier.isAbstract(type.getModifiers())
                                && Arrays.stream(type.getDeclaredConstructors())
                                        .anyMatch(made -> made.isAnnotationPresent(DataBoundConstructor.class)))
                .toList();
    }

    /**
     * What an object says of a property.
     *
     * @throws IllegalArgumentException if it has no getter for it, or the getter fails
     */
    public static @Nullable Object value(Object object, String property) {
        String end = property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
        for (String getter : List.of("get" + end, "is" + end)) {
            try {
                return object.getClass().getMethod(getter).invoke(object);
            } catch (NoSuchMethodException e) {
                // the other name may be there
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException(object.getClass() + " does not tell its " + property, e);
            }
        }
        throw new IllegalArgumentException(object.getClass() + " has no getter for " + property);
    }

    /** Whether a describable makes {@code record} by {@code method}, or {@code method} is its {@code type()}, which does. */
    private static boolean makes(Method method, Class<?> record) {
        return (method.getReturnType() == record && !Modifier.isStatic(method.getModifiers()))
                || (method.getName().equals("type")
                        && method.getGenericReturnType() instanceof ParameterizedType made
                        && made.getActualTypeArguments()[0] == record);
    }

    /** Names and types; those of the constructor come first. */
    public static Map<String, Class<?>> properties(Class<?> form) {
        Map<String, Class<?>> properties = new LinkedHashMap<>();
        for (Constructor<?> constructor : form.getConstructors()) {
            if (constructor.isAnnotationPresent(DataBoundConstructor.class)) {
                for (Parameter parameter : constructor.getParameters()) {
                    properties.put(parameter.getName(), parameter.getType());
                }
            }
        }
        for (Class<?> type = form; type != null && type != Object.class; type = type.getSuperclass()) {
            Arrays.stream(type.getDeclaredFields())
                    .filter(field -> field.isAnnotationPresent(DataBoundSetter.class))
                    .forEach((Field field) -> properties.putIfAbsent(field.getName(), field.getType()));
            Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(DataBoundSetter.class) && !method.isSynthetic())
                    .sorted((a, b) -> a.getName().compareTo(b.getName()))
                    .forEach(method -> properties.putIfAbsent(name(method), method.getParameterTypes()[0]));
        }
        return properties;
    }

    private static String name(Method setter) {
        String name = setter.getName().substring("set".length());
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }
}
