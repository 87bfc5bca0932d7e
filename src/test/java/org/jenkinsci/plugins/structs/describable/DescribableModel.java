package org.jenkinsci.plugins.structs.describable;

import hudson.model.TaskListener;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** Stands in for Jenkins' own in tests: makes objects by their constructors and setters, and wraps what these throw as Jenkins does. */
public final class DescribableModel<T> {
    private final Class<T> type;

    private DescribableModel(Class<T> type) {
        this.type = type;
    }

    public static <T> DescribableModel<T> of(Class<T> type) {
        return new DescribableModel<>(type);
    }

    public Collection<DescribableParameter> getParameters() {
        List<DescribableParameter> parameters = new ArrayList<>();
        List<String> names = names();
        for (int i = 0; i < names.size(); i++) {
            parameters.add(new DescribableParameter(names.get(i), constructor().getParameterTypes()[i]));
        }
        setters()
                .forEach((name, setter) ->
                        parameters.add(new DescribableParameter(name, setter.getParameterTypes()[0])));
        return parameters;
    }

    public T instantiate(Map<String, ?> arguments, @Nullable TaskListener listener) throws IllegalArgumentException {
        Map<String, Object> given = new LinkedHashMap<>(arguments);
        try {
            Object form = Class.forName(type.getName() + "$DescriptorImpl")
                    .getDeclaredConstructor()
                    .newInstance();
            given = form instanceof CustomDescribableModel custom ? custom.customInstantiate(given) : given;
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("no form", e);
        }
        try {
            Constructor<?> constructor = constructor();
            Object[] values = new Object[constructor.getParameterCount()];
            for (int i = 0; i < values.length; i++) {
                values[i] = given.get(names().get(i));
            }
            Object made = constructor.newInstance(values);
            for (Map.Entry<String, Method> setter : setters().entrySet()) {
                if (given.containsKey(setter.getKey())) {
                    set(made, setter.getValue(), given.get(setter.getKey()));
                }
            }
            return type.cast(made);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalArgumentException("Could not instantiate " + given + " for " + type.getName(), e);
        }
    }

    private static void set(Object made, Method setter, Object value) throws ReflectiveOperationException {
        Class<?> wanted = setter.getParameterTypes()[0];
        if (wanted == boolean.class) {
            setter.invoke(made, Boolean.parseBoolean(String.valueOf(value)));
        } else if (wanted.isInstance(value)) {
            setter.invoke(made, value);
        } else {
            throw new ClassCastException(setter.getName() + " expects " + wanted + " but received " + value.getClass());
        }
    }

    private Constructor<?> constructor() {
        return Arrays.stream(type.getConstructors())
                .filter(each -> each.isAnnotationPresent(DataBoundConstructor.class))
                .findFirst()
                .orElseThrow();
    }

    /** Of the parameters of the constructor, as Stapler's own annotation processor notes them. */
    private List<String> names() {
        Properties noted = new Properties();
        try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".stapler")) {
            noted.load(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        String names = noted.getProperty("constructor", "");
        return names.isEmpty() ? List.of() : List.of(names.split(","));
    }

    private Map<String, Method> setters() {
        Map<String, Method> setters = new LinkedHashMap<>();
        for (Method method : type.getMethods()) {
            if (method.isAnnotationPresent(DataBoundSetter.class)) {
                String name = method.getName().substring("set".length());
                setters.put(name.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + name.substring(1), method);
            }
        }
        return setters;
    }
}
