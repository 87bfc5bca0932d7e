package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Rigs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real command line on the real cluster, struck by {@code kill -9} at every step of a job's life. */
@NeedsRig(value = "slurm", shared = true)
class KilledIT {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Path JAR = Path.of("target/tao-run-cli.jar").toAbsolutePath();
    private static final Path KEYS = Rigs.SLURM.resolve("keys");
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final Path BASE = Path.of("/lustre/tao/killed-" + RUN);

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void setUp() throws Exception {
        assumeTrue(Files.exists(JAR), "no " + JAR + ": run ./mvnw package");
        Rigs.assumeUp(Rigs.SLURM);
        Files.writeString(directory.resolve("tao-targets.yaml"), """
                targets:
                  rig:
                    backend: slurm
                    hosts: ["127.0.0.1:2222", "127.0.0.1:2223"]
                    user: tao
                    key: %s
                    knownHosts: %s
                    baseDirectory: %s
                """.formatted(
                        KEYS.resolve("tao_ed25519"), KEYS.resolve("known_hosts"), BASE));
        Files.writeString(directory.resolve("job.yaml"), """
                target: rig
                command: |
                  echo begun; echo once >> {results_dir}/starts
                  while [ ! -e %s/go ]; do sleep 0.2; done
                  echo finished
                gpus: 0
                cpus: 1
                time: 1h
                """.formatted(BASE));
    }

    @AfterEach
    void tearDown() throws IOException {
        started.forEach(Process::destroyForcibly);
        if (Files.exists(BASE)) {
            Files.writeString(BASE.resolve("go"), "");
        }
    }

    private Process tao(String id) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                JAR.toString(),
                "run",
                "job.yaml",
                "--id",
                id,
                "--interval",
                "1s");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(out(id).toFile()));
        builder.environment()
                .putAll(Map.of(
                        "HOME", directory.toString(),
                        "XDG_STATE_HOME", directory.resolve("state").toString(),
                        "XDG_DATA_HOME", directory.resolve("data").toString()));
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Path out(String id) {
        return directory.resolve("out-" + id);
    }

    private String printed(String id) throws IOException {
        return Files.exists(out(id)) ? Files.readString(out(id), StandardCharsets.UTF_8) : "";
    }

    private static String squeue(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("squeue", "-h", "-t", "all", "-o", "%i"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /**
     * The steps that leave a trace, in their order: when to strike. A trace that lasts for a moment, such as the lock, may be missed
     * on a busy machine: then the strike comes when the id is noted.
     */
    private Map<String, Callable<Boolean>> steps() {
        Map<String, Callable<Boolean>> steps = new LinkedHashMap<>();
        steps.put("start", () -> !started.isEmpty());
        steps.put("checked", () -> printed("checked-" + RUN).contains("login"));
        steps.put("locked", () -> Files.exists(BASE.resolve("submit/locked-" + RUN + ".1.lock")) || noted("locked"));
        steps.put(
                "staged", () -> Files.exists(BASE.resolve("sbatch/job_staged-" + RUN + ".sbatch")) || noted("staged"));
        steps.put(
                "sending",
                () -> Files.exists(BASE.resolve("submit/sending-" + RUN + ".1.sending")) || noted("sending"));
        steps.put("taken", () -> !squeue("--name=tao-job-taken-" + RUN).isEmpty() || noted("taken"));
        steps.put("noted", () -> noted("noted"));
        steps.put("running", () -> printed("running-" + RUN).contains("begun"));
        return steps;
    }

    private static boolean noted(String step) {
        return Files.exists(BASE.resolve("submit/" + step + "-" + RUN + ".1.id"));
    }

    @Test
    @Promise("SL-26")
    void aProcessKilledAtAnyStepAndStartedAgainHasStartedOneJob() throws Exception {
        Files.createDirectories(BASE);
        Files.setPosixFilePermissions(BASE, PosixFilePermissions.fromString("rwxrwxrwx"));

        for (Map.Entry<String, Callable<Boolean>> step : steps().entrySet()) {
            Process process = tao(step.getKey() + "-" + RUN);
            await(step.getKey()).atMost(LONG).pollInterval(Duration.ofMillis(2)).until(step.getValue());
            process.destroyForcibly().waitFor();
        }
        Files.writeString(BASE.resolve("go"), "");
        Map<String, Process> again = new LinkedHashMap<>();
        for (String step : steps().keySet()) {
            again.put(step, tao(step + "-" + RUN));
        }

        for (Map.Entry<String, Process> each : again.entrySet()) {
            String id = each.getKey() + "-" + RUN;
            assertThat(each.getValue().waitFor(LONG.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(each.getValue().exitValue()).as(() -> id + read(id)).isZero();
            assertThat(printed(id)).contains("finished");
            assertThat(squeue("--name=tao-job-" + id).lines()).as(id).hasSize(1);
            assertThat(BASE.resolve("results/" + id + "/starts")).hasContent("once");
        }
    }

    private String read(String id) {
        try {
            return printed(id);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
