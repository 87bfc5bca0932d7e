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

    /** The value with indents, for a person. */
    public static String pretty(JsonNode value) {
        return value.toPrettyString();
    }
}
