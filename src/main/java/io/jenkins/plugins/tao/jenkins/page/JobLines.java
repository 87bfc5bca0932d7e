package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records of jobs as lines of JSON: each line holds an id and what has changed since the line before; pure. */
final class JobLines {
    private static final JsonMapper JSON = new JsonMapper();

    private JobLines() {}

    /** What {@code now} holds and {@code before} does not, as one line without its end. */
    static String render(@Nullable JobRecord before, JobRecord now) {
        ObjectNode line = JSON.createObjectNode().put("id", now.getId());
        ObjectNode old = before == null ? JSON.createObjectNode() : whole(before);
        whole(now).properties().forEach(entry -> {
            if (!Objects.equals(entry.getValue(), old.get(entry.getKey()))) {
                line.set(entry.getKey(), entry.getValue());
            }
        });
        Map<String, String> facts = now.facts().since(before == null ? JobFacts.NONE : before.facts());
        if (!facts.isEmpty()) {
            facts.forEach(line.putObject("facts")::put);
        }
        return line.toString();
    }

    private static ObjectNode whole(JobRecord job) {
        ObjectNode node = JSON.createObjectNode()
                .put("token", job.getToken())
                .put("target", job.getTarget())
                .put("state", job.getState())
                .put("detail", job.getDetail())
                .put("progress", job.getProgress())
                .put("owner", job.owner().name())
                .put("here", job.isSubmittedHere())
                .put("leave", job.survivesBuild());
        ObjectNode secrets = node.putObject("secrets");
        job.secrets().forEach(secrets::put);
        return node;
    }

    /** Lays one line over the records known so far; a line that cannot be read, such as one cut by a crash, passes by. */
    static void read(String line, Map<String, JobRecord> records) {
        try {
            JsonNode node = JSON.readTree(line);
            String id = node.path("id").asText();
            if (!id.isEmpty()) {
                records.put(id, after(records.getOrDefault(id, JobRecord.blank(id)), node));
            }
        } catch (JsonProcessingException | IllegalArgumentException e) {
            // the lines beside it tell the rest
        }
    }

    private static JobRecord after(JobRecord before, JsonNode line) {
        return before.with(
                        text(line, "token", before.getToken()),
                        text(line, "target", before.getTarget()),
                        line.path("here").asBoolean(before.isSubmittedHere()),
                        line.path("leave").asBoolean(before.survivesBuild()),
                        line.has("secrets") ? texts(line.path("secrets")) : before.secrets())
                .now(text(line, "state", before.getState()), text(line, "detail", before.getDetail()))
                .advanced(text(line, "progress", before.getProgress()))
                .knowing(texts(line.path("facts")))
                .ownedBy(JobOwner.valueOf(text(line, "owner", before.owner().name())));
    }

    private static String text(JsonNode line, String key, String before) {
        return line.path(key).asText(before);
    }

    private static Map<String, String> texts(JsonNode node) {
        Map<String, String> texts = new LinkedHashMap<>();
        node.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }
}
