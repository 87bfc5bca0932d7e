package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.box.LocalType;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.remote.PlayedGpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The whole way: a real job on this machine, run by the terminal; nvidia-smi alone is played. */
class WatchedGpusTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    private RunRecord record() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            Path file = files.filter(path -> path.endsWith(RunRecord.FILE))
                    .findFirst()
                    .orElseThrow();
            return RunRecord.parse(Files.readString(file));
        }
    }

    @Test
    @Promise("NV-01")
    void theRecordOfARealJobHasTheKindOfGpuTheDriverAndCudaThatItsNodeTold() throws Exception {
        Path bin = new PlayedGpus(directory)
                .with(PlayedGpus.TWO.replace("81559, 97, 40123", "81559, 0, 3"))
                .bin();
        Bench bench = new Bench(directory, BackendTypes.load());
        bench.write("tao-targets.yaml", "targets: {here: {backend: local, baseDirectory: " + directory + "/tao}}\n");
        JobHandle job;
        try (Backend backend = new LocalType().open(new LocalTarget("here", directory + "/tao", BoxUsual.SETTINGS))) {
            job = backend.submit(
                    JobSpec.of("while ! grep -q cuda " + directory
                                    + "/tao/jobs/*/attempt-1/machine; do sleep 0.1; done")
                            .env(Map.of("PATH", bin + ":" + System.getenv("PATH")))
                            .resources(new Resources(1, OptionalInt.of(2), OptionalInt.empty(), Optional.empty()))
                            .build(),
                    new JobKey("told-0a1b2c")); // past the checks, which ask the real machine
        }

        assertThat(bench.tao("wait", job.token(), "--interval", "1s"))
                .as(bench::err)
                .isZero();

        assertThat(record().text("machines/gpuType")).hasValue("NVIDIA H100 80GB HBM3");
        assertThat(record().text("machines/driver")).hasValue("535.104.05");
        assertThat(record().text("machines/cuda")).hasValue("12.2");
        assertThat(bench.out() + bench.err()).contains("on NVIDIA H100 80GB HBM3, driver 535.104.05, CUDA 12.2");
    }
}
