package io.jenkins.plugins.tao.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The folder of one job. {@code job.json} says what was asked and holds the token that finds the job again;
 * {@code events.jsonl} has a line for all that happened and is only ever added to; {@code state.json} is the newest state,
 * replaced as a whole; {@code failure.json} is there after a failure. Log lines are left to the job's own logs.
 */
public final class Journal {
    /** The files, in the order in which a person would open them. */
    public static final List<String> FILES = List.of("job.json", "state.json", "events.jsonl", "failure.json");

    private static final JsonMapper JSON = new JsonMapper();

    private final Path folder;
    private final Clock clock;
    private final UnaryOperator<String> mask;

    /**
     * The journal in {@code folder}, which is made when the first word is written.
     *
     * @param mask what takes secrets out of a text
     */
    public Journal(Path folder, Clock clock, UnaryOperator<String> mask) {
        this.folder = folder;
        this.clock = clock;
        this.mask = mask;
    }

    /** Tells that this job was submitted. */
    public void asked(JobSpec spec, JobHandle handle) throws IOException {
        replace("job.json", RequestJson.of(handle, spec));
        append(EventJson.submitted(handle));
    }

    /** Tells that a job is watched of which only the handle is known; what an earlier process wrote stays. */
    public void watched(JobHandle handle) throws IOException {
        if (Files.notExists(folder.resolve("job.json"))) {
            replace("job.json", RequestJson.of(handle));
        }
    }

    /** Tells one event. */
    public void on(JobEvent event) throws IOException {
        if (event instanceof JobEvent.Lines) {
            return;
        }
        ObjectNode told = EventJson.of(event);
        append(told);
        if (event instanceof JobEvent.StatusChanged || event instanceof JobEvent.Ended) {
            replace("state.json", told);
        }
    }

    /** Tells why the job failed. */
    public void diagnosed(Diagnosis diagnosis) throws IOException {
        ObjectNode told = EventJson.diagnosis(diagnosis);
        append(told);
        replace("failure.json", told);
    }

    /** The job whose journal lies in {@code folder}; empty when there is none that can be read. */
    public static Optional<JobHandle> jobOf(Path folder) throws IOException {
        Path file = folder.resolve("job.json");
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(JobHandle.parse(
                    JSON.readTree(Files.readString(file)).path("token").asText()));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void append(ObjectNode told) throws IOException {
        Files.createDirectories(folder);
        String line = masked(stamped(told)) + "\n";
        Files.writeString(
                folder.resolve("events.jsonl"),
                line,
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private void replace(String name, ObjectNode node) throws IOException {
        DurableFile.write(folder.resolve(name), masked(stamped(node)).toPrettyString() + "\n");
    }

    private ObjectNode stamped(ObjectNode node) {
        return node.put("at", clock.instant().toString());
    }

    /** Takes secrets out of each text before JSON escapes it, which would hide a quote of theirs from the mask. */
    private JsonNode masked(JsonNode node) {
        if (node.isTextual()) {
            return TextNode.valueOf(mask.apply(node.textValue()));
        }
        if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, masked(array.get(i)));
            }
        } else if (node instanceof ObjectNode object) {
            object.properties().forEach(entry -> entry.setValue(masked(entry.getValue())));
        }
        return node;
    }
}
