package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jenkins.plugins.tao.Nightly;
import io.jenkins.plugins.tao.Promise;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of the real command line while it follows a log, as Linux counts it. */
@Nightly
class MemoryIT {
    private static final Path JAR = Path.of("target/tao-run-cli.jar").toAbsolutePath();
    private static final long MOST_KIB = 128_000_000 / 1024;
    private static final long LOG = 192L << 20;

    @TempDir
    Path directory;

    @BeforeEach
    void launcher() throws Exception {
        assumeTrue(Files.exists(JAR), "no " + JAR + ": run ./mvnw package");
        assumeTrue(Files.exists(Path.of("/proc/self/status")), "only Linux tells the largest size of a process");
        Files.createDirectories(directory.resolve("target"));
        Files.copy(Path.of("tao"), directory.resolve("tao"));
        assertThat(directory.resolve("tao").toFile().setExecutable(true)).isTrue();
        Files.copy(JAR, directory.resolve("target/tao-run-cli.jar"));
    }

    /** The largest resident size of a process that follows the log of {@code command} to its end. */
    private long kibOf(String command) throws Exception {
        Path job = Files.writeString(directory.resolve("job.yaml"), "target: local\ncommand: " + command + "\n");
        File shown = directory.resolve("shown").toFile();
        ProcessBuilder builder = new ProcessBuilder(
                        directory.resolve("tao").toString(), "run", job.toString(), "--no-archive")
                .redirectOutput(shown)
                .redirectError(directory.resolve("errors").toFile());
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        Process process = builder.start();
        try {
            AtomicLong largest = new AtomicLong();
            await().atMost(Duration.ofMinutes(10))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> {
                        largestSize(process.pid()).ifPresent(largest::set);
                        return !process.isAlive();
                    });
            assertThat(process.exitValue())
                    .as(Files.readString(directory.resolve("errors")))
                    .isZero();
            assertThat(shown.length()).isGreaterThan(LOG);
            return largest.get();
        } finally {
            process.destroyForcibly();
        }
    }

    private static OptionalLong largestSize(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty(); // it has ended
        }
    }

    @Test
    @Promise("TR-64")
    void aLongLogIsFollowedInLessThan128Megabytes() throws Exception {
        assertThat(kibOf("head -c " + LOG + " /dev/zero | tr '\\0' 'x' | fold -w 120"))
                .isPositive()
                .isLessThan(MOST_KIB);
    }

    @Test
    @Promise("TR-64")
    void aLineWithoutEndIsFollowedInLessThan128Megabytes() throws Exception {
        assertThat(kibOf("head -c " + LOG + " /dev/zero | tr '\\0' 'x'"))
                .isPositive()
                .isLessThan(MOST_KIB);
    }
}
