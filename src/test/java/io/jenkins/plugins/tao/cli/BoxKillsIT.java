package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Nightly;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Rigs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real command line, ended by SIGKILL at random moments of a submission, a watch and a cancel, on this machine and on a box.
 * {@code -Dtao.process.kills=200} tries as many moments in each test; the seed is in the message of a failure.
 */
@NeedsRig("box")
class BoxKillsIT {
    private static final Path JAR = Path.of("target/tao-run-cli.jar").toAbsolutePath();
    private static final Path BOXES = Rigs.BOXES;
    private static final int KILLS = Integer.getInteger("tao.process.kills", 4);
    private static final int LATEST_MILLIS = 3000;

    @TempDir
    Path directory;

    private final String run = UUID.randomUUID().toString().substring(0, 8);
    private final long seed = Long.getLong("tao.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @BeforeEach
    void setUp() {
        assumeTrue(Files.exists(JAR), "no " + JAR + ": run ./mvnw package");
    }

    /** The base directory of the target, as this machine sees it. */
    private Path local() throws IOException {
        Path base = directory.resolve("tao");
        target("backend: local\n    baseDirectory: " + base);
        return base;
    }

    private Path box() throws IOException {
        Rigs.assumeUp(BOXES);
        target("""
                backend: ssh
                    hosts: ["127.0.0.1:2231"]
                    user: tao
                    key: %s
                    knownHosts: %s
                    baseDirectory: /box/%s""".formatted(BOXES.resolve("keys/tao_ed25519"), BOXES.resolve("keys/known_hosts"), run));
        return BOXES.resolve("box1").resolve(run);
    }

    private void target(String settings) throws IOException {
        Files.writeString(directory.resolve("tao-targets.yaml"), "targets:\n  here:\n    " + settings + "\n");
        Files.writeString(
                directory.resolve("short.yaml"),
                "target: here\ncommand: echo once >> {results_dir}/starts; sleep 1; echo finished\n");
        Files.writeString(
                directory.resolve("long.yaml"),
                "target: here\ncommand: echo once >> {results_dir}/starts; sleep 600; echo finished\n");
    }

    @Nightly
    @Test
    @Promise("TR-04")
    void aSubmissionHereThatIsKilledAtAnyMomentIsKnownAndStartsOnce() throws Exception {
        submissions(local());
    }

    @Test
    @Promise("TR-04")
    void aSubmissionToABoxThatIsKilledAtAnyMomentIsKnownAndStartsOnce() throws Exception {
        submissions(box());
    }

    @Nightly
    @Test
    @Promise("TR-14")
    void aCancelHereThatIsKilledAtAnyMomentCanBeAskedForAgain() throws Exception {
        cancels(local());
    }

    @Test
    @Promise("TR-14")
    void aCancelOnABoxThatIsKilledAtAnyMomentCanBeAskedForAgain() throws Exception {
        cancels(box());
    }

    private void submissions(Path base) throws Exception {
        for (int i = 0; i < KILLS; i++) {
            String id = "kill-" + run + "-" + i;
            String shown = struck("run", "short.yaml", "--id", id, "--interval", "1s");
            boolean begun = Files.exists(base.resolve("jobs").resolve(id).resolve("attempt-1/process"));
            String known = tao("list").output();
            Ended again = tao("run", "short.yaml", "--id", id, "--interval", "1s");

            assertThat(!begun || known.contains(id)).as(because(id, known)).isTrue();
            assertThat(again.code()).as(because(id, again.output())).isZero();
            // Lines that the killed process has shown and noted are not repeated.
            assertThat(shown + again.output()).as(because(id, "the log")).contains("finished");
            assertThat(base.resolve("results").resolve(id).resolve("starts")).hasContent("once");
            assertThat(tao("list").output().lines().filter(line -> line.contains(id)))
                    .as(because(id, "one row"))
                    .hasSize(1);
        }
        try (var jobs = Files.list(base.resolve("jobs"))) {
            assertThat(jobs).hasSize(KILLS);
        }
    }

    private void cancels(Path base) throws Exception {
        for (int i = 0; i < KILLS; i++) {
            String id = "cancel-" + run + "-" + i;
            Ended sent = tao("submit", "long.yaml", "--id", id);
            assertThat(sent.code()).as(because(id, sent.output())).isZero();
            struck("cancel", id);
            Ended again = tao("cancel", id);
            Ended waited = tao("wait", id, "--interval", "1s");

            assertThat(again.code()).as(because(id, again.output())).isZero();
            assertThat(waited.output())
                    .as(because(id, "the end"))
                    .contains("cancelled")
                    .doesNotContain("finished");
            Path attempt = base.resolve("jobs").resolve(id).resolve("attempt-1");
            assertThat(attempt.resolve("cancel")).exists();
            assertThat(attempt.resolve("exit")).exists();
        }
    }

    private String because(String id, String output) {
        return id + ", seed " + seed + ": " + output;
    }

    /** Starts it and kills it at a random moment, unless it has ended by then; returns what it had printed. */
    private String struck(String... words) throws Exception {
        Process process = start(words);
        if (!process.waitFor(random.nextInt(LATEST_MILLIS), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly().waitFor();
        }
        return Files.readString(directory.resolve("out"));
    }

    private Ended tao(String... words) throws Exception {
        Process process = start(words);
        assertThat(process.waitFor(5, TimeUnit.MINUTES))
                .as(List.of(words).toString())
                .isTrue();
        return new Ended(process.exitValue(), Files.readString(directory.resolve("out")));
    }

    private record Ended(int code, String output) {}

    private Process start(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                JAR.toString()));
        command.addAll(Arrays.asList(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile());
        builder.environment()
                .putAll(Map.of(
                        "HOME", directory.toString(),
                        "XDG_STATE_HOME", directory.resolve("state").toString(),
                        "XDG_DATA_HOME", directory.resolve("data").toString()));
        return builder.start();
    }
}
