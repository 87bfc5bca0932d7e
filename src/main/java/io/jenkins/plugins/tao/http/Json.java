package io.jenkins.plugins.tao.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** JSON values to send and to read. */
public final class Json {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Json() {}

    /** A new, empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A new, empty list. */
    public static ArrayNode list() {
        return JsonNodeFactory.instance.arrayNode();
    }

    /** Reads one JSON value; empty when {@code text} is none, has more, or ends too early. */
    public static Optional<JsonNode> parse(String text) {
        try {
            return Optional.ofNullable(MAPPER.readTree(text)).filter(node -> !node.isMissingNode());
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** How two lists that stand under one name become one. */
    @FunctionalInterface
    public interface Joining {
        ArrayNode join(String name, ArrayNode there, ArrayNode patch);
    }

    /** Merges {@code patch} into an object: a null removes, an object is merged, lists are joined, and what else there is takes the place. */
    public static void merge(ObjectNode into, JsonNode patch, Joining lists) {
        patch.properties().forEach(field -> {
            JsonNode there = into.path(field.getKey());
            JsonNode value = field.getValue();
            if (value.isNull()) {
                into.remove(field.getKey());
            } else if (there instanceof ObjectNode object && value.isObject()) {
                merge(object, value, lists);
            } else if (there instanceof ArrayNode array && value instanceof ArrayNode items) {
                into.set(field.getKey(), lists.join(field.getKey(), array, items));
            } else {
                into.set(field.getKey(), value);
            }
        });
    }

    /** Texts, numbers, lists and maps on one line. */
    public static String write(Object value) {
        return MAPPER.valueToTree(value).toString();
    }

    /** The value with indents, for a person. */
    public static String pretty(JsonNode value) {
        return value.toPrettyString();
    }
}
