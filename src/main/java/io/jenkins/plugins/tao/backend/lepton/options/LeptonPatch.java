package io.jenkins.plugins.tao.backend.lepton.options;

import static io.jenkins.plugins.tao.job.Require.require;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.jenkins.plugins.tao.http.Json;
import java.util.Map;
import java.util.Set;

/**
 * What a user adds to the spec of a Lepton job, so that fields this version does not know can be used: maps are merged, lists of
 * volumes, variables and pull secrets get the items added, others are replaced, null takes a field away. What finds, watches and
 * ends the job cannot be patched. Pure.
 *
 * @see <a href="https://github.com/leptonai/leptonai">the service's client, api/v1/types/job.py</a>
 */
public final class LeptonPatch {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Set<String> ADDED = Set.of("envs", "mounts", "image_pull_secrets");

    /** Each with what to use instead, or why it is not the patch's to change. */
    private static final Map<String, String> OURS = Map.of(
            "resource_shape", "use the option resourceShape",
            "completions", "use nodes of the job",
            "parallelism", "use nodes of the job",
            "stopped", "a job is ended by a cancel",
            "max_failure_retry", "new attempts are this program's, by retries",
            "max_job_failure_retry", "new attempts are this program's, by retries",
            "intra_job_communication", "use nodes of the job",
            "ttl_seconds_after_finished", "use the option archiveAfter",
            "log", "the job is followed by its log");

    private LeptonPatch() {}

    /**
     * Reads and checks a patch.
     *
     * @throws IllegalArgumentException if it is no YAML of a job's spec, or changes what is not its to change
     */
    public static ObjectNode parse(String yaml) {
        JsonNode patch;
        try {
            patch = YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("patch is no YAML of a job's spec", e);
        }
        require(patch instanceof ObjectNode, "patch must be a map of fields of the job's spec, as in container: {…}");
        OURS.forEach(
                (field, why) -> require(!patch.has(field), "patch: '%s' is not the patch's to change: %s", field, why));
        JsonNode container = patch.path("container");
        for (String field : new String[] {"command", "image"}) {
            require(!container.has(field), "patch: %s of the container is the job's own %s", field, field);
        }
        for (JsonNode variable : patch.path("envs")) {
            String name = variable.path("name").asText();
            require(
                    !variable.has("value") && !name.startsWith("TAO_"),
                    "patch: the variable '%s' belongs into env or secrets of the job",
                    name);
        }
        return (ObjectNode) patch;
    }

    /** Merges {@code yaml} into the spec of a request. */
    public static void apply(ObjectNode spec, String yaml) {
        Json.merge(
                spec,
                parse(yaml),
                (field, there, items) ->
                        ADDED.contains(field) ? there.deepCopy().addAll(items) : items);
    }
}
