package io.jenkins.plugins.tao.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final JobHandle JOB = new JobHandle(
            "dgx", "slurm", new JobKey("dino-1"), 1, "4711", "/l/dino-1", "/l/results", Instant.ofEpochSecond(9));

    @TempDir
    Path directory;

    private Path folder;
    private Journal journal;

    @BeforeEach
    void open() {
        folder = directory.resolve("runs/dino-1");
        journal = new Journal(
                folder,
                Clock.fixed(Instant.parse("2026-01-31T12:00:00Z"), ZoneOffset.UTC),
                text -> text.replace("s3\"cret", "****"));
    }

    private JsonNode json(String name) throws IOException {
        return JSON.readTree(folder.resolve(name).toFile());
    }

    private static JobEvent changed(JobState state, String word) {
        return new JobEvent.StatusChanged("", JobStatus.live(state, word), Duration.ZERO);
    }

    @Test
    void whatWasAskedIsThereWithSecretsByNameAlone() throws IOException {
        JobSpec spec = JobSpec.of("dino train")
                .image("nvcr.io/x:1")
                .env(Map.of("A", "1"))
                .secrets(Map.of("TOKEN", Secret.of("value-of-it")))
                .inputs(List.of("/data"))
                .spec(Map.of("train", Map.of("num_epochs", 3)))
                .build();

        journal.asked(spec, JOB);

        assertThat(json("job.json").path("command").asText()).isEqualTo("dino train");
        assertThat(json("job.json").path("image").asText()).isEqualTo("nvcr.io/x:1");
        assertThat(json("job.json").at("/spec/train/num_epochs").asInt()).isEqualTo(3);
        assertThat(json("job.json").at("/secrets/0").asText()).isEqualTo("TOKEN");
        assertThat(folder.resolve("job.json")).content().doesNotContain("value-of-it");
        assertThat(Journal.jobOf(folder)).contains(JOB);
    }

    @Test
    @Promise("NV-04")
    void theMembersOfAnArrayHaveTheirLinesBesideTheRecord() throws IOException {
        JobHandle array = new JobHandle(
                "dgx", "slurm", JOB.key(), 1, "4711_[0-1]", "/l/dino-1", "/l/results", Instant.ofEpochSecond(9));
        Path member = Files.createDirectories(folder.resolve("results/1/train"));
        Files.writeString(member.resolve("status.json"), """
                {"status":"RUNNING","message":"Eval metrics generated.","kpi":{"val_mAP":0.5}}
                {"epoch":0,"status":"RUNNING","message":"Training loop in progress"}
                """);
        journal.asked(JobSpec.of("x").build(), array);

        RunRecord record = journal.conclude(folder).orElseThrow();

        assertThat(record.ofMembers("val_mAP")).containsOnlyKeys(1);
        assertThat(Files.readAllLines(folder.resolve("members.jsonl")))
                .hasSize(2)
                .last()
                .asString()
                .contains("\"member\":1", "\"val_mAP\":{\"last\":0.5");
        assertThat(folder.resolve("series.csv")).content().contains("val_mAP [1],0,,0.5");
    }

    @Test
    void eventsAreAddedAndTheStateIsReplaced() throws IOException {
        journal.asked(JobSpec.of("x").build(), JOB);
        journal.on(changed(JobState.PENDING, "PENDING"));
        journal.on(JobEvent.Lines.of(Stream.OUT, List.of("not here, the log has it")));
        journal.on(new JobEvent.Notice("holds s3\"cret"));
        journal.on(changed(JobState.RUNNING, "RUNNING"));
        journal.diagnosed(new Diagnosis("Out of memory.", "Ask for more.", List.of("MaxRSS: 3 GiB")));

        List<String> events = Files.readAllLines(folder.resolve("events.jsonl"));
        assertThat(events).hasSize(5).allMatch(line -> line.endsWith("\"at\":\"2026-01-31T12:00:00Z\"}"));
        assertThat(events.get(2)).contains("holds ****");
        assertThat(json("state.json").path("nativeState").asText()).isEqualTo("RUNNING");
        assertThat(json("failure.json").path("remedy").asText()).isEqualTo("Ask for more.");
    }

    @Test
    void aLaterProcessGoesOnWhereTheJournalStands() throws IOException {
        journal.asked(JobSpec.of("dino train").build(), JOB);
        journal.watched(JOB);

        assertThat(json("job.json").path("command").asText()).isEqualTo("dino train");
        assertThat(Files.readAllLines(folder.resolve("events.jsonl"))).hasSize(1);
    }

    @Test
    void aFolderWithoutAJournalOrWithADamagedOneIsNoJob() throws IOException {
        Files.createDirectories(folder);
        assertThat(Journal.jobOf(folder)).isEmpty();

        Files.writeString(folder.resolve("job.json"), "{\"token\": \"tao1:");
        assertThat(Journal.jobOf(folder)).isEmpty();
        Files.writeString(folder.resolve("job.json"), "{\"token\": \"x\"}");
        assertThat(Journal.jobOf(folder)).isEmpty();
    }
}
