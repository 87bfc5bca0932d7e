package io.jenkins.plugins.tao.backend.simulated;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What must outlive a process: for each job a folder with what was asked for ({@code job.json}), a file for each further attempt
 * ({@code attempt-2.json}), and one for each that is cancelled ({@code cancelled-1.json}). Each file appears whole and once; of
 * several writers the first one wins.
 */
final class PlayStore {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final String JOB = "job.json";
    private static final String AT = "at";
    private static final String PLAY = "play";
    private static final String AVOID = "avoid";

    private final Path jobs;

    PlayStore(String baseDirectory) {
        jobs = Path.of(baseDirectory, "jobs");
    }

    /** A job that is known. */
    record Known(PlayRequest request, List<PlayAttempt> attempts) {}

    /** Whether the folder is there at all: before the first job, and where a disk is missing, it is not. */
    boolean exists() {
        return Files.isDirectory(jobs);
    }

    Path folder(JobKey key) {
        return jobs.resolve(key.value());
    }

    /** Adds a job; one that is there stays as it is. */
    void add(JobKey key, PlayRequest request, Set<String> avoid, Instant at) throws IOException {
        Files.createDirectories(folder(key));
        ObjectNode node = JSON.createObjectNode().put(AT, at.toEpochMilli());
        avoid.stream().sorted().forEach(node.putArray(AVOID)::add);
        node.set(PLAY, JSON.valueToTree(request));
        create(folder(key).resolve(JOB), node);
    }

    /** Adds an attempt; one that is there stays as it is. */
    void addAttempt(JobKey key, int number, Set<String> avoid, Instant at) throws IOException {
        ObjectNode node = JSON.createObjectNode().put(AT, at.toEpochMilli());
        avoid.stream().sorted().forEach(node.putArray(AVOID)::add);
        create(folder(key).resolve("attempt-" + number + ".json"), node);
    }

    /** Notes that the end of an attempt was asked for; a note that is there stays. */
    void cancel(JobKey key, int number, Instant at) throws IOException {
        create(cancelled(key, number), JSON.createObjectNode().put(AT, at.toEpochMilli()));
    }

    /** The keys of all jobs. */
    List<JobKey> keys() throws IOException {
        try (Stream<Path> folders = Files.list(jobs)) {
            return folders.filter(Files::isDirectory)
                    .map(folder -> new JobKey(String.valueOf(folder.getFileName())))
                    .toList();
        }
    }

    /** The job with all its attempts; empty if it is not known. */
    Optional<Known> newest(JobKey key) throws IOException {
        int last = 1;
        while (Files.exists(folder(key).resolve("attempt-" + (last + 1) + ".json"))) {
            last++;
        }
        return find(key, last);
    }

    /** The job and its attempts up to {@code last}; empty if it is not known. */
    Optional<Known> find(JobKey key, int last) throws IOException {
        Optional<JsonNode> job = read(folder(key).resolve(JOB));
        if (job.isEmpty()) {
            return Optional.empty();
        }
        List<PlayAttempt> attempts = new ArrayList<>();
        attempts.add(attempt(key, 1, job.get()));
        for (int number = 2; number <= last; number++) {
            Optional<JsonNode> attempt = read(folder(key).resolve("attempt-" + number + ".json"));
            if (attempt.isEmpty()) {
                return Optional.empty();
            }
            attempts.add(attempt(key, number, attempt.get()));
        }
        return Optional.of(new Known(JSON.treeToValue(job.get().path(PLAY), PlayRequest.class), attempts));
    }

    private PlayAttempt attempt(JobKey key, int number, JsonNode node) throws IOException {
        List<String> avoid = new ArrayList<>();
        node.path(AVOID).forEach(name -> avoid.add(name.asText()));
        return new PlayAttempt(
                number, instant(node), avoid, read(cancelled(key, number)).map(PlayStore::instant));
    }

    private Path cancelled(JobKey key, int number) {
        return folder(key).resolve("cancelled-" + number + ".json");
    }

    private static Instant instant(JsonNode node) {
        return Instant.ofEpochMilli(node.path(AT).asLong());
    }

    private static Optional<JsonNode> read(Path file) throws IOException {
        try {
            return Optional.of(JSON.readTree(Files.readString(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static void create(Path file, JsonNode node) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        Path draft = Files.createTempFile(Objects.requireNonNull(file.getParent()), "draft", ".json");
        try {
            Files.write(draft, node.toString().getBytes(UTF_8), StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException e) {
            return; // another one was first, and means the same
        } finally {
            Files.delete(draft);
        }
    }
}
