package io.jenkins.plugins.tao.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The first error in the logs of a run that failed.
 *
 * @param file the log among the files of the run
 * @param line the number of the line, from 1
 * @param rank the rank that wrote it, where the log tells
 * @param text the error
 * @param context the lines around it
 */
public record FirstError(String file, long line, OptionalInt rank, String text, List<String> context) {
    public FirstError {
        context = List.copyOf(context);
    }

    ObjectNode json() {
        ObjectNode node =
                JsonNodeFactory.instance.objectNode().put("file", file).put("line", line);
        rank.ifPresent(number -> node.put("rank", number));
        node.put("text", text);
        context.forEach(node.putArray("context")::add);
        return node;
    }

    static Optional<FirstError> of(JsonNode node) {
        if (!node.path("text").isTextual()) {
            return Optional.empty();
        }
        List<String> context = new ArrayList<>();
        node.path("context").forEach(line -> context.add(line.asText()));
        return Optional.of(new FirstError(
                node.path("file").asText(),
                node.path("line").asLong(),
                node.path("rank").isInt() ? OptionalInt.of(node.path("rank").intValue()) : OptionalInt.empty(),
                node.path("text").asText(),
                context));
    }

    /** Where it stands: {@code rank 3, train.log line 17}. */
    public String place() {
        return (rank.isPresent() ? "rank " + rank.getAsInt() + ", " : "") + file + " line " + line;
    }
}
