package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import hudson.model.Run;
import io.jenkins.plugins.tao.job.GpuUse;
import io.jenkins.plugins.tao.journal.DurableFile;
import io.jenkins.plugins.tao.record.GpuSeries;
import io.jenkins.plugins.tao.record.RunMetrics;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.report.FailureCard;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What the folder of a job beside its build tells; each read is bounded. Nothing here asks the target. */
record JobFolder(Run<?, ?> build, String id) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String TAIL = "tail.txt";
    private static final int MOST_EVENTS = 4000;
    private static final String PROGRESS = "{\"event\":\"progress\"";

    private Path file(String name) {
        return BuildFolder.file(build, id, name);
    }

    private List<String> linesOf(String name) throws IOException {
        Path file = file(name);
        return Files.isRegularFile(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
    }

    /** {@code job.json}: what was asked; an empty object where it is not known. */
    JsonNode asked() throws IOException {
        Path file = file("job.json");
        return Files.isRegularFile(file) ? node(Files.readString(file)) : JSON.createObjectNode();
    }

    /** The newest events of which the page makes a timeline, the oldest first. */
    List<JsonNode> events() throws IOException {
        return lines(line -> !line.startsWith(PROGRESS));
    }

    /** The newest words of the training about its progress, the oldest first. */
    List<JsonNode> progress() throws IOException {
        return lines(line -> line.startsWith(PROGRESS));
    }

    private List<JsonNode> lines(Predicate<String> wanted) throws IOException {
        Path file = file("events.jsonl");
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        Deque<String> kept = new ArrayDeque<>();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (wanted.test(line)) {
                    kept.addLast(line);
                }
                if (kept.size() > MOST_EVENTS) {
                    kept.removeFirst();
                }
            }
        }
        List<JsonNode> nodes = new ArrayList<>();
        kept.forEach(line -> nodes.add(node(line)));
        return nodes;
    }

    /** {@code series.csv}, which is there once the job has ended; no lines before. */
    List<String> series() throws IOException {
        return linesOf(RunMetrics.FILE);
    }

    /** How much it used its GPUs so far; nothing where its node does not tell. */
    List<GpuUse> gpus() throws IOException {
        return GpuSeries.parse(linesOf(GpuSeries.FILE));
    }

    /** The last lines of its log as they were kept at its end. */
    List<String> tail() throws IOException {
        return linesOf(TAIL);
    }

    /** What a person needs after a failure; empty where there is none. */
    Optional<JobCard> card() throws IOException {
        Path text = file(FailureCard.FILE);
        return Files.isRegularFile(text)
                ? Optional.of(new JobCard(
                        id, Files.readString(text), record().flatMap(FailureCard::parts), String.join("\n", tail())))
                : Optional.empty();
    }

    /** Its record; empty where there is none that can be read. */
    Optional<RunRecord> record() {
        Path file = file(RunRecord.FILE);
        try {
            return Files.isRegularFile(file) ? Optional.of(RunRecord.parse(Files.readString(file))) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    void keepTail(List<String> lines) throws IOException {
        if (!lines.isEmpty()) {
            DurableFile.write(BuildFolder.ofJob(build, id).resolve(TAIL), String.join("\n", lines) + "\n");
        }
    }

    /** A line that a crash has cut is an empty object. */
    private static JsonNode node(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return JSON.createObjectNode();
        }
    }

    /** Whether what was asked for is known here, so that it can be asked for again. */
    boolean wasAsked() {
        return Files.exists(file("request.xml"));
    }
}
