package io.jenkins.plugins.tao.bind;

import com.fasterxml.jackson.core.JsonParser;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * What an absent key means: the value in the record's static {@code defaults()}, else nothing for collections, optionals
 * and types with a static {@code none()}. Any other key is missing.
 */
@RequiredArgsConstructor
final class Absent {
    private static final Map<Class<?>, Object> EMPTY = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty(),
            List.class, List.of(),
            Set.class, Set.of(),
            Map.class, Map.of());

    private final Class<?> record;
    private @Nullable Object defaults;

    Object value(JsonParser parser, int index) throws Misfit {
        RecordComponent component = record.getRecordComponents()[index];
        Object empty = EMPTY.get(component.getType());
        Object value = empty != null ? empty : byDefault(component);
        if (value == null) {
            value = call(component.getType(), "none");
        }
        if (value == null) {
            throw Misfit.missing(parser, component.getName());
        }
        return value;
    }

    private @Nullable Object byDefault(RecordComponent component) {
        if (defaults == null) {
            defaults = call(record, "defaults");
        }
        try {
            return defaults == null ? null : component.getAccessor().invoke(defaults);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(record + " must have public accessors", e);
        }
    }

    /** What the public static method of {@code type} without arguments returns; null without one. */
    private static @Nullable Object call(Class<?> type, String method) {
        try {
            Method found = type.getMethod(method);
            return Modifier.isStatic(found.getModifiers()) && found.getReturnType() == type ? found.invoke(null) : null;
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
