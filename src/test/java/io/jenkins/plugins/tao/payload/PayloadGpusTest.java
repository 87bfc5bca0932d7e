package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.PlayedGpus;
import io.jenkins.plugins.tao.status.MachineReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the frame in a container tells of its GPUs, in each shell that images have; nvidia-smi alone is played. */
class PayloadGpusTest {
    private static final String SHELLS = "io.jenkins.plugins.tao.payload.Container#shells";

    @TempDir
    Path folder;

    private JobSpec.Builder job(String command, int gpus) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(gpus), OptionalInt.empty(), Optional.empty()));
    }

    private Container.Log run(String shell, Path bin, JobSpec.Builder spec) throws Exception {
        String script = Payload.of(spec.build(), KEY)
                .resultsRoot(folder + "/mnt")
                .script()
                .replace("tao_gpu_pause=30", "tao_gpu_pause=1")
                .replace("timeout -s KILL 20", "timeout -s KILL 600");
        return Container.of(shell)
                .env("PATH", bin + ":" + System.getenv("PATH"))
                .env("WANDB_API_KEY", "s3cr3t")
                .logged(folder.resolve("log"))
                .run(script, folder);
    }

    private static String machine(Container.Log log) {
        return new String(
                PayloadLog.ofBytes(KEY)
                        .split(log.raw().getBytes(java.nio.charset.StandardCharsets.UTF_8), true)
                        .machine(),
                java.nio.charset.StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise({"NV-01", "NS-24"})
    void theGpusAndTheirUseAreToldBesideTheCommandAndAreNoPartOfItsOutput(String shell) throws Exception {
        Path bin = new PlayedGpus(folder).with(PlayedGpus.TWO).bin();

        Container.Log log =
                run(shell, bin, job("until grep -q 'machine use' log; do sleep 0.1; done; printf done; exit 3", 2));

        assertThat(log.output()).isEqualTo("done");
        assertThat(log.exitCode()).isEqualTo(3);
        assertThat(machine(log)).containsPattern("(?m)^use \\d{10} 0,97,40123 1,0,3$");
        assertThat(new MachineReader().take(machine(log).lines().toList()).facts())
                .containsOnly(
                        Map.entry("gpuType", "NVIDIA H100 80GB HBM3"),
                        Map.entry("driver", "535.104.05"),
                        Map.entry("cuda", "12.2"));
        assertThat(log.raw()).endsWith("\n@tao[" + KEY + "] exit 3\n");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-24")
    void aContainerWithoutNvidiaSmiTellsNothingAndNoZero(String shell) throws Exception {
        Path bin = new PlayedGpus(folder).bin();

        Container.Log log = run(shell, bin, job("sleep 1.5; echo done", 1));

        assertThat(log.output()).isEqualTo("done\n");
        assertThat(machine(log)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    void aDriverThatHangsDelaysNoEnd(String shell) throws Exception {
        Path bin = new PlayedGpus(folder)
                .says("while [ -e '" + folder + "' ]; do sleep 1; done\n")
                .bin();

        Container.Log log = run(shell, bin, job("sleep 0.5; echo done", 1));

        assertThat(log.output()).isEqualTo("done\n");
    }

    @Test
    void nvidiaSmiSeesNoSecretOfTheJob() throws Exception {
        Path bin = new PlayedGpus(folder)
                .says("env > '" + folder + "/seen'; exit 9\n")
                .bin();

        run(
                "dash",
                bin,
                job("until [ -s '" + folder + "/seen' ]; do sleep 0.1; done", 1)
                        .secrets(Map.of("WANDB_API_KEY", Secret.of("s3cr3t"))));

        assertThat(Files.readString(folder.resolve("seen"))).contains("PATH=").doesNotContain("s3cr3t");
    }

    @Test
    void aJobWithoutGpusIsNotWatched() throws Exception {
        assertThat(Payload.of(job("true", 0).build(), KEY).script()).doesNotContain("nvidia-smi");
        assertThat(Payload.of(job("true", 1).build(), KEY).script()).contains("nvidia-smi");
    }
}
