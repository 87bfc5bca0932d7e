package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Nightly;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.TorchRig;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * PyTorch's own torchrun in two pods that add up their ranks over gloo. Pods are processes with the command and the
 * environment of their container; each sees a file of hosts of its own, which is written as the cluster's DNS answers.
 */
@NeedsRig(value = "slurm", shared = true)
@Nightly
class KubernetesTorchrunIT extends ClusterTest {
    /** Each pod mounts its own places in a namespace of its own, which takes root; {@code .ci/run} insists on it. */
    @BeforeAll
    static void rig() {
        TorchRig.assumeUp();
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    }

    @BeforeEach
    void image() throws IOException {
        Path bin = temporary.resolve("bin");
        for (String program : List.of("torchrun", "rtdetr")) {
            Path file = Files.writeString(
                    bin.resolve(program), "#!/bin/sh\nexec " + TorchRig.BIN.resolve(program) + " \"$@\"\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Files.delete(bin.resolve("getent")); // the C library's own asks the file
        cluster.kubelet()
                .enterBy(List.of(
                        "unshare",
                        "--mount",
                        "--uts",
                        "/bin/sh",
                        "-c",
                        "mount --bind " + temporary.resolve("hosts") + " /etc/hosts;"
                                + " hostname $TAO_KUBERNETES_JOB-$JOB_COMPLETION_INDEX; exec \"$@\"",
                        "pod"));
    }

    private List<String> run(String key, String command) throws Exception {
        JobSpec spec = Sample.job(command)
                .spec(Map.of("train", Map.of("num_gpus", 1, "num_nodes", 1)))
                .resources(Sample.resources(2, 1))
                .build();

        JobHandle job = submit(spec, key);

        JobStatus end = await().until(() -> look(job), status -> status.state() == JobState.ENDED);
        assertThat(end.ending()).as("%s%n%s", end, out(job)).hasValue(Ending.COMPLETED);
        return out(job).lines()
                .filter(line -> line.contains("sum"))
                .map(line -> line.replaceAll(" --config-path.*", ""))
                .toList();
    }

    @Test
    @Promise({"KU-39", "KU-41"})
    void aTorchrunCommandAddsUpTheRanksOfTwoPods() throws Exception {
        List<String> sums = run(
                "plain",
                "torchrun --nnodes=$NNODES --nproc-per-node=$NPROC_PER_NODE --node-rank=$NODE_RANK"
                        + " --master-addr=$MASTER_ADDR --master-port=$MASTER_PORT "
                        + TorchRig.BIN.resolve("allreduce.py"));

        assertThat(sums).containsExactlyInAnyOrderElementsOf(RANKS);
    }

    @Test
    @Promise("KU-41")
    void aTaoCommandAddsUpTheRanksOfTwoPods() throws Exception {
        assertThat(run("tao", "rtdetr train -e {config_path}")).containsExactlyInAnyOrderElementsOf(RANKS);
    }

    private static final List<String> RANKS =
            List.of("[0] rank 0 of 2: sum 3 local 0", "[1] rank 1 of 2: sum 3 local 0");
}
