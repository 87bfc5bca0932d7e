package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Nightly;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.TorchRig;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Outcome.Succeeded;
import io.jenkins.plugins.tao.job.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** PyTorch's own torchrun on two nodes of the rig, where four processes add up their ranks over gloo. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
@Nightly
final class SlurmTorchrunIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final Path BASE = Path.of("/lustre/tao/torchrun-" + RUN);
    private static final String PATH = TorchRig.BIN + ":/usr/local/bin:/usr/bin:/bin";

    private final RigWatch watch =
            new RigWatch(SlurmRig.target("torchrun-" + RUN).build());

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
        TorchRig.assumeUp();
    }

    @AfterAll
    void close() {
        watch.close();
    }

    /** Two nodes with two GPUs each. */
    private List<String> run(String name, String command) throws Exception {
        JobSpec spec = JobSpec.of(command)
                .spec(Map.of("train", Map.of("num_gpus", 1, "num_nodes", 1)))
                .env(Map.of("PATH", PATH))
                .resources(new Resources(2, OptionalInt.of(2), OptionalInt.of(2), Optional.of(Duration.ofMinutes(5))))
                .build();
        JobHandle job = watch.start(name + "-" + RUN, spec);

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
        return watch.lines(job, Stream.OUT);
    }

    @Test
    @Promise("SL-54")
    void aTorchrunCommandAddsUpTheRanksOfTwoNodes() throws Exception {
        List<String> lines = run(
                "plain",
                "torchrun --nnodes=$WORLD_SIZE --nproc-per-node=$NUM_GPU_PER_NODE --node-rank=$NODE_RANK"
                        + " --master-addr=$MASTER_ADDR --master-port=$MASTER_PORT "
                        + TorchRig.BIN.resolve("allreduce.py") + " --of {job_id}");

        assertThat(lines)
                .containsExactlyInAnyOrder(
                        "[0] rank 0 of 4: sum 10 local 0 --of plain-" + RUN,
                        "[0] rank 1 of 4: sum 10 local 1 --of plain-" + RUN,
                        "[1] rank 2 of 4: sum 10 local 0 --of plain-" + RUN,
                        "[1] rank 3 of 4: sum 10 local 1 --of plain-" + RUN);
    }

    @Test
    @Promise("TR-19")
    void membersOfAnArrayOnOneNodeMeetAmongThemselvesAlone() throws Exception {
        JobSpec spec = JobSpec.of("torchrun --nproc-per-node=$NUM_GPU_PER_NODE " + TorchRig.BIN.resolve("allreduce.py"))
                .env(Map.of("PATH", PATH))
                .resources(new Resources(1, OptionalInt.of(2), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))))
                .options(Records.of(SlurmOptions.class, "array", "0-3", "nodelist", "gpu01", "gpuCheck", false))
                .build();
        JobHandle job = watch.start("shared-" + RUN, spec);

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
        assertThat(watch.lines(job, Stream.OUT))
                .filteredOn(line -> line.startsWith("rank "))
                .hasSize(8)
                .allMatch(line -> line.contains(" of 2: sum 3 "));
    }

    @Test
    @Promise("SL-54")
    void aTaoCommandAddsUpTheRanksOfTwoNodesEachWithASpecOfItsOwn() throws Exception {
        List<String> lines = run("tao", "rtdetr train -e {config_path}");

        String folder = BASE + "/specs/tao-" + RUN + ".nodes";
        String first = " --config-path " + folder + " --config-name 0.yaml";
        String second = " --config-path " + folder + " --config-name 1.yaml";
        assertThat(lines)
                .containsExactlyInAnyOrder(
                        "[0] rank 0 of 4: sum 10 local 0" + first,
                        "[0] rank 1 of 4: sum 10 local 1" + first,
                        "[1] rank 2 of 4: sum 10 local 0" + second,
                        "[1] rank 3 of 4: sum 10 local 1" + second);
        assertThat(Path.of(folder, "1.yaml")).content().contains("num_gpus: 2", "num_nodes: 2");
        assertThat(Files.readString(BASE.resolve("specs/tao-" + RUN + ".yaml")))
                .contains("num_gpus: 1", "num_nodes: 1");
    }
}
