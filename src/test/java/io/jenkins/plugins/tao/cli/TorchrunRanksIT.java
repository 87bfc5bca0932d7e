package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Nightly;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.TorchRig;
import io.jenkins.plugins.tao.backend.BackendTypes;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The lines of PyTorch's own torchrun on one machine, by the rank of its processes. */
@NeedsRig("torch")
@Nightly
final class TorchrunRanksIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @BeforeAll
    static void rig() {
        TorchRig.assumeUp();
    }

    @Test
    @Promise("NS-23")
    void theLinesOfOneProcessAreFoundWhereTheJobAsksTorchrunToMarkThem() throws Exception {
        Bench bench = new Bench(directory, BackendTypes.load());
        bench.write("tao-targets.yaml", "targets: {here: {backend: local, baseDirectory: " + directory + "/tao}}\n");
        bench.write(
                "job.yaml",
                "target: here\ngpus: 0\nenv: {PET_TEE: '3', PATH: '" + TorchRig.BIN + ":/usr/bin:/bin'}\n"
                        + "command: torchrun --nproc-per-node=2 " + TorchRig.BIN.resolve("allreduce.py") + "\n");
        assertThat(bench.tao("run", "job.yaml", "--interval", "1s", "--no-log")).isZero();

        assertThat(bench.tao("logs", "--rank", "1", "--grep", "sum")).isZero();

        assertThat(bench.out().lines())
                .singleElement()
                .asString()
                .matches("\\[(default|rank)1]: ?rank 1 of 2: sum 3 local 1");
    }
}
