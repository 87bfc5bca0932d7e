package io.jenkins.plugins.tao.monitor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a watch must not forget, as one line of JSON.
 *
 * @param handle the attempt that is watched
 * @param positions how far each stream has been told
 * @param attempts the attempts before
 * @param cancelledBy who wished the job to end
 * @param word the backend's last word for its state; empty before the first
 * @param since when it came into that state
 * @param runs how often the backend had started it
 */
record WatchRecord(
        JobHandle handle,
        Map<Stream, Position> positions,
        List<Attempt> attempts,
        Optional<String> cancelledBy,
        String word,
        Instant since,
        int runs) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    /** A watch that begins. */
    static WatchRecord begin(JobHandle handle) {
        return new WatchRecord(handle, Map.of(), List.of(), Optional.empty(), "", handle.submittedAt(), 0);
    }

    /** Whether it tells of {@code job} or one of its attempts, and not of an earlier job that had the same id. */
    boolean isOf(JobHandle job) {
        boolean known = job.nativeId().equals(handle.nativeId())
                || attempts.stream().anyMatch(attempt -> attempt.nativeId().equals(job.nativeId()));
        return known && !job.submittedAt().isAfter(handle.submittedAt().plus(CLOCKS_DIFFER));
    }

    /** The same with the wish to end the job, or without. */
    WatchRecord withCancelledBy(Optional<String> by) {
        return new WatchRecord(handle, positions, attempts, by, word, since, runs);
    }

    String render() {
        ObjectNode root = JSON.createObjectNode();
        root.put("token", handle.token())
                .put("word", word)
                .put("since", since.toEpochMilli())
                .put("runs", runs);
        cancelledBy.ifPresent(by -> root.put("cancelledBy", by));
        ObjectNode places = root.putObject("positions");
        positions.forEach((stream, at) ->
                places.putObject(stream.name()).put("file", at.file()).put("byte", at.byteOffset()));
        attempts.forEach(attempt -> root.withArray("/attempts")
                .addObject()
                .put("number", attempt.number())
                .put("nativeId", attempt.nativeId())
                .put("cause", attempt.cause().name())
                .put("detail", attempt.detail())
                .put("endedAt", attempt.endedAt().toEpochMilli()));
        return root.toString();
    }

    /**
     * Reads what {@link #render} wrote.
     *
     * @throws IllegalArgumentException if it did not
     */
    static WatchRecord parse(String text) {
        try {
            JsonNode root = JSON.readTree(text);
            return new WatchRecord(
                    JobHandle.parse(root.path("token").asText()),
                    positions(root.path("positions")),
                    attempts(root.path("attempts")),
                    Optional.ofNullable(root.get("cancelledBy")).map(JsonNode::asText),
                    root.path("word").asText(),
                    Instant.ofEpochMilli(root.path("since").asLong()),
                    root.path("runs").asInt());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the saved record of a watch is damaged: " + e.getOriginalMessage(), e);
        }
    }

    private static Map<Stream, Position> positions(JsonNode places) {
        Map<Stream, Position> positions = new EnumMap<>(Stream.class);
        for (Stream stream : Stream.values()) {
            JsonNode at = places.path(stream.name());
            if (at.isObject()) {
                positions.put(
                        stream,
                        new Position(at.path("file").asText(), at.path("byte").asLong()));
            }
        }
        return positions;
    }

    private static List<Attempt> attempts(JsonNode list) {
        List<Attempt> attempts = new ArrayList<>();
        for (JsonNode node : list) {
            attempts.add(new Attempt(
                    node.path("number").asInt(),
                    node.path("nativeId").asText(),
                    Cause.valueOf(node.path("cause").asText()),
                    node.path("detail").asText(),
                    Instant.ofEpochMilli(node.path("endedAt").asLong())));
        }
        return attempts;
    }
}
