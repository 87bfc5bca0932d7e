package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.Rigs;
import io.jenkins.plugins.tao.TorchRig;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.job.GpuUse;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Outcome.Succeeded;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.remote.PlayedGpus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What each node of a job tells on a real Slurm, where a played nvidia-smi on each stands for its GPUs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig("slurm")
final class SlurmNodesIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final Path BASE = Path.of("/lustre/tao/nodes-" + RUN);
    private static final String PATH = TorchRig.BIN + ":/usr/local/bin:/usr/bin:/bin";
    private static final Map<String, String> DRIVERS =
            Map.of("gpu01", "535.104.05", "gpu02", "550.54.15", "gpu03", "560.35.03", "gpu04", "570.86.10");

    private static final Path DONE = BASE.resolve("done");
    private static final Path MEMBERS_DONE = BASE.resolve("members-done");

    private final RigWatch watch = new RigWatch(SlurmRig.target("nodes-" + RUN).build());
    private Optional<JobHandle> nodes = Optional.empty();
    private Optional<JobHandle> members = Optional.empty();

    /** Samples come twice a minute: the jobs that wait for them run at the same time. */
    @BeforeAll
    void startTheLongOnes() throws Exception {
        gpusOfEachNode();
        nodes = Optional.of(start("gpus", 3, until(DONE), inAnyNode().with("nodelist", "gpu01,gpu02,gpu03")));
        members =
                Optional.of(start("members", 1, until(MEMBERS_DONE), inAnyNode().with("array", "2-4")));
    }

    private static void gpusOfEachNode() throws Exception {
        SlurmRig.assumeUp();
        TorchRig.assumeUp();
        for (Map.Entry<String, String> node : DRIVERS.entrySet()) {
            Path folder = SlurmRig.STATE.resolve("gpus/" + node.getKey());
            StringBuilder table = new StringBuilder();
            for (int i = 0; i < 8; i++) {
                table.append(i).append(", GPU-5ad0c0de-000").append(i).append(", NVIDIA H100 80GB HBM3, ");
                table.append(node.getValue()).append(", 81559, ").append(90 + i).append(", 40123\n");
            }
            Path bin = new PlayedGpus(Files.createDirectories(folder))
                    .with(table.toString())
                    .bin();
            for (Path open : List.of(folder.resolve(".."), folder, bin)) {
                Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            SlurmRig.lab("tools", node.getKey(), bin.toString());
        }
    }

    @AfterAll
    void close() throws Exception {
        watch.close();
        if (Rigs.isUp(SlurmRig.STATE)) {
            for (String node : DRIVERS.keySet()) {
                SlurmRig.lab("tools", node, "-");
            }
        }
    }

    private JobHandle start(String name, int nodes, String command, Records.Draft<SlurmOptions> options)
            throws Exception {
        return watch.start(
                name + "-" + RUN,
                JobSpec.of(command)
                        .env(name.equals("marks") ? Map.of("PATH", PATH, "PET_TEE", "3") : Map.of())
                        .resources(new Resources(
                                nodes, OptionalInt.of(2), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))))
                        .options(options.build())
                        .build());
    }

    private static String until(Path file) {
        return "while [ ! -e " + file + " ]; do sleep 0.2; done";
    }

    private static Records.Draft<SlurmOptions> inAnyNode() {
        return Records.draft(SlurmOptions.class).with("partition", "grizzly");
    }

    /** The nodes, or members, that have told samples so far; each tells of its own two GPUs. */
    private Set<Integer> sampled(JobHandle job) {
        return watch.told(job, JobEvent.GpusUsed.class).stream()
                .flatMap(event -> event.samples().stream())
                .peek(sample -> assertThat(sample.gpus()).hasSize(2))
                .flatMap(sample -> sample.gpus().stream())
                .map(GpuUse.Gpu::node)
                .collect(Collectors.toSet());
    }

    private Map<String, String> facts(JobHandle job) {
        List<JobEvent.Machine> told = watch.told(job, JobEvent.Machine.class);
        return told.get(told.size() - 1).facts();
    }

    @Test
    @Promise({"NV-01", "NV-28", "NS-24"})
    void eachOfThreeNodesTellsOfItsGpusWhileTheJobRunsAndLeavesNothing() throws Exception {
        JobHandle job = nodes.orElseThrow();

        await("samples of each node")
                .atMost(Duration.ofMinutes(4))
                .until(() -> sampled(job).equals(Set.of(0, 1, 2)));
        Files.createFile(DONE);

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
        assertThat(facts(job))
                .containsEntry("gpuType", "NVIDIA H100 80GB HBM3")
                .containsEntry("driver", "535.104.05, 550.54.15, 560.35.03");
        try (var exits = Files.list(BASE.resolve("exit"))) {
            assertThat(exits).noneMatch(file -> file.toString().matches(".*/gpus-[^/]*\\.ranks"));
        }
    }

    @Test
    @Promise({"NV-01", "NS-24"})
    void aJobThatIsOverAtOnceHasToldTheDriversOfItsNodes() throws Exception {
        String name = "short-" + RUN + "-$SLURM_JOB_ID";
        String known = "until grep -qs cuda " + BASE + "/slurm-logs/tao-job-" + name + ".gpu && grep -qs cuda " + BASE
                + "/exit/" + name + ".ranks/0.gpu.gpu04; do sleep 0.2; done";
        JobHandle job = start("short", 2, known, inAnyNode().with("nodelist", "gpu02,gpu04"));

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());

        assertThat(facts(job)).containsEntry("driver", "550.54.15, 570.86.10");
    }

    @Test
    @Promise({"NV-01", "NV-28", "NS-24"})
    void membersOfAnArrayTellEachOfItsOwn() throws Exception {
        JobHandle job = members.orElseThrow();

        await("samples of each member")
                .atMost(Duration.ofMinutes(4))
                .until(() -> sampled(job).equals(Set.of(2, 3, 4)));
        Files.createFile(MEMBERS_DONE);

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
    }

    @Test
    @Promise("NS-23")
    void torchrunThatMarksLinesOnSeveralNodesNamesTheRankOrItsNodeDoes() throws Exception {
        JobHandle job = start(
                "marks",
                2,
                "torchrun --nnodes=$WORLD_SIZE --nproc-per-node=$NUM_GPU_PER_NODE --node-rank=$NODE_RANK"
                        + " --master-addr=$MASTER_ADDR --master-port=$MASTER_PORT "
                        + TorchRig.BIN.resolve("allreduce.py"),
                inAnyNode());

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
        assertThat(watch.lines(job, Stream.OUT)) // an older PyTorch has a form of its own
                .anyMatch(line -> line.matches("(\\[1] \\[default1]:|\\[rank3]: )rank 3 of 4: .*"));
    }
}
