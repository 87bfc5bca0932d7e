package io.jenkins.plugins.tao.jenkins;

import hudson.model.Descriptor;
import io.jenkins.plugins.tao.jenkins.config.JobOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SlurmOptionsConfiguration;
import io.jenkins.plugins.tao.reference.Forms;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jenkinsci.plugins.structs.describable.CustomDescribableModel;
import org.jenkinsci.plugins.structs.describable.UninstantiatedDescribable;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** Makes and reads objects of a class as Jenkins' structs do for Pipelines: by the constructor's parameters and what has a setter. */
public final class Described {
    /** Of the texts that have a form, one that is right and not the default. */
    private static final Map<String, String> TEXTS = Map.of(
            "onAbort", "detach",
            "env", "A: \"b\"",
            "secrets", "KEY: \"id\"",
            "spec", "lr: 0.1",
            "set", "train.lr: 0.2",
            "args", "amp: true");

    private final Class<?> type;

    public Described(Class<?> type) {
        this.type = type;
    }

    /** Texts by name, other than the defaults, and objects that have all their properties too. */
    public Map<String, Object> sample() {
        Object fresh = make(Map.of());
        Map<String, Object> sample = new LinkedHashMap<>();
        Forms.properties(type).forEach((name, of) -> sample.put(name, sample(fresh, name, of)));
        return sample;
    }

    private static Object sample(Object fresh, String name, Class<?> of) {
        if (of == String.class) {
            return TEXTS.getOrDefault(name, "a " + name + " of its own");
        }
        if (of == boolean.class) {
            return !Boolean.TRUE.equals(Forms.value(fresh, name));
        }
        if (of == List.class) {
            return List.of(
                    new Described(LocalTargetConfiguration.class).make(Map.of("name", "box", "baseDirectory", "/tao")));
        }
        Described nested = new Described(of == JobOptionsConfiguration.class ? SlurmOptionsConfiguration.class : of);
        return nested.make(nested.sample());
    }

    /** An object with these values; what is absent is null or false in the constructor, and is not set. */
    public Object make(Map<String, ?> values) {
        try {
            Constructor<?> constructor = Arrays.stream(type.getConstructors())
                    .filter(one -> one.isAnnotationPresent(DataBoundConstructor.class))
                    .findFirst()
                    .orElseThrow();
            Map<String, Object> left = new LinkedHashMap<>(values);
            Object made = constructor.newInstance(Arrays.stream(constructor.getParameters())
                    .map(parameter -> argument(parameter, left))
                    .toArray());
            for (Map.Entry<String, Object> value : left.entrySet()) {
                set(made, value.getKey(), value.getValue());
            }
            return made;
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " from " + values, e);
        }
    }

    private static @Nullable Object argument(Parameter parameter, Map<String, Object> values) {
        Object given = values.remove(parameter.getName());
        return given == null
                ? parameter.getType() == boolean.class ? Boolean.FALSE : null
                : coerced(given, parameter.getType());
    }

    private void set(Object made, String name, Object value) throws ReflectiveOperationException {
        for (Class<?> in = type; in != null; in = in.getSuperclass()) {
            for (Field field : in.getDeclaredFields()) {
                if (field.getName().equals(name) && field.isAnnotationPresent(DataBoundSetter.class)) {
                    field.setAccessible(true);
                    field.set(made, value);
                    return;
                }
            }
        }
        for (Method method : type.getMethods()) {
            if (method.getName().equalsIgnoreCase("set" + name) && method.isAnnotationPresent(DataBoundSetter.class)) {
                method.invoke(made, coerced(value, method.getParameterTypes()[0]));
                return;
            }
        }
        throw new IllegalArgumentException(type + " has no setter for " + name);
    }

    /** Whether the property is of one class, which has no symbol: it is written as a map then. */
    private boolean isPart(String property) {
        Class<?> of = Objects.requireNonNull(Forms.properties(type).get(property));
        return of.getName().startsWith("io.jenkins") && !Modifier.isAbstract(of.getModifiers());
    }

    @SuppressWarnings("unchecked")
    private static Object coerced(Object value, Class<?> wanted) {
        if (value instanceof Map<?, ?> map && wanted != Map.class) {
            return new Described(wanted).read((Map<String, Object>) map);
        }
        return wanted == boolean.class && value instanceof String text ? Boolean.valueOf(text) : value;
    }

    /** What a person would have to write for the object: all that is not the default. */
    Map<String, Object> written(Object object) {
        Object fresh = make(Map.of());
        Map<String, Object> written = new LinkedHashMap<>();
        for (String name : Forms.properties(type).keySet()) {
            Object value = Forms.value(object, name);
            if (value != null && !Objects.equals(value, Forms.value(fresh, name))) {
                written.put(name, value);
            }
        }
        written.replaceAll((name, value) -> isPart(name) ? new Described(value.getClass()).written(value) : value);
        return custom() instanceof CustomDescribableModel model
                ? new LinkedHashMap<>(model.customUninstantiate(new UninstantiatedDescribable(written))
                        .getArguments())
                : written;
    }

    /** The object that a Pipeline makes of what is written. */
    Object read(Map<String, Object> written) {
        return make(custom() instanceof CustomDescribableModel model ? model.customInstantiate(written) : written);
    }

    private @Nullable Descriptor<?> custom() {
        try {
            return Class.forName(type.getName() + "$DescriptorImpl")
                    .asSubclass(Descriptor.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ClassNotFoundException e) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** All that an object says of itself, nested objects too. */
    public static Map<String, Object> values(Object object) {
        Map<String, Object> values = new LinkedHashMap<>();
        Forms.properties(object.getClass()).forEach((name, of) -> {
            Object value = Forms.value(object, name);
            values.put(
                    name,
                    value != null && value.getClass().getName().startsWith("io.jenkins.plugins.tao")
                            ? values(value)
                            : String.valueOf(value));
        });
        return values;
    }
}
