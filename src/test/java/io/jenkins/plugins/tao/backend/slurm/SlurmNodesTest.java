package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.job.GpuUse;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.PlayedGpus;
import io.jenkins.plugins.tao.status.MachineReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each of several nodes tells: the real batch script, with nodes that are processes and a played nvidia-smi. */
class SlurmNodesTest extends WrapperStage {
    private int collectEvery = 1;

    @BeforeEach
    void threeNodes() throws Exception {
        slurm.command("scontrol", "[ \"$1\" != show ] || printf '%s\\n' gpu07 gpu08 gpu11");
        slurm.command("srun", """
                while case $1 in --*) true;; *) false;; esac; do shift; done
                SLURM_PROCID=2 SLURMD_NODENAME=gpu11 "$@" & third=$!
                SLURM_PROCID=1 SLURMD_NODENAME=gpu08 "$@" & second=$!
                SLURM_PROCID=0 SLURMD_NODENAME=gpu07 "$@"
                wait $second && wait $third""");
        new PlayedGpus(directory).with(PlayedGpus.TWO);
    }

    @Override
    String inHaste(String script) {
        return script.replace("tao_tell_gpus \"$4\" 30", "tao_tell_gpus \"$4\" 1")
                .replace("tao_collect_every=30", "tao_collect_every=" + collectEvery)
                .replace("\"${CUDA_VISIBLE_DEVICES-}\" 30 >>", "\"${CUDA_VISIBLE_DEVICES-}\" 1 >>");
    }

    private JobSpec.Builder onThreeNodes(String command) {
        return JobSpec.of(command).resources(Sample.machines(3, 1));
    }

    /** Shell text that waits until the job's file has two samples of each node. */
    private String untilTold() {
        String file = "'" + logs("gpu") + "'";
        return "for mark in '' '[[]1[]] ' '[[]2[]] '; do while [ \"$(grep -c \"^${mark}use\" " + file
                + ")\" -lt 2 ]; do sleep 0.1; done; done";
    }

    /** Without what the check of the network says on a machine that has none. */
    private List<String> errors() throws Exception {
        return Files.readString(logs("err"))
                .lines()
                .filter(line -> !line.contains("shows no active InfiniBand"))
                .toList();
    }

    private List<String> told() throws Exception {
        return Files.readAllLines(logs("gpu"));
    }

    @Test
    @Promise({"NV-01", "NV-28", "NS-24"})
    void theGpusOfEachNodeAreToldInTheOneFileOfTheJob() throws Exception {
        assertThat(run(onThreeNodes(untilTold()).build())).isZero();

        MachineReader.Told read = new MachineReader().take(told());
        assertThat(read.facts())
                .containsEntry("gpuType", "NVIDIA H100 80GB HBM3")
                .containsEntry("cuda", "12.2");
        for (int node : List.of(0, 1, 2)) {
            assertThat(read.samples())
                    .filteredOn(sample -> sample.gpus().get(0).node() == node)
                    .hasSizeGreaterThanOrEqualTo(2)
                    .allSatisfy(sample -> assertThat(sample.gpus())
                            .extracting(GpuUse.Gpu::number)
                            .containsExactly(0, 1));
        }
        assertThat(told()).doesNotHaveDuplicates();
        assertThat(errors()).isEmpty();
    }

    @Test
    @Promise("NV-01")
    void whatAShortJobsNodesToldIsCollectedAtItsEnd() throws Exception {
        collectEvery = 600;
        String ranks = slurm.base.resolve(RECORD) + ".ranks/0.gpu.";
        String told =
                "for node in gpu08 gpu11; do while ! grep -qs cuda '" + ranks + "'$node; do sleep 0.1; done; done";

        assertThat(run(onThreeNodes(told + "; exit 3").build())).isEqualTo(3);

        assertThat(told())
                .contains("[1] gpu 0, NVIDIA H100 80GB HBM3, 535.104.05, 81559", "[2] cuda 12.2")
                .doesNotHaveDuplicates();
        assertThat(Path.of(slurm.base.resolve(RECORD) + ".ranks")).doesNotExist();
    }

    @Test
    void theNodesThatTellHaveNoSecretsAndEndWithTheirTask() throws Exception {
        Files.createDirectories(slurm.base.resolve("secrets"));
        Files.writeString(slurm.base.resolve(SECRETS), "export HF_TOKEN=hf_secret\n");
        new PlayedGpus(directory).says("env >> '" + slurm.base.resolve("seen") + "'; exec sleep 600\n");

        JobSpec spec = onThreeNodes("while [ ! -s '" + slurm.base.resolve("seen") + "' ]; do sleep 0.1; done")
                .secrets(Map.of("HF_TOKEN", Secret.of("hf_secret")))
                .options(Records.of(SlurmOptions.class, "gpuCheck", false))
                .build();
        assertThat(run(spec)).isZero();

        assertThat(Files.readString(slurm.base.resolve("seen")))
                .contains("PATH=")
                .doesNotContain("hf_secret");
    }

    @Test
    @Promise("NS-23")
    void eachLineOfSeveralNodesHasItsRankUnlessItNamesThatOfItsProcess() throws Exception {
        assertThat(run(onThreeNodes("echo \"loss of $NODE_RANK\"; echo '[rank7]: RuntimeError' >&2;"
                                + " printf '50%%\\r100%%\\nno end'")
                        .build()))
                .isZero();

        String out = Files.readString(logs("out"));
        for (int rank : List.of(0, 1, 2)) {
            assertThat(out)
                    .contains(
                            "[" + rank + "] loss of " + rank + "\n",
                            "[" + rank + "] 50%\r100%\n",
                            "[" + rank + "] no end");
        }
        assertThat(errors()).hasSize(3).containsOnly("[rank7]: RuntimeError");
    }

    @Test
    @Promise("NS-23")
    void aLineIsShownAsSoonAsItIsWhole() throws Exception {
        String seen = "while ! grep -q 'rank 1 is up' '" + logs("out") + "'; do sleep 0.1; done";

        assertThat(run(onThreeNodes("echo rank $NODE_RANK is up; " + seen).build()))
                .isZero();
    }

    @Test
    void aJobOnOneNodeIsNotMarked() throws Exception {
        env.put("SLURMD_NODENAME", "gpu07");
        slurm.command("srun", "while case $1 in --*) true;; *) false;; esac; do shift; done; exec \"$@\"");

        assertThat(run(JobSpec.of("echo plain").resources(Sample.machines(1, 1)).build()))
                .isZero();

        assertThat(Files.readString(logs("out"))).isEqualTo("plain\n");
        try (Stream<Path> exits = Files.list(slurm.base.resolve("exit"))) {
            assertThat(exits).noneMatch(path -> path.toString().contains("gpu"));
        }
    }
}
