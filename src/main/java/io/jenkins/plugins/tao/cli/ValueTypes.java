package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.job.Secret;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Makes a value of any type that a record's component may have. */
final class ValueTypes {
    private static final Map<Class<?>, Object> EMPTY = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty(),
            List.class, List.of(),
            Set.class, Set.of(),
            Map.class, Map.of());

    private final TextForms texts;
    private final Binder records;

    ValueTypes(TextForms texts, Binder records) {
        this.texts = texts;
        this.records = records;
    }

    /** What an absent key means for this type, when it can be absent. */
    static Optional<Object> empty(Class<?> type) {
        return Optional.ofNullable(EMPTY.get(type)).or(() -> none(type));
    }

    /** A type of ours may be left out when it has a public static {@code none()}. */
    private static Optional<Object> none(Class<?> type) {
        try {
            Method none = type.getMethod("none");
            return Modifier.isStatic(none.getModifiers()) && none.getReturnType() == type
                    ? Optional.ofNullable(none.invoke(null))
                    : Optional.empty();
        } catch (ReflectiveOperationException e) {
            return Optional.empty();
        }
    }

    /**
     * Makes one.
     *
     * @param name the key, for messages
     */
    Object make(Type type, Value value, String name) throws UsageException {
        if (type instanceof ParameterizedType generic) {
            return generic((Class<?>) generic.getRawType(), generic, value, name);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == OptionalInt.class) {
            return OptionalInt.of((int) single(int.class, value, name));
        }
        if (plain == OptionalLong.class) {
            return OptionalLong.of((long) single(long.class, value, name));
        }
        if (plain == OptionalDouble.class) {
            return OptionalDouble.of((double) single(double.class, value, name));
        }
        if (plain == Value.class) {
            return value;
        }
        if (plain == Value.Keyed.class) {
            return section(value, name);
        }
        return texts.takes(plain) ? single(plain, value, name) : records.bind(section(value, name), plain, Map.of());
    }

    private Object generic(Class<?> raw, ParameterizedType type, Value value, String name) throws UsageException {
        if (raw == Optional.class) {
            return Optional.of(make(Binder.argument(type, 0), value, name));
        }
        if (raw == Map.class) {
            return map(Binder.argument(type, 1), section(value, name));
        }
        List<Object> items = items(Binder.argument(type, 0), value, name);
        return raw == Set.class ? new LinkedHashSet<>(items) : items;
    }

    private Map<String, Object> map(Type type, Value.Keyed section) throws UsageException {
        Map<String, Object> map = new LinkedHashMap<>();
        for (Map.Entry<String, Value.Entry> entry : section.entries().entrySet()) {
            Value value = entry.getValue().value();
            boolean emptyText = value instanceof Value.Nothing && type == String.class;
            map.put(
                    entry.getKey(),
                    emptyText ? "" : type == Object.class ? FreeValues.of(value) : make(type, value, entry.getKey()));
        }
        return map;
    }

    private List<Object> items(Type type, Value value, String name) throws UsageException {
        List<Value> values = value instanceof Value.Items list ? list.values() : List.of(value);
        List<Object> items = new ArrayList<>();
        for (Value each : values) {
            items.add(make(type, each, name));
        }
        return items;
    }

    private static Value.Keyed section(Value value, String name) throws UsageException {
        if (value instanceof Value.Keyed keyed) {
            return keyed;
        }
        throw new UsageException(
                value.where() + ": '" + name + "' must hold keys and values, found " + value.kind() + ".");
    }

    private Object single(Class<?> type, Value value, String name) throws UsageException {
        return single(type, value, name, Optional.empty());
    }

    /** Makes one of a single value, with the passphrase it may be locked with. */
    Object single(Class<?> type, Value value, String name, Optional<Secret> passphrase) throws UsageException {
        if (!(value instanceof Value.Text text)) {
            String expected = type == Duration.class ? "a length of time" : "a single value";
            throw new UsageException(
                    value.where() + ": '" + name + "' must be " + expected + ", found " + value.kind() + ".");
        }
        try {
            return texts.make(type, text.text(), passphrase);
        } catch (IllegalArgumentException e) {
            throw new UsageException(value.where() + ": '" + name + "': " + e.getMessage() + ".", e);
        } catch (UsageException e) {
            throw new UsageException(value.where() + ": '" + name + "': " + e.getMessage(), e);
        }
    }
}
