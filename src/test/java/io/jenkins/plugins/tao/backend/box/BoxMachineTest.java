package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.PlayedGpus;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a box tells of its GPUs: real jobs of this machine, nvidia-smi alone is played. */
class BoxMachineTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private PlayedGpus gpus;
    private LocalTarget target;

    @BeforeEach
    void machine() throws Exception {
        gpus = new PlayedGpus(temporary).with(PlayedGpus.TWO.replace("81559, 97, 40123", "81559, 0, 3"));
        target = new LocalTarget("here", temporary + "/tao", BoxUsual.SETTINGS);
    }

    private JobSpec.Builder job(String command, int count) {
        return JobSpec.of(command)
                .env(Map.of("PATH", gpus.bin() + ":" + System.getenv("PATH")))
                .secrets(Map.of("WANDB_API_KEY", Secret.of("hush-4711")))
                .resources(new Resources(1, OptionalInt.of(count), OptionalInt.empty(), Optional.empty()));
    }

    @Test
    @Promise({"NV-01", "NS-24"})
    void aJobWithAGpuTellsItsKindAndItsUseInTheReadsOfItsLogsAndLeavesNoProcessBehind() throws Exception {
        try (Backend backend = new LocalType().open(target)) {
            JobHandle job = backend.submit(
                    job("touch {results_dir}/up; while [ ! -e {results_dir}/go ]; do sleep 0.1; done", 1)
                            .build(),
                    new JobKey("watched-0a1b2c"));
            StreamRef ref = new StreamRef(job, Stream.MACHINE);
            String told = Awaitility.await()
                    .until(() -> text(backend.read(Map.of(ref, Position.START)), ref), text -> text.contains("cuda"));

            assertThat(told)
                    .contains("gpu 0, NVIDIA H100 80GB HBM3, 535.104.05, 81559\n", "cuda 12.2\n")
                    .doesNotContain("gpu 1");
            // for a moment a process that it starts has its arguments
            List<String> watcher = Awaitility.await().until(this::watchers, found -> found.size() == 1);
            assertThat(environ(watcher.get(0)))
                    .as("its process has no secret, no mark")
                    .doesNotContain("hush-4711", "TAO_RUN");

            Files.createFile(Path.of(job.resultsDirectory(), "go"));
            Awaitility.await().until(() -> status(backend, job).state() == JobState.ENDED);
            assertThat(status(backend, job).exitCode()).hasValue(0);
            Awaitility.await().until(() -> watchers().isEmpty());
        }
    }

    private static JobStatus status(Backend backend, JobHandle job) throws Exception {
        return Objects.requireNonNull(backend.poll(Set.of(job)).get(job));
    }

    /** The processes that run the watcher of this test's jobs. */
    private List<String> watchers() throws Exception {
        return new LocalHost()
                .run(
                        "grep -lsaF '" + temporary
                                + "/tao/jobs/' /proc/[0-9]*/cmdline | while read -r f; do tr '\\0' ' '"
                                + " <$f | grep -q '/gpus.sh ' && echo ${f%/cmdline}; done; :",
                        Duration.ofMinutes(5))
                .text()
                .lines()
                .toList();
    }

    private static String environ(String process) {
        try {
            return Files.readString(Path.of(process, "environ"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Map<StreamRef, Tail> tails, StreamRef ref) {
        return Optional.ofNullable(tails.get(ref))
                .map(tail -> new String(tail.bytes(), StandardCharsets.UTF_8))
                .orElse("");
    }

    @Test
    @Promise("NS-24")
    void itIsSampledInWhateverShellTheWrapperRunsAndIsNoPartOfTheJob() throws Exception {
        for (String shell : List.of("dash", "bash", "busybox sh")) {
            String name = "use-" + shell.replace(' ', '-');
            Path machine = temporary.resolve("tao/jobs/" + name + "/attempt-1/machine");
            String sampled = "until grep -qs ^use " + machine + "; do sleep 0.1; done";
            Path job = new StagedJobs(temporary, target)
                    .staged(name, job(sampled, 2).secrets(Map.of()).build());
            Files.writeString(
                    job.resolve("settings"), Files.readString(job.resolve("settings")) + "tao_sample=1\ntao_verify=\n");

            new StagedJobs(temporary, target).run(shell, job, "# complete");

            assertThat(Files.readString(job.resolve("attempt-1/exit"))).startsWith("0 ");
            assertThat(job.resolve("attempt-1/left")).doesNotExist();
            assertThat(Files.readString(machine)).containsPattern("(?m)^use \\d{10} 0,0,3 1,0,3$");
        }
    }

    @Test
    void aJobWithoutAGpuIsNotWatched() throws Exception {
        Path job = new StagedJobs(temporary, target)
                .staged("none", job("true", 0).secrets(Map.of()).build());

        new StagedJobs(temporary, target).run("dash", job, "# complete");

        assertThat(job.resolve("attempt-1/machine")).doesNotExist();
    }
}
