package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real {@code ./tao} that is struck by a real Ctrl-C. */
class InterruptIT {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Path LAUNCHER = Path.of("tao").toAbsolutePath();
    private static final Path JAR = Path.of("target/tao-run-cli.jar");

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void setUp() throws Exception {
        assumeTrue(Files.exists(JAR), "no " + JAR + ": run ./mvnw package");
        assumeTrue(tao("--version").waitFor() == 0, "env of coreutils 8.31 or newer is needed to start with SIGINT on");
        Files.writeString(directory.resolve("job.yaml"), """
                target: local
                command: |
                  echo begun
                  while [ ! -e %s ]; do sleep 0.2; done
                  echo finished
                """.formatted(directory.resolve("go")));
    }

    @AfterEach
    void tearDown() throws IOException {
        started.forEach(Process::destroyForcibly);
        if (!Files.exists(directory.resolve("go"))) {
            Files.createFile(directory.resolve("go")); // the job of a failed test ends too
        }
    }

    /** Started as from a terminal: a background build lets its children ignore SIGINT. */
    private Process tao(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT", LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out-" + started.size()).toFile());
        builder.environment()
                .putAll(Map.of(
                        "HOME", directory.toString(),
                        "XDG_STATE_HOME", directory.resolve("state").toString(),
                        "XDG_DATA_HOME", directory.resolve("data").toString()));
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private String printed(Process process) {
        try {
            return Files.readString(directory.resolve("out-" + started.indexOf(process)), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void untilPrinted(Process process, String text) {
        await().atMost(LONG).until(() -> printed(process).contains(text));
    }

    private static void strike(Process process) throws Exception {
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    }

    private int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS))
                .as(() -> printed(process))
                .isTrue();
        return process.exitValue();
    }

    @Test
    void ctrlCLeavesTheJobWhichALaterWaitCollects() throws Exception {
        Process run = tao("run", "job.yaml", "--id", "left", "--interval", "1s");
        untilPrinted(run, "begun");

        strike(run);

        assertThat(exitCode(run)).isEqualTo(130);
        assertThat(printed(run)).contains("The job continues. Watch it again with: tao wait left");

        Files.createFile(directory.resolve("go"));
        Process wait = tao("wait", "left", "--interval", "1s");

        assertThat(exitCode(wait)).isZero();
        assertThat(printed(wait)).contains("finished", "left succeeded").doesNotContain("begun");
        assertThat(directory.resolve("tao-artifacts/left")).isDirectoryRecursivelyContaining("glob:**/main.out");
    }

    @Test
    void ctrlCCancelsTheJobWhereThatIsAskedFor() throws Exception {
        Process run = tao("run", "job.yaml", "--id", "stopped", "--interval", "1s", "--on-interrupt", "cancel");
        untilPrinted(run, "begun");

        strike(run);

        assertThat(exitCode(run)).isEqualTo(4);
        assertThat(printed(run)).containsPattern("stopped cancelled, .*: by Ctrl-C");
    }
}
