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
import io.jenkins.plugins.tao.job.Outcome.Failed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a watch must not forget, as one line of JSON.
 *
 * @param handle the attempt that is watched
 * @param positions how far each stream has been told
 * @param attempts the attempts before
 * @param cancelledBy who asked for the end of the job
 * @param givenUp why it is ended, when it could not start, did not in time, stalled, or was hopeless
 * @param word the backend's last word for its state; empty before the first
 * @param since when it came into that state
 * @param runs how often the backend had started it
 */
public record WatchRecord(
        JobHandle handle,
        Map<Stream, Position> positions,
        List<Attempt> attempts,
        Optional<String> cancelledBy,
        Optional<Failed> givenUp,
        String word,
        Instant since,
        int runs) {
    private static final Map<Cause, String> GIVEN_UP =
            Map.of(Cause.NOT_STARTED, "unstarted", Cause.STALLED, "stalled", Cause.ENDED_EARLY, "endedEarly");
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    /** A watch that begins. */
    public static WatchRecord begin(JobHandle handle) {
        return new WatchRecord(
                handle, Map.of(), List.of(), Optional.empty(), Optional.empty(), "", handle.submittedAt(), 0);
    }

    /** Whether it tells of {@code job} or one of its attempts, and not of an earlier job that had the same id. */
    public boolean isOf(JobHandle job) {
        boolean known = job.nativeId().equals(handle.nativeId())
                || attempts.stream().anyMatch(attempt -> attempt.nativeId().equals(job.nativeId()));
        return known && !job.submittedAt().isAfter(handle.submittedAt().plus(CLOCKS_DIFFER));
    }

    /** The same with who wants the job to end, or why it is ended. */
    public WatchRecord withEnd(Optional<String> by, Optional<Failed> why) {
        return new WatchRecord(handle, positions, attempts, by, why, word, since, runs);
    }

    public String render() {
        ObjectNode root = JSON.createObjectNode();
        root.put("token", handle.token())
                .put("word", word)
                .put("since", since.toEpochMilli())
                .put("runs", runs);
        cancelledBy.ifPresent(by -> root.put("cancelledBy", by));
        givenUp.ifPresent(end -> root.put(GIVEN_UP.getOrDefault(end.cause(), "unstarted"), end.detail()));
        ObjectNode places = root.putObject("positions");
        positions.forEach((stream, at) ->
                places.putObject(stream.name()).put("file", at.file()).put("byte", at.byteOffset()));
        attempts.forEach(attempt -> write(attempt, root.withArray("/attempts").addObject()));
        return root.toString();
    }

    private static void write(Attempt attempt, ObjectNode node) {
        node.put("number", attempt.number())
                .put("nativeId", attempt.nativeId())
                .put("cause", attempt.cause().name())
                .put("detail", attempt.detail())
                .put("endedAt", attempt.endedAt().toEpochMilli())
                .put("ran", attempt.ran().toSeconds())
                .put("line", attempt.line());
        new TreeSet<>(attempt.failedNodes())
                .forEach(name -> node.withArray("/failedNodes").add(name));
    }

    /**
     * Reads what {@link #render} wrote.
     *
     * @throws IllegalArgumentException if it did not
     */
    public static WatchRecord parse(String text) {
        try {
            JsonNode root = JSON.readTree(text);
            return new WatchRecord(
                    JobHandle.parse(root.path("token").asText()),
                    positions(root.path("positions")),
                    attempts(root.path("attempts")),
                    Optional.ofNullable(root.get("cancelledBy")).map(JsonNode::asText),
                    givenUp(root),
                    root.path("word").asText(),
                    Instant.ofEpochMilli(root.path("since").asLong()),
                    root.path("runs").asInt());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the saved record of a watch is damaged: " + e.getOriginalMessage(), e);
        }
    }

    private static Optional<Failed> givenUp(JsonNode root) {
        return GIVEN_UP.entrySet().stream()
                .filter(known -> root.has(known.getValue()))
                .map(known ->
                        new Failed(known.getKey(), root.path(known.getValue()).asText()))
                .findFirst();
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
                    Instant.ofEpochMilli(node.path("endedAt").asLong()),
                    failedNodes(node.path("failedNodes")),
                    Duration.ofSeconds(node.path("ran").asLong()),
                    node.path("line").asText()));
        }
        return attempts;
    }

    /** Empty in a record of an earlier version. */
    private static Set<String> failedNodes(JsonNode names) {
        Set<String> nodes = new TreeSet<>();
        names.forEach(name -> nodes.add(name.asText()));
        return nodes;
    }
}
