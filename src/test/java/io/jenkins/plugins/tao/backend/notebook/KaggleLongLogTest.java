package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** How much a notebook writes into its log. */
class KaggleLongLogTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private KaggleRig rig;

    @BeforeEach
    void open() throws Exception {
        rig = new KaggleRig(temporary.resolve("kaggle"));
    }

    @AfterEach
    void close() {
        rig.close();
    }

    /** Each line costs Kaggle's answers far more than its own length. */
    @Test
    void aCommandThatWritesWithoutEndLeavesRoomForTheEndOfTheLog() throws Exception {
        rig.kaggle.edit = text -> text.replace("LOG_BYTES = 6 << 20", "LOG_BYTES = 20000");

        JobHandle job =
                rig.submit(JobSpec.of("seq 20000; seq 20000 >&2; exit 3").build());

        assertThat(rig.end(job).exitCode()).hasValue(3);
        assertThat(rig.read(job, Stream.OUT)).startsWith("1\n2\n3\n").hasSizeLessThan(2000);
        assertThat(rig.read(job, Stream.ERR)).contains("this log ends here; the files main.out and main.err");
        assertThat(rig.kaggle
                        .kernel("tao-" + KaggleRig.KEY)
                        .session
                        .orElseThrow()
                        .log())
                .hasSizeLessThan(45_000);
        assertThat(Files.readString(
                        rig.kaggle.kernel("tao-" + KaggleRig.KEY).working().resolve("tao-run/main.out")))
                .endsWith("\n19999\n20000\n");
    }
}
