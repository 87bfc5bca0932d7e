package io.jenkins.plugins.tao.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An experiment spec as a tree of maps, lists, texts, numbers, true, false and nothing; all else in it becomes text. */
public final class SpecTree {
    private SpecTree() {}

    /** A copy of {@code spec}, in the same order, in which each text has gone through {@code texts}; keys stay. */
    public static Map<String, Object> rewritten(Map<?, ?> spec, UnaryOperator<String> texts) {
        Map<String, Object> copy = new LinkedHashMap<>();
        spec.forEach((key, value) -> copy.put(String.valueOf(key), value(value, texts)));
        return copy;
    }

    private static @Nullable Object value(@Nullable Object value, UnaryOperator<String> texts) {
        if (value instanceof Map<?, ?> map) {
            return rewritten(map, texts);
        }
        if (value instanceof Iterable<?> items && !(value instanceof java.nio.file.Path)) {
            List<Object> list = new ArrayList<>();
            items.forEach(item -> list.add(value(item, texts)));
            return list;
        }
        return value == null || value instanceof Number || value instanceof Boolean
                ? value
                : texts.apply(value.toString());
    }
}
