package io.jenkins.plugins.tao.bind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.job.text.Suggestions;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the tree that Jackson reads: keys are checked, and those of a group stand below its name. */
record Tree(Words words) {
    private static final String PASSPHRASE = "Passphrase";
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The tree of a record; {@code given} are components that no field may give. */
    ObjectNode of(Map<String, ? extends @Nullable Object> fields, Map<String, ?> given, Class<?> record) {
        return record(List.of(), fields, given, record);
    }

    /** The tree of one component's value. */
    JsonNode of(String key, Object value, RecordComponent component) {
        return node(List.of(key), value, element(component.getGenericType()));
    }

    Map<String, RecordComponent> components(Class<?> record) {
        Map<String, RecordComponent> components = new LinkedHashMap<>();
        for (RecordComponent component : record.getRecordComponents()) {
            if (isRecord(component.getType())) {
                components.putAll(components(component.getType()));
            } else {
                components.put(component.getName(), component);
            }
            if (words.takesPassphrase(component.getType())) {
                components.put(component.getName() + PASSPHRASE, component);
            }
        }
        return components;
    }

    private boolean isRecord(Class<?> type) {
        return type.isRecord() && words.reader(type).isEmpty();
    }

    private ObjectNode record(
            List<String> path, Map<String, ? extends @Nullable Object> fields, Map<String, ?> given, Class<?> record) {
        Set<String> known = new TreeSet<>(components(record).keySet());
        known.removeAll(given.keySet());
        for (String key : fields.keySet()) {
            if (!known.contains(key)) {
                String sentence = "unknown key '" + key + "'. " + Suggestions.advice(key, known, "keys");
                throw new BindException(below(path, key), sentence, sentence, true, null);
            }
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>(fields);
        all.putAll(given);
        return grouped(path, all, record);
    }

    private ObjectNode grouped(List<String> path, Map<String, @Nullable Object> fields, Class<?> record) {
        ObjectNode tree = NODES.objectNode();
        for (RecordComponent component : record.getRecordComponents()) {
            String name = component.getName();
            Object value = fields.get(name);
            Object passphrase = fields.get(name + PASSPHRASE);
            if (isRecord(component.getType()) && !component.getType().isInstance(value)) {
                tree.set(name, grouped(path, fields, component.getType()));
            } else if (value != null && passphrase != null) {
                Object secret = read(path, name + PASSPHRASE, () -> words.passphrase(String.valueOf(passphrase)));
                Class<?> type = component.getType();
                tree.putPOJO(name, read(path, name, () -> words.unlocked(type, String.valueOf(value), secret)));
            } else if (value != null && !isEmpty(value)) {
                tree.set(name, node(below(path, name), value, element(component.getGenericType())));
            }
        }
        return tree;
    }

    private static Object read(List<String> path, String name, Supplier<Object> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw new BindException(below(path, name), message, "'" + name + "': " + message, false, e);
        }
    }

    private static boolean isEmpty(Object value) {
        return (value instanceof Unquoted scalar && scalar.text().isEmpty())
                || (value instanceof Optional<?> optional && optional.isEmpty());
    }

    /** What an optional or a collection holds; else the type itself. */
    private static Class<?> element(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return element(arguments[arguments.length - 1]);
        }
        return type instanceof Class<?> plain ? plain : Object.class;
    }

    private JsonNode node(List<String> path, @Nullable Object value, Class<?> element) {
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            map.forEach((key, inner) -> fields.put(String.valueOf(key), inner));
            return isRecord(element) ? record(path, fields, Map.of(), element) : object(path, fields, element);
        }
        if (value instanceof List<?> list) {
            ArrayNode array = NODES.arrayNode();
            list.forEach(inner -> array.add(node(below(path, String.valueOf(array.size())), inner, element)));
            return array;
        }
        if (value instanceof Optional<?> optional) {
            return node(path, optional.orElse(null), element);
        }
        return value == null
                ? NODES.nullNode()
                : value instanceof String text ? NODES.textNode(text) : NODES.pojoNode(value);
    }

    private ObjectNode object(List<String> path, Map<String, @Nullable Object> fields, Class<?> element) {
        ObjectNode object = NODES.objectNode();
        fields.forEach((key, inner) -> object.set(key, node(below(path, key), inner, element)));
        return object;
    }

    private static List<String> below(List<String> path, String name) {
        List<String> below = new ArrayList<>(path);
        below.add(name);
        return below;
    }
}
