package io.jenkins.plugins.tao.cli.records;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.SecretRef;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.mask.Mask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What this machine remembers of a job; no secret, only where secrets are found.
 *
 * @param handle finds the job again
 * @param targetsFile the file that describes its target; empty for none
 * @param jobFile what it was made of; empty when only a token was known
 * @param archive what to bring home
 * @param secrets where the values of its secrets are, for a next attempt
 * @param endEarly when its metrics end it; blank for never
 * @param state the last word: {@code submitted}, a backend's word, or how it ended
 * @param changedAt when that was heard
 */
public record JobEntry(
        JobHandle handle,
        Optional<String> targetsFile,
        Optional<String> jobFile,
        List<String> archive,
        Map<String, SecretRef> secrets,
        String endEarly,
        String state,
        Instant changedAt) {
    public static final String SUBMITTED = "submitted";

    private static final JsonMapper JSON = new JsonMapper();

    public JobEntry withState(JobHandle now, String word, Instant at) {
        return new JobEntry(now, targetsFile, jobFile, archive, secrets, endEarly, word, at);
    }

    /** An entry for a job that another machine has submitted. */
    public static JobEntry ofToken(JobHandle handle) {
        return new JobEntry(
                handle, Optional.empty(), Optional.empty(), List.of(), Map.of(), "", SUBMITTED, handle.submittedAt());
    }

    /** Hides the values of its secrets that can be read here now. */
    public Mask mask(Surroundings here) {
        return Mask.of(secrets.values().stream()
                .flatMap(ref -> value(ref, here).stream())
                .toList());
    }

    /** Whoever has no value any more cannot hide it, and must be able to look after the job all the same. */
    private static Optional<Secret> value(SecretRef reference, Surroundings here) {
        try {
            return Optional.of(SecretValue.of(reference, "the job", here));
        } catch (UsageException e) {
            return Optional.empty();
        }
    }

    public String render() {
        ObjectNode root = JSON.createObjectNode();
        root.put("id", handle.key().value())
                .put("token", handle.token())
                .put("state", state)
                .put("changedAt", changedAt.toString());
        if (!endEarly.isEmpty()) {
            root.put("endEarly", endEarly);
        }
        targetsFile.ifPresent(path -> root.put("targetsFile", path));
        jobFile.ifPresent(path -> root.put("jobFile", path));
        archive.forEach(root.putArray("archive")::add);
        ObjectNode references = root.putObject("secrets");
        secrets.forEach((name, reference) -> references.put(name, reference.toString()));
        return root.toPrettyString() + "\n";
    }

    /**
     * Reads what {@link #render} wrote; keys it does not know pass by.
     *
     * @throws IllegalArgumentException if it is damaged
     */
    public static JobEntry parse(String text) {
        try {
            JsonNode root = JSON.readTree(text);
            List<String> archive = new ArrayList<>();
            root.path("archive").forEach(glob -> archive.add(glob.asText()));
            Map<String, SecretRef> secrets = new LinkedHashMap<>();
            root.path("secrets")
                    .properties()
                    .forEach(entry -> secrets.put(
                            entry.getKey(), SecretRef.parse(entry.getValue().asText())));
            return new JobEntry(
                    JobHandle.parse(root.path("token").asText()),
                    optional(root, "targetsFile"),
                    optional(root, "jobFile"),
                    archive,
                    secrets,
                    root.path("endEarly").asText(),
                    root.path("state").asText(SUBMITTED),
                    Instant.parse(root.path("changedAt").asText()));
        } catch (JsonProcessingException | java.time.DateTimeException e) {
            throw new IllegalArgumentException("damaged record: " + e.getMessage(), e);
        }
    }

    private static Optional<String> optional(JsonNode root, String key) {
        return Optional.ofNullable(root.get(key)).map(JsonNode::asText);
    }
}
