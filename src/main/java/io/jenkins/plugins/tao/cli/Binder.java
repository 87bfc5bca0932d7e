package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.job.Secret;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes records of {@link Value}s, strictly: each key is a component's name, an unknown one is an error. A component
 * that is itself a record without a {@link TextForms text form} is a group: its keys stand beside the others. What is
 * absent is empty for collections and optionals, else as in the record's static {@code defaults()}, else missing.
 */
final class Binder {
    private static final String PASSPHRASE = "Passphrase";
    /** Keys that people know by another name than the code's. */
    private static final Map<String, String> SPOKEN = Map.of("hostKeys", "knownHosts");
    /** What OpenSSH would take too. */
    private static final Map<String, String> CUSTOMARY = Map.of("knownHosts", "~/.ssh/known_hosts");

    /** The same where a variable says it. */
    private static final Map<String, String> IN_ENVIRONMENT = Map.of("agent", "SSH_AUTH_SOCK");

    private final Surroundings here;
    private final TextForms texts;
    private final ValueTypes types;

    Binder(Surroundings here) {
        this.here = here;
        texts = new TextForms(here);
        types = new ValueTypes(texts, this);
    }

    /**
     * Makes a {@code record} of {@code section}.
     *
     * @param given components that are not read from the section, by name
     */
    <R> R bind(Value.Keyed section, Class<R> record, Map<String, Object> given) throws UsageException {
        Set<String> known = new TreeSet<>(keys(record));
        known.removeAll(given.keySet());
        for (Map.Entry<String, Value.Entry> entry : section.entries().entrySet()) {
            if (!known.contains(entry.getKey())) {
                throw new UsageException(entry.getValue().where() + ": unknown key '" + entry.getKey() + "'. "
                        + Keys.advice(entry.getKey(), known, "keys"));
            }
        }
        return build(section, record, given);
    }

    /** The keys that {@link #bind} knows for {@code record}. */
    List<String> keys(Class<?> record) {
        List<String> keys = new ArrayList<>();
        for (RecordComponent component : components(record)) {
            if (isGroup(component.getType())) {
                keys.addAll(keys(component.getType()));
            } else {
                keys.add(spoken(component));
            }
            if (texts.takesPassphrase(component.getType())) {
                keys.add(spoken(component) + PASSPHRASE);
            }
        }
        return keys;
    }

    private boolean isGroup(Class<?> type) {
        return type.isRecord() && !texts.takes(type);
    }

    private <R> R build(Value.Keyed section, Class<R> record, Map<String, Object> given) throws UsageException {
        RecordComponent[] components = components(record);
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            Object ready = given.get(components[i].getName());
            arguments[i] = ready != null ? ready : component(section, record, components[i]);
        }
        return construct(section, record, arguments);
    }

    private Object component(Value.Keyed section, Class<?> record, RecordComponent component) throws UsageException {
        if (isGroup(component.getType())) {
            return build(section, component.getType(), Map.of());
        }
        String key = spoken(component);
        Optional<Value> value = section.get(key).or(() -> customary(section, key));
        if (value.isPresent() && texts.takesPassphrase(component.getType())) {
            return types.single(component.getType(), value.get(), key, passphrase(section, key + PASSPHRASE));
        }
        if (value.isPresent()) {
            return types.make(component.getGenericType(), value.get(), key);
        }
        Optional<Object> byDefault = defaultOf(record, component);
        return byDefault
                .or(() -> ValueTypes.empty(component.getType()))
                .orElseThrow(() -> new UsageException(section.where() + ": '" + key + "' is missing."));
    }

    private Optional<Secret> passphrase(Value.Keyed section, String key) throws UsageException {
        Optional<Value> value = section.get(key);
        return value.isEmpty() ? Optional.empty() : Optional.of((Secret) types.make(Secret.class, value.get(), key));
    }

    private Optional<Value> customary(Value.Keyed section, String key) {
        return Optional.ofNullable(CUSTOMARY.get(key))
                .or(() -> Optional.ofNullable(IN_ENVIRONMENT.get(key))
                        .map(name -> here.env().get(name)))
                .filter(text -> !text.isBlank())
                .map(text -> new Value.Text(section.where(), text, true));
    }

    private static String spoken(RecordComponent component) {
        return SPOKEN.getOrDefault(component.getName(), component.getName());
    }

    private static Optional<Object> defaultOf(Class<?> record, RecordComponent component) {
        try {
            Object defaults = record.getMethod("defaults").invoke(null);
            return Optional.ofNullable(component.getAccessor().invoke(defaults));
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(record + " must have a public static defaults() and public accessors", e);
        }
    }

    private static <R> R construct(Value.Keyed section, Class<R> record, Object[] arguments) throws UsageException {
        try {
            Class<?>[] types = Arrays.stream(components(record))
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            Constructor<R> constructor = record.getDeclaredConstructor(types);
            constructor.trySetAccessible();
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException wrong) {
                throw new UsageException(section.where() + ": " + wrong.getMessage() + ".", wrong);
            }
            throw new IllegalStateException(record + " fails with more than a wrong argument", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(record + " must be a public record", e);
        }
    }

    private static RecordComponent[] components(Class<?> record) {
        RecordComponent[] components = record.getRecordComponents();
        if (components == null) {
            throw new IllegalStateException(record + " must be a record");
        }
        return components;
    }

    /** The first type argument of {@code type}, such as the {@code String} of {@code List<String>}. */
    static java.lang.reflect.Type argument(ParameterizedType type, int index) {
        return type.getActualTypeArguments()[index];
    }
}
