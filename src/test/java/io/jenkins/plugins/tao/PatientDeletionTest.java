package io.jenkins.plugins.tao;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processes of a job that ends after its test. */
class PatientDeletionTest {
    private static Path left;

    @TempDir
    private Path directory;

    @Test
    void aDirectoryInWhichAProcessStillWritesIsRemovedWhenTheProcessHasEnded() throws Exception {
        Path up = directory.resolve("up");
        left = directory;

        new ProcessBuilder(
                        "bash",
                        "-c",
                        "mkdir -p a/b; touch up; for i in $(seq 500); do mkdir -p a/b 2>/dev/null; : >a/b/$i; done 2>/dev/null")
                .directory(directory.toFile())
                .start();

        while (!Files.exists(up)) {
            Thread.onSpinWait();
        }
    }

    @AfterAll
    static void itIsGone() {
        assertThat(left).doesNotExist();
    }
}
