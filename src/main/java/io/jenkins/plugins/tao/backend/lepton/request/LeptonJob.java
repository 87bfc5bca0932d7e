package io.jenkins.plugins.tao.backend.lepton.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonList;
import io.jenkins.plugins.tao.http.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job as the service tells it.
 *
 * @param id what later calls take; not the name that was sent
 * @param json all of it
 */
public record LeptonJob(String id, JsonNode json) {
    private static final double SECONDS_BELOW = 1e11;
    private static final double MILLIS_BELOW = 1e14;
    private static final double MICROS_BELOW = 1e17;

    /** Reads one; empty when it has no id. */
    public static Optional<LeptonJob> read(JsonNode node) {
        String id = node.path("metadata").path("id").asText("");
        return id.isEmpty() ? Optional.empty() : Optional.of(new LeptonJob(id, node));
    }

    /** Reads a list, bare or in an object; what is no job passes by. */
    public static List<LeptonJob> readAll(JsonNode answer) throws Unreadable {
        List<LeptonJob> jobs = new ArrayList<>();
        for (JsonNode node : LeptonList.of(answer, "jobs")) {
            read(node).ifPresent(jobs::add);
        }
        return jobs;
    }

    public String name() {
        return json.path("metadata").path("name").asText(id);
    }

    public String label(String key) {
        return json.path("metadata").path("labels").path(key).asText("");
    }

    public Optional<Instant> createdAt() {
        return instant(json.path("metadata").path("created_at"));
    }

    Optional<Instant> startedAt() {
        return instant(status("creation_time"));
    }

    Optional<Instant> endedAt() {
        return instant(status("completion_time"));
    }

    /** The service's word; empty just after creation. */
    public String state() {
        return status("state").asText("");
    }

    int ready() {
        return status("ready").asInt();
    }

    int active() {
        return status("active").asInt();
    }

    int failed() {
        return status("failed").asInt();
    }

    int succeeded() {
        return status("succeeded").asInt();
    }

    public int workers() {
        return Math.max(1, spec("completions").asInt(1));
    }

    /** How often the service started it. */
    int runs() {
        return 1 + status("job_history").size();
    }

    public boolean stopped() {
        return spec("stopped").asBoolean();
    }

    public Optional<String> nodeGroup() {
        String group =
                spec("affinity").path("allowed_dedicated_node_groups").path(0).asText("");
        return group.isEmpty() ? Optional.empty() : Optional.of(group);
    }

    /** The value of a plain variable. */
    public Optional<String> variable(String name) {
        for (JsonNode variable : spec("envs")) {
            if (variable.path("name").asText().equals(name)
                    && variable.path("value").isTextual()) {
                return Optional.of(variable.path("value").textValue());
            }
        }
        return Optional.empty();
    }

    /** The secrets that were made for this attempt alone, by variable. */
    public Map<String, String> ownSecrets() {
        Map<String, String> own = new LinkedHashMap<>();
        for (JsonNode variable : spec("envs")) {
            String secret = variable.path("value_from").path("secret_name_ref").asText("");
            if (LeptonName.isOurSecret(secret)) {
                own.put(variable.path("name").asText(""), secret);
            }
        }
        return own;
    }

    /** Its spec, to be changed. */
    ObjectNode copyOfSpec() {
        return json.path("spec").isObject() ? (ObjectNode) json.path("spec").deepCopy() : Json.object();
    }

    /** The same without the text of its container's command, which is most of it. */
    public LeptonJob withoutCommand() {
        ObjectNode slim = json.deepCopy();
        if (slim.path("spec").path("container") instanceof ObjectNode container) {
            container.remove("command");
        }
        return new LeptonJob(id, slim);
    }

    private JsonNode spec(String field) {
        return json.path("spec").path(field);
    }

    private JsonNode status(String field) {
        return json.path("status").path(field);
    }

    /** The unit of Lepton's times is not told; like its own client, this goes by their size. */
    public static Optional<Instant> instant(JsonNode number) {
        double value = number.asDouble();
        if (value <= 0) {
            return Optional.empty();
        }
        double divisor = value < SECONDS_BELOW ? 1 : value < MILLIS_BELOW ? 1e3 : value < MICROS_BELOW ? 1e6 : 1e9;
        return Optional.of(Instant.ofEpochMilli(Math.round(value / divisor * 1000)));
    }
}
