package io.jenkins.plugins.tao.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.cost.Price;
import io.jenkins.plugins.tao.cost.PriceTable;
import io.jenkins.plugins.tao.gate.Gate;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.GpuUse;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From what a node tells of its GPUs to the record of the run, and what is made of it there. */
class MachineRecordTest {
    private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");
    private static final String DIGEST = "sha256:" + "0a".repeat(32);
    private static final JobHandle JOB =
            new JobHandle("dgx", "slurm", new JobKey("dino-1"), 1, "4711", "/l/dino-1", "/l/results", START);

    @TempDir
    Path folder;

    private Journal journal;

    @BeforeEach
    void asked() throws IOException {
        journal = new Journal(folder, Clock.fixed(START, ZoneOffset.UTC), text -> text);
        journal.asked(
                JobSpec.of("dino train")
                        .image("nvcr.io/x:1")
                        .resources(new Resources(1, OptionalInt.of(2), OptionalInt.empty(), Optional.empty()))
                        .build(),
                JOB);
    }

    private RunRecord ended() throws IOException {
        journal.on(new JobEvent.Ended(new JobResult(
                JOB,
                new Outcome.Succeeded(),
                OptionalInt.of(0),
                Progress.NONE,
                Optional.of(START),
                START.plusSeconds(3600),
                List.of(),
                List.of(),
                Set.of())));
        return journal.conclude(folder).orElseThrow();
    }

    private void used(int seconds, double percent, double memory) throws IOException {
        journal.on(new JobEvent.GpusUsed(List.of(new GpuUse(
                START.plusSeconds(seconds),
                List.of(new GpuUse.Gpu(0, 0, OptionalDouble.of(percent), OptionalDouble.of(memory)))))));
    }

    private static final Map<String, String> H100 =
            Map.of("gpuType", "NVIDIA H100 80GB HBM3", "driver", "535.104.05", "cuda", "12.2", "imageDigest", DIGEST);

    @Test
    @Promise({"NV-01", "NS-24"})
    void theRecordHasTheMachineAsItsNodeToldItAndTheSamplesAreAFileOfTheRun() throws IOException {
        journal.on(new JobEvent.Machine(H100));
        used(30, 90, 40123);
        used(60, 100, 61000);

        RunRecord record = ended();

        assertThat(record.text("machines/gpuType")).hasValue("NVIDIA H100 80GB HBM3");
        assertThat(record.text("machines/driver")).hasValue("535.104.05");
        assertThat(record.text("machines/cuda")).hasValue("12.2");
        assertThat(record.text("work/imageDigest")).hasValue(DIGEST);
        assertThat(record.number("machines/gpuMemoryMiB")).hasValue(61000);
        assertThat(record.number("machines/gpuPercent")).hasValue(95);
        assertThat(Files.readAllLines(folder.resolve("gpu.csv")))
                .containsExactly(
                        "time,gpu,percent,memoryMiB",
                        "2026-01-31T12:00:30Z,0,90,40123",
                        "2026-01-31T12:01:00Z,0,100,61000");
        assertThat(Journal.RESULTS).contains("gpu.csv");
        assertThat(Files.readString(folder.resolve("events.jsonl"))).doesNotContain("\"samples\"");
    }

    @Test
    @Promise("NV-01")
    void whatNoNodeToldIsAbsent() throws IOException {
        RunRecord record = ended();

        for (String key : List.of("gpuType", "driver", "cuda", "gpuMemoryMiB", "gpuPercent")) {
            assertThat(record.text("machines/" + key)).isEmpty();
        }
        assertThat(record.text("work/imageDigest")).isEmpty();
        assertThat(folder.resolve("gpu.csv")).doesNotExist();
    }

    @Test
    void theNextAttemptIsNotSaidToHaveRunOnTheMachineOfTheLast() throws IOException {
        journal.on(new JobEvent.Machine(H100));
        journal.on(new JobEvent.AttemptStarted(
                new Attempt(
                        1,
                        "4711",
                        Outcome.Cause.NODE_FAILURE,
                        "gone",
                        START.plusSeconds(60),
                        Set.of(),
                        Duration.ZERO,
                        ""),
                JOB,
                List.of()));

        assertThat(ended().text("machines/gpuType")).isEmpty();
    }

    @Test
    @Promise("NV-11")
    void aGateOnMemoryJudgesWhatTheNodeSampled() throws IOException {
        used(30, 90, 70000);
        RunRecord record = ended();

        assertThat(judged("60000", record)).isNotEqualTo(Effect.NOTE);
        assertThat(judged("80000", record)).isEqualTo(Effect.NOTE);
    }

    private static Effect judged(String most, RunRecord record) {
        return Gate.judge(
                        List.of(GateText.parse(Map.of("kpi", "memory", "atMost", most))),
                        new Evidence(List.of(record), List.of()))
                .effect();
    }

    @Test
    void thePriceOfItsKindOfGpuHoldsForARunWhoseNodeToldIt() throws IOException {
        PriceTable prices = new PriceTable(List.of(
                new Price(Optional.of("dgx"), Optional.empty(), 1, "EUR"),
                new Price(Optional.of("dgx"), Optional.of("h100"), 3, "EUR"),
                new Price(Optional.of("dgx"), Optional.of("A100"), 2, "EUR")));

        RunRecord before = ended();
        journal.on(new JobEvent.Machine(H100));

        assertThat(prices.of(before)).hasValue(new PriceTable.Money(2, "EUR"));
        assertThat(prices.of(journal.conclude(folder).orElseThrow())).hasValue(new PriceTable.Money(6, "EUR"));
    }
}
