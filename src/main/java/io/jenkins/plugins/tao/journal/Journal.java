package io.jenkins.plugins.tao.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.FleetingLogs;
import io.jenkins.plugins.tao.job.GpuUse;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.record.GpuSeries;
import io.jenkins.plugins.tao.record.RecordMaker;
import io.jenkins.plugins.tao.record.RunFiles;
import io.jenkins.plugins.tao.record.RunMetrics;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.report.FailureCard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/**
 * The folder of one job. {@code job.json} says what was asked and holds the token that finds the job again;
 * {@code events.jsonl} has a line for all that happened and is only ever added to; {@code state.json} is the newest state,
 * replaced as a whole; {@code failure.json} and {@code failure.md} are there after a failure; {@code record.json} and {@code series.csv} once the job has ended; {@code left.json} tells what was not brought home and where it stays; {@code gpu.csv} has how much it used its
 * GPUs, where its node tells that. Log lines are left to the job's own logs, but for a
 * backend whose logs can be gone with the job: then {@code followed.log} holds what was followed, and {@code followed.jsonl} the lines of
 * {@code status.json} in it.
 */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class Journal {
    /** What was not brought home, each with why and where it stays. */
    public static final String LEFT = "left.json";

    /** The lines that were followed of a job whose logs can be gone with it. */
    public static final String FOLLOWED = "followed.log";

    /** A log whose command began so long ago is read from its start. */
    private static final Duration JUST_STARTED = Duration.ofMinutes(1);

    /** The files that users look for; the others serve the programs. */
    public static final List<String> RESULTS = List.of(
            FailureCard.FILE, FOLLOWED, LEFT, RunRecord.FILE, RunRecord.MEMBERS, RunMetrics.FILE, GpuSeries.FILE);

    /** In bytes: more than one attempt on sixteen GPUs can tell. */
    private static final long MOST_SAMPLES = 8L << 20;

    private static final JsonMapper JSON = new JsonMapper();

    /** The names of backends whose logs can be gone with the job. */
    private static final Set<String> FLEETING = BackendTypes.load().all().stream()
            .filter(FleetingLogs.class::isInstance)
            .map(BackendType::name)
            .collect(Collectors.toUnmodifiableSet());

    private final Supplier<Path> folder;
    private final Clock clock;
    private final UnaryOperator<String> mask;
    private final Writing writing;
    private boolean keepsLines;
    private boolean sawStart;
    private boolean followsStatus;

    /** How files are replaced. */
    @FunctionalInterface
    private interface Writing {
        void write(Path file, String text) throws IOException;
    }

    /**
     * The journal in {@code folder}, which is made when the first word is written.
     *
     * @param mask what takes secrets out of a text
     */
    public Journal(Path folder, Clock clock, UnaryOperator<String> mask) {
        this(() -> folder, clock, mask);
    }

    /** The same in a folder that can be moved while the job runs: {@code folder} is asked at each use. */
    public Journal(Supplier<Path> folder, Clock clock, UnaryOperator<String> mask) {
        this(folder, clock, mask, DurableFile::write);
    }

    /** The same of a job that is found without it: a crash of the machine may cost what was written last. */
    public static Journal spare(Path folder, Clock clock, UnaryOperator<String> mask) {
        return new Journal(() -> folder, clock, mask, DurableFile::replace);
    }

    /** Tells that this job was submitted. */
    public void asked(JobSpec spec, JobHandle handle) throws IOException {
        keepsLines = isFleeting(handle);
        replace("job.json", RequestJson.of(handle, spec));
        append(EventJson.submitted(handle));
    }

    /**
     * What the record of a job would say that is not submitted yet, as much as its request tells.
     *
     * @param mask what takes secrets out of a text
     */
    public static RunRecord planned(
            JobSpec spec, JobKey key, String target, RunOrigin origin, UnaryOperator<String> mask) {
        String job = masked(RequestJson.planned(key, target, spec), mask).toString();
        String asked = masked(origin.json(), mask).toString();
        RunFiles files = new RunFiles(job, asked, List.of(), Map.of(), Map.of(), 0, Optional.empty());
        return RecordMaker.make(files)
                .map(RecordMaker.Made::record)
                .orElseThrow(() -> new IllegalStateException("a request without an id"));
    }

    /**
     * Tells what of the job was not brought home.
     *
     * @param files a line each: the file, why it stays, and its address
     */
    public void left(JobHandle handle, List<String> files) throws IOException {
        ObjectNode node = JSON.createObjectNode();
        node.put("results", handle.target() + ":" + handle.resultsDirectory());
        files.forEach(node.putArray("left")::add);
        replace(LEFT, node);
        for (String file : files) {
            if (file.startsWith(ArtifactSink.FRONT)) {
                append(EventJson.event("cut").put("text", file));
            }
        }
    }

    /** Notes who asked for the run, and of which code. */
    public void origin(RunOrigin origin) throws IOException {
        writing.write(folder.get().resolve("origin.json"), masked(origin.json()).toPrettyString() + "\n");
    }

    /**
     * Writes the record of the run and its series, once the job has ended and its files are here.
     *
     * @param home the folder below which the files came home
     * @return the record; empty when the folder does not tell which job it was
     */
    public Optional<RunRecord> conclude(Path home) throws IOException {
        Optional<RecordMaker.Made> made = RecordMaker.make(new RunLeavings(folder.get(), home).read());
        if (made.isEmpty()) {
            return Optional.empty();
        }
        writing.write(
                folder.get().resolve(RunMetrics.FILE),
                mask.apply(made.get().metrics().csv()));
        if (!made.get().members().isEmpty()) {
            writing.write(
                    folder.get().resolve(RunRecord.MEMBERS),
                    mask.apply(String.join("\n", made.get().members()) + "\n"));
        }
        // Histories and pages get the record without its secrets too.
        RunRecord record = RunRecord.parse(
                masked(JSON.readTree(made.get().record().line())).toString());
        writing.write(folder.get().resolve(RunRecord.FILE), record.render());
        Optional<String> card = FailureCard.of(record);
        if (card.isPresent()) {
            writing.write(folder.get().resolve(FailureCard.FILE), mask.apply(card.get()));
        }
        return Optional.of(record);
    }

    /** Tells that a job is watched of which only the handle is known; what an earlier process wrote stays. */
    public void watched(JobHandle handle) throws IOException {
        keepsLines = isFleeting(handle);
        if (Files.notExists(folder.get().resolve("job.json"))) {
            replace("job.json", RequestJson.of(handle));
        }
    }

    /** Tells one event. */
    public void on(JobEvent event) throws IOException {
        if (event instanceof JobEvent.Lines lines) {
            if (keepsLines) {
                follow(FOLLOWED, lines.lines());
            }
            return;
        }
        if (event instanceof JobEvent.GpusUsed used) {
            sampled(used.samples());
            return;
        }
        if (event instanceof JobEvent.StatusChanged changed) {
            sawStart |= changed.now().state() == JobState.PENDING
                    || changed.now()
                            .startedAt()
                            .filter(start -> start.plus(JUST_STARTED).isAfter(clock.instant()))
                            .isPresent();
        } else if (event instanceof JobEvent.Advanced advanced && keepsLines) {
            if (!followsStatus) {
                followsStatus = true;
                follow(FollowedStatus.FILE, List.of(FollowedStatus.mark(sawStart)));
            }
            follow(FollowedStatus.FILE, advanced.lines());
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

    private static boolean isFleeting(JobHandle handle) {
        return FLEETING.contains(handle.backend());
    }

    private void sampled(List<GpuUse> samples) throws IOException {
        Path file = folder.get().resolve(GpuSeries.FILE);
        boolean fresh = Files.notExists(file);
        if (fresh || Files.size(file) < MOST_SAMPLES) {
            append(GpuSeries.FILE, (fresh ? GpuSeries.HEADER : "") + GpuSeries.rows(samples));
        }
    }

    private void follow(String name, List<String> lines) throws IOException {
        append(name, mask.apply(String.join("\n", lines)) + "\n");
    }

    private void append(ObjectNode told) throws IOException {
        append("events.jsonl", masked(stamped(told)) + "\n");
    }

    private void append(String name, String text) throws IOException {
        Files.createDirectories(folder.get());
        Files.writeString(
                folder.get().resolve(name),
                text,
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private void replace(String name, ObjectNode node) throws IOException {
        writing.write(folder.get().resolve(name), masked(stamped(node)).toPrettyString() + "\n");
    }

    private ObjectNode stamped(ObjectNode node) {
        return node.put("at", clock.instant().toString());
    }

    private JsonNode masked(JsonNode node) {
        return masked(node, mask);
    }

    /** Takes secrets out of each text before JSON escapes it, which would hide a quote of theirs from the mask. */
    private static JsonNode masked(JsonNode node, UnaryOperator<String> mask) {
        if (node.isTextual()) {
            return TextNode.valueOf(mask.apply(node.textValue()));
        }
        if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, masked(array.get(i), mask));
            }
        } else if (node instanceof ObjectNode object) {
            object.properties().forEach(entry -> entry.setValue(masked(entry.getValue(), mask)));
        }
        return node;
    }
}
