package io.jenkins.plugins.tao.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.GpuUse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MachineReaderTest {
    private final MachineReader reader = new MachineReader();

    private Map<String, String> facts(String... lines) {
        return reader.take(List.of(lines)).facts();
    }

    @Test
    @Promise("NV-01")
    void theKindOfGpuTheDriverCudaAndTheImageAreToldOnce() {
        String digest = "sha256:" + "0a".repeat(32);

        assertThat(facts(
                        "image " + digest,
                        "node gpu01",
                        "gpu 0, NVIDIA H100 80GB HBM3, 535.104.05, 81559",
                        "gpu 1, NVIDIA H100 80GB HBM3, 535.104.05, 81559",
                        "cuda 12.2"))
                .containsOnly(
                        Map.entry("gpuType", "NVIDIA H100 80GB HBM3"),
                        Map.entry("driver", "535.104.05"),
                        Map.entry("cuda", "12.2"),
                        Map.entry("imageDigest", digest));
        assertThat(facts("cuda 12.2")).isEmpty();
    }

    @Test
    void aNewRunOnAnotherNodeForgetsTheGpusOfTheOneBefore() {
        facts("node a", "gpu 0, Tesla T4, 470.82.01, 15360", "cuda 11.4");

        assertThat(facts("node b", "gpu 0, NVIDIA A100-SXM4-40GB, 550.54.15, 40960"))
                .containsOnly(Map.entry("gpuType", "NVIDIA A100-SXM4-40GB"), Map.entry("driver", "550.54.15"));
    }

    @Test
    @Promise({"NV-01", "NS-24"})
    void eachNodeTellsOfItsOwnGpus() {
        MachineReader.Told told = reader.take(List.of(
                "node a",
                "[1] node b",
                "gpu 0, NVIDIA H100, 535.104.05, 81559",
                "[1] gpu 0, NVIDIA A100, 550.54.15, 40960",
                "[worker 2] use 1700000000 3,97,40123"));

        assertThat(told.facts())
                .containsOnly(
                        Map.entry("gpuType", "NVIDIA A100, NVIDIA H100"), Map.entry("driver", "535.104.05, 550.54.15"));
        assertThat(told.samples().get(0).gpus().get(0).name()).isEqualTo("2:3");
        assertThat(facts("[1] node c", "[1] gpu 0, NVIDIA H100, 535.104.05, 81559"))
                .containsEntry("gpuType", "NVIDIA H100");
    }

    @Test
    void whatIsNotToldIsNotInvented() {
        assertThat(facts("gpu 0, [N/A], [Not Supported], -", "cuda N/A", "image latest", "gpu", "", "\u0000"))
                .isEmpty();
        assertThat(reader.take(List.of("use", "use 1700000000", "use 17e8 0,1,2", "use 1700000000 0,1"))
                        .samples())
                .isEmpty();
    }

    @Test
    void badNumbersOfASampleAreUnknown() {
        assertThat(reader.take(List.of("use 1700000000 0,97,40123 1,-,[N/A] 2,250,1e9999"))
                        .samples())
                .containsExactly(new GpuUse(
                        Instant.ofEpochSecond(1700000000),
                        List.of(
                                new GpuUse.Gpu(0, 0, OptionalDouble.of(97), OptionalDouble.of(40123)),
                                new GpuUse.Gpu(0, 1, OptionalDouble.empty(), OptionalDouble.empty()),
                                new GpuUse.Gpu(0, 2, OptionalDouble.empty(), OptionalDouble.empty()))));
    }
}
