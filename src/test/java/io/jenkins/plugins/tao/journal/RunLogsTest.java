package io.jenkins.plugins.tao.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.mask.Mask;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the logs of a failed run add to its record. */
class RunLogsTest {
    @TempDir
    Path home;

    @BeforeEach
    void aRun() throws IOException {
        Files.writeString(
                home.resolve("job.json"), "{\"id\":\"train-1\",\"target\":\"dgx\",\"command\":\"dino train\"}");
        Files.createDirectories(home.resolve("logs"));
        Files.writeString(home.resolve("logs/0.log"), "fine\n[rank0]: RuntimeError: peer gone\n");
        Files.writeString(home.resolve("logs/1.log"), "fine\n[rank1]: ValueError: label 91 of 80\n");
        Files.writeString(home.resolve("model.pth"), "RuntimeError: not a log");
    }

    private RunRecord concluded(String... events) throws IOException {
        Files.write(home.resolve("events.jsonl"), List.of(events));
        return new Journal(home, Clock.systemUTC(), Mask.NONE::apply)
                .conclude(home)
                .orElseThrow();
    }

    @Test
    @Promise("GE-03")
    void aSecretThatALogShowsIsInNoRecordNorInWhatHistoriesGet() throws Exception {
        Files.writeString(home.resolve("logs/0.log"), "ValueError: s3cr\"et is wrong\n");
        Files.writeString(
                home.resolve("events.jsonl"), "{\"event\":\"ended\",\"outcome\":\"failed\",\"cause\":\"PROGRAM\"}");

        RunRecord record = new Journal(home, Clock.systemUTC(), text -> text.replace("s3cr\"et", "****"))
                .conclude(home)
                .orElseThrow();

        assertThat(record.line()).contains("**** is wrong").doesNotContain("s3cr");
        assertThat(home.resolve("record.json"))
                .content()
                .contains("**** is wrong")
                .doesNotContain("s3cr");
        assertThat(home.resolve("failure.md")).content().doesNotContain("s3cr");
    }

    @Test
    @Promise("NV-32")
    void theFirstErrorIsThatOfTheRankThatFailedFirst() throws Exception {
        RunRecord record = concluded(
                "{\"event\":\"ended\",\"outcome\":\"failed\",\"cause\":\"PROGRAM\",\"detail\":\"The command failed first on rank 1 on n2, which ended.\"}");

        assertThat(record.firstError().orElseThrow().place()).isEqualTo("rank 1, logs/1.log line 2");
        assertThat(home.resolve("failure.md"))
                .content()
                .contains("ValueError: label 91 of 80 (rank 1, logs/1.log line 2)");
    }

    @Test
    @Promise("NV-32")
    void whereNoRankIsToldItIsThatOfTheFirstLogWithOne() throws Exception {
        RunRecord record =
                concluded("{\"event\":\"ended\",\"outcome\":\"failed\",\"cause\":\"PROGRAM\",\"detail\":\"x\"}");

        assertThat(record.firstError().orElseThrow().place()).isEqualTo("rank 0, logs/0.log line 2");
    }

    @Test
    @Promise("NV-32")
    void aRunThatWentWellHasNoErrorWhateverItsLogSays() throws Exception {
        RunRecord record = concluded("{\"event\":\"ended\",\"outcome\":\"succeeded\"}");

        assertThat(record.firstError()).isEmpty();
        assertThat(home.resolve("failure.md")).doesNotExist();
    }
}
