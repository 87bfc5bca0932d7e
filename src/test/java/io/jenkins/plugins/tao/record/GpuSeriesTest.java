package io.jenkins.plugins.tao.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.GpuUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class GpuSeriesTest {
    private static final Instant AT = Instant.parse("2026-11-21T00:00:30Z");
    private static final List<GpuUse> SAMPLES = List.of(
            new GpuUse(
                    AT,
                    List.of(
                            new GpuUse.Gpu(0, 0, OptionalDouble.of(90), OptionalDouble.of(40123)),
                            new GpuUse.Gpu(0, 1, OptionalDouble.empty(), OptionalDouble.of(11)))),
            new GpuUse(
                    AT.plusSeconds(30),
                    List.of(new GpuUse.Gpu(0, 0, OptionalDouble.of(45.5), OptionalDouble.empty()))));

    private static List<String> lines() {
        return new ArrayList<>(
                (GpuSeries.HEADER + GpuSeries.rows(SAMPLES)).lines().toList());
    }

    @Test
    @Promise("NS-24")
    void theSamplesOfSeveralNodesArePutTogetherAndReadBack() {
        List<GpuUse> nodes = List.of(one(0, 0, 90), one(2, 1, 10), one(30, 0, 91), one(31, 1, 11));

        assertThat(GpuSeries.rows(nodes)).contains("Z,0,90,\r\n", "Z,1:0,10,\r\n");
        assertThat(GpuSeries.parse(GpuSeries.rows(nodes).lines().toList())).isEqualTo(nodes);
        assertThat(GpuSeries.together(nodes))
                .hasSize(2)
                .allMatch(sample -> sample.gpus().size() == 2);
    }

    private static GpuUse one(int seconds, int node, double percent) {
        return new GpuUse(
                AT.plusSeconds(seconds),
                List.of(new GpuUse.Gpu(node, 0, OptionalDouble.of(percent), OptionalDouble.empty())));
    }

    @Test
    @Promise("NS-24")
    void whatWasSampledIsARowForEachGpuAndIsReadAgainAsItWas() {
        assertThat(lines())
                .containsExactly(
                        "time,gpu,percent,memoryMiB",
                        "2026-11-21T00:00:30Z,0,90,40123",
                        "2026-11-21T00:00:30Z,1,,11",
                        "2026-11-21T00:01:00Z,0,45.5,");
        assertThat(GpuSeries.parse(lines())).isEqualTo(SAMPLES);
    }

    @Test
    void aRowThatACrashHasCutPassesBy() {
        List<String> lines = lines();
        lines.add("2026-11-21T00:01:30Z,0,4");
        lines.add("2026-99-21T00:01:30Z,0,4,5");

        assertThat(GpuSeries.parse(lines)).isEqualTo(SAMPLES);
    }

    @Test
    @Promise("NV-11")
    void aRecordKeepsTheGreatestMemoryAndTheMeanUseAndNothingThatIsNotKnown() {
        assertThat(GpuSeries.summary(SAMPLES)).isEqualTo(Map.of("gpuMemoryMiB", 40123.0, "gpuPercent", 67.8));
        assertThat(GpuSeries.summary(List.of())).isEmpty();
        assertThat(GpuSeries.summary(List.of(
                        new GpuUse(AT, List.of(new GpuUse.Gpu(0, 0, OptionalDouble.empty(), OptionalDouble.empty()))))))
                .isEmpty();
    }
}
