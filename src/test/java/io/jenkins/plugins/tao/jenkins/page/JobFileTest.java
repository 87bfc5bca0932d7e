package io.jenkins.plugins.tao.jenkins.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFileTest {
    @TempDir
    private Path build;

    private final Map<String, JobRecord> known = new LinkedHashMap<>();
    private Path place;
    private JobFile file;

    @BeforeEach
    void open() {
        place = build.resolve("tao/jobs.jsonl");
        file = new JobFile(() -> place);
    }

    private void put(JobRecord now) throws IOException {
        JobRecord before = known.put(now.getId(), now);
        file.add(before, now, known.values());
    }

    private static JobRecord intended(int id) {
        return JobRecord.intended(new JobKey("train-" + id), "dgx", Map.of("KEY", "credential-1"), true);
    }

    private static JobHandle handle(int id) {
        return new JobHandle(
                "dgx", "slurm", new JobKey("train-" + id), 1, "47" + id, "/j", "/r/ä", Instant.ofEpochSecond(5));
    }

    @Test
    @Promise("TR-77")
    void whatWasAddedIsReadAgainWithAllItHad() throws IOException {
        put(intended(1));
        put(intended(1).now(handle(1), "RUNNING", "gpu01").advanced("epoch 3/9").ownedBy(JobOwner.LEFT));
        put(intended(2));

        Map<String, JobRecord> read = new JobFile(() -> place).read();

        JobRecord first = read.values().iterator().next();
        assertThat(read.keySet()).containsExactly("train-1", "train-2");
        assertThat(first.handle()).hasValue(handle(1));
        assertThat(first.getState()).isEqualTo("RUNNING");
        assertThat(first.getDetail()).isEqualTo("gpu01");
        assertThat(first.getProgress()).isEqualTo("epoch 3/9");
        assertThat(first.owner()).isEqualTo(JobOwner.LEFT);
        assertThat(first.secrets()).containsEntry("KEY", "credential-1");
        assertThat(first.isSubmittedHere()).isTrue();
        assertThat(first.survivesBuild()).isTrue();
        assertThat(first.getResultsDir()).isEqualTo("/r/ä");
    }

    @Test
    @Promise("TR-40")
    void aSubmissionWithoutAnAnswerIsShownWithItsTargetAndNoToken() throws IOException {
        put(intended(1).now("SUBMITTING", "no answer yet"));

        JobRecord read = file.read().values().iterator().next();

        assertThat(read.handle()).isEmpty();
        assertThat(read.getTarget()).isEqualTo("dgx");
        assertThat(read.getNativeId()).isEmpty();
        assertThat(read.getDetail()).isEqualTo("no answer yet");
    }

    @Test
    @Promise("TR-77")
    void aChangeAddsOneShortLineWhateverTheNumberOfJobs() throws IOException {
        for (int id = 0; id < 2000; id++) {
            put(intended(id));
        }
        long before = Files.size(place);
        put(intended(7).now(handle(7), "RUNNING", "gpu01"));

        assertThat(Files.size(place) - before).isBetween(1L, 300L);
    }

    @Test
    @Promise("TR-77")
    void aFileOfManyChangesIsWrittenAnewAndLosesNothing() throws IOException {
        for (int change = 0; change < 20_000; change++) {
            put(intended(change % 10).now(handle(change % 10), "RUNNING", "epoch " + change));
        }

        assertThat(Files.size(place)).isLessThan(700_000);
        Map<String, JobRecord> read = new JobFile(() -> place).read();
        assertThat(read).hasSize(10);
        assertThat(Objects.requireNonNull(read.get("train-9")).getDetail()).isEqualTo("epoch 19999");
    }

    @Test
    void aLineCutByACrashCostsThatLineAlone() throws IOException {
        put(intended(1));
        Files.writeString(place, "{\"id\":\"train-1\",\"state\":\"RUN", StandardOpenOption.APPEND);
        file = new JobFile(() -> place);
        put(intended(2));

        Map<String, JobRecord> read = file.read();

        assertThat(read.keySet()).containsExactly("train-1", "train-2");
        assertThat(Objects.requireNonNull(read.get("train-1")).getState()).isEqualTo("SUBMITTING");
    }

    @Test
    void aBuildThatMovesTakesItsFileAlong() throws IOException {
        put(intended(1));
        Files.move(build.resolve("tao"), build.resolve("moved"));
        place = build.resolve("moved/jobs.jsonl");
        put(intended(2));

        assertThat(file.read()).hasSize(2);
    }
}
