package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Nightly;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Rigs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real command line, killed at random moments of its submissions: each job that ran is known by its record, is taken up
 * by it, and ran once. {@code -Dtao.process.kills=200} kills more often, {@code -Dtao.kills.seed=…} at the same moments again.
 */
@NeedsRig(value = "slurm", shared = true)
class RandomKillsIT {
    private static final Path JAR = Path.of("target/tao-run-cli.jar").toAbsolutePath();
    private static final Path KEYS = Rigs.SLURM.resolve("keys");
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int KILLS = Integer.getInteger("tao.process.kills", 5);
    private static final long SEED = Long.getLong("tao.kills.seed", System.nanoTime());

    @TempDir
    Path directory;

    @BeforeEach
    void setUp() {
        assumeTrue(Files.exists(JAR), "no " + JAR + ": run ./mvnw package");
    }

    private Process tao(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                JAR.toString()));
        Collections.addAll(command, arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("out").toFile()));
        builder.environment()
                .putAll(Map.of(
                        "HOME", directory.toString(),
                        "XDG_STATE_HOME", directory.resolve("state").toString(),
                        "XDG_DATA_HOME", directory.resolve("data").toString()));
        return builder.start();
    }

    private void done(Process process) throws Exception {
        assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS))
                .as(() -> printed())
                .isTrue();
        assertThat(process.exitValue()).as(this::printed).isZero();
    }

    private String printed() {
        try {
            return "seed " + SEED + "\n" + Files.readString(directory.resolve("out"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private List<String> known() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("state/tao-run"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json") || name.endsWith(".sending"))
                    .map(name -> name.replaceFirst("\\.(json|sending)$", ""))
                    .distinct()
                    .toList();
        }
    }

    private void killAndTakeUp(String target, Path starts) throws Exception {
        Files.writeString(
                directory.resolve("job.yaml"),
                "target: " + target + "\nname: killed\ncommand: echo {results_dir} >> " + starts
                        + "\ngpus: 0\ncpus: 1\ntime: 5m\n");
        long begun = System.nanoTime();
        done(tao("submit", "job.yaml"));
        long whole = (System.nanoTime() - begun) / 1_000_000;
        Random random = new Random(SEED);
        for (int i = 0; i < KILLS; i++) {
            Process process = tao("submit", "job.yaml");
            // what is sent and answered happens in the last half: most kills are to fall there
            var unused = process.waitFor((long) (whole * (0.4 + 0.7 * random.nextDouble())), TimeUnit.MILLISECONDS);
            process.destroyForcibly().waitFor();
        }

        List<String> known = known();
        for (String id : known) {
            done(tao("wait", id, "--interval", "1s", "--no-archive"));
        }

        List<String> ran = Files.readAllLines(starts).stream()
                .map(line -> Path.of(line).getFileName().toString())
                .toList();
        assertThat(ran).as(this::printed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(known);
    }

    @Nightly
    @Test
    @Promise("TR-04")
    void onThisMachineNoJobIsLostOrDoubled() throws Exception {
        killAndTakeUp("local", directory.resolve("starts"));
    }

    @Test
    @Promise("TR-04")
    void onSlurmNoJobIsLostOrDoubled() throws Exception {
        Rigs.assumeUp(Rigs.SLURM);
        Path base = Files.createDirectories(
                Path.of("/lustre/tao/kills-" + UUID.randomUUID().toString().substring(0, 8)));
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(directory.resolve("tao-targets.yaml"), """
                targets:
                  rig:
                    backend: slurm
                    hosts: ["127.0.0.1:2222"]
                    user: tao
                    key: %1$s/tao_ed25519
                    knownHosts: %1$s/known_hosts
                    baseDirectory: %2$s
                """.formatted(KEYS, base));

        killAndTakeUp("rig", base.resolve("starts"));
    }
}
