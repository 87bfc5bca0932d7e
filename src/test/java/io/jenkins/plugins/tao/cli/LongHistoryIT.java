package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Nightly;
import io.jenkins.plugins.tao.history.ManyRuns;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The heap that a history of 2,000 runs by 20 metrics needs: each command runs in a Java of its own. */
@Nightly
class LongHistoryIT {
    @TempDir
    Path directory;

    private String answer(String... command) throws Exception {
        File said = directory.resolve("said").toFile();
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xmx100m",
                                        "-XX:+UseSerialGC",
                                        "-XX:TieredStopAtLevel=1",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        Main.class.getName()),
                                Stream.of(command))
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(said)
                .start();
        try {
            int code = process.waitFor();
            assertThat(code).as(Files.readString(said.toPath())).isZero();
            return Files.readString(said.toPath());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aHundredMegabytesOfHeapAreEnough() throws Exception {
        Path runs = directory.resolve("runs");
        ManyRuns.write(runs, 2000, 20);
        assertThat(Files.size(runs.resolve("history.jsonl"))).isGreaterThan(25_000_000);

        assertThat(answer(
                        "gate",
                        "--archive-dir",
                        runs.toString(),
                        "--gate",
                        "kpi: metric_3, atLeast: 0.1",
                        "--gate",
                        "kpi: metric_4, atLeast: 0.1"))
                .contains("#2000");
        assertThat(answer(
                        "gate",
                        "--archive-dir",
                        runs.toString(),
                        "--gate",
                        "kpi: metric_3, direction: higher, read: epochs to 0.42, atMost: 40"))
                .contains("#2000");
        assertThat(answer("history", "--archive-dir", runs.toString())).contains("#2000", "#1971");
    }
}
