package io.jenkins.plugins.tao.gate.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.simulated.Planned;
import io.jenkins.plugins.tao.backend.simulated.PlannedFailure;
import io.jenkins.plugins.tao.backend.simulated.SimulatedOptions;
import io.jenkins.plugins.tao.backend.simulated.SimulatedType;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.status.StatusReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs as they are played, and runs that the trainer of the nightly example gave, as series. */
class SimulatedNightsTest {
    private static final PlannedFailure NOTHING = PlannedFailure.none();

    @TempDir
    Path directory;

    private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-11-01T22:00:00Z"));

    private static SimulatedOptions options(int night, double mAP, PlannedFailure failure) {
        return new SimulatedOptions(
                OptionalLong.of(night),
                Optional.empty(),
                OptionalInt.of(6),
                Optional.empty(),
                Map.of("val_mAP", mAP),
                OptionalDouble.empty(),
                OptionalDouble.of(120),
                List.of(),
                failure);
    }

    /** Plays a night and gives what its status.json said last of a metric. */
    private Sample played(int night, String kpi, SimulatedOptions options) throws Exception {
        Backend backend = new SimulatedType(ticker::now).open(Planned.target("night", directory.toString()));
        JobSpec spec =
                JobSpec.of("dino train -e {config_path}").options(options).build();
        JobHandle job = backend.submit(spec, new JobKey("dino-" + night));
        ticker.advance(Duration.ofDays(1));
        StreamRef status = new StreamRef(job, Stream.STATUS);
        Map<StreamRef, Tail> tails = backend.read(Map.of(status, Position.START));
        StatusReader reader = new StatusReader();
        if (tails.containsKey(status)) {
            reader.feed(Objects.requireNonNull(tails.get(status)).bytes());
        }
        Double value = reader.progress().kpis().get(kpi);
        return value == null ? Sample.without("#" + night, 1) : Sample.of("#" + night, value);
    }

    private List<GateResult> calls(String kpi, int count, IntFunction<SimulatedOptions> options) throws Exception {
        List<Sample> nights = new ArrayList<>();
        for (int night = 1; night <= count; night++) {
            nights.add(played(night, kpi, options.apply(night)));
        }
        return Series.evaluate(new MetricRule(Direction.HIGHER, MetricRange.OPEN, OptionalDouble.empty(), 0), nights)
                .stream()
                .map(EvaluatedSample::result)
                .toList();
    }

    @Test
    @Promise("NV-34")
    void noiseAloneIsNeverARegression() throws Exception {
        List<GateResult> calls = calls("val_mAP", 30, night -> options(night, 0.42, NOTHING));

        assertThat(calls.subList(0, 2)).containsOnly(GateResult.NO_VERDICT);
        assertThat(calls.subList(2, 30)).noneMatch(GateResult::bad);
    }

    @Test
    @Promise("NV-34")
    void aStepIsARegressionInItsSecondNight() throws Exception {
        List<GateResult> calls = calls("val_mAP", 24, night -> options(night, night < 22 ? 0.42 : 0.40, NOTHING));

        assertThat(calls.subList(2, 21)).noneMatch(GateResult::bad);
        assertThat(calls.get(21)).isEqualTo(GateResult.SUSPECT);
        assertThat(calls.subList(22, 24)).containsOnly(GateResult.REGRESSION);
    }

    @Test
    @Promise("NV-34")
    void aSlowDriftIsSeen() throws Exception {
        List<GateResult> calls =
                calls("val_mAP", 30, night -> options(night, 0.42 - Math.max(0, night - 12) * 0.0008, NOTHING));

        assertThat(calls.subList(12, 30)).contains(GateResult.SLOW_REGRESSION);
    }

    @Test
    @Promise("NV-34")
    void aSlowDownIsSeenInTheThroughput() throws Exception {
        PlannedFailure slow = Planned.failure(PlannedFailure.Kind.SLOW_DOWN)
                .withFailAt(OptionalInt.of(0))
                .withSlowDown(OptionalDouble.of(1.5));

        List<GateResult> calls = calls("throughput", 22, night -> options(night, 0.42, night < 21 ? NOTHING : slow));

        assertThat(calls.subList(2, 20)).noneMatch(GateResult::bad);
        assertThat(calls.subList(20, 22)).containsOnly(GateResult.REGRESSION);
    }

    @Test
    @Promise("NV-34")
    void aNightOfNaNFailsAndANightWithoutGpusIsNoVerdict() throws Exception {
        PlannedFailure nan = Planned.failure(PlannedFailure.Kind.NAN);
        PlannedFailure full = Planned.failure(PlannedFailure.Kind.NEVER_STARTS);

        List<GateResult> calls =
                calls("val_mAP", 14, night -> options(night, 0.42, night == 12 ? nan : night == 13 ? full : NOTHING));

        assertThat(calls.subList(11, 14)).containsExactly(GateResult.FAILED, GateResult.NO_VERDICT, GateResult.PASS);
    }

    /** Real trainings, one seed a night: 28 as they should be, then two whose labels were spoilt. */
    @ParameterizedTest
    @Promise("NV-35")
    @CsvSource({"classify, HIGHER, SUSPECT", "segment, HIGHER, REGRESSION", "depth, LOWER, REGRESSION"})
    void theModelsOfTheNightlyExampleAreJudgedRight(String model, Direction direction, GateResult first)
            throws Exception {
        List<Sample> nights =
                Files.readAllLines(Path.of("src/test/resources/io/jenkins/plugins/tao/gate/nightly-trainer.csv"))
                        .stream()
                        .map(line -> line.split(",", -1))
                        .filter(cells -> cells[0].equals(model))
                        .map(cells -> Sample.of("#" + cells[2], Double.parseDouble(cells[4])))
                        .toList();

        List<GateResult> calls =
                Series.evaluate(new MetricRule(direction, MetricRange.OPEN, OptionalDouble.empty(), 0), nights).stream()
                        .map(EvaluatedSample::result)
                        .toList();

        assertThat(calls.subList(2, 28)).noneMatch(GateResult::bad);
        assertThat(calls.subList(28, 30)).containsExactly(first, GateResult.REGRESSION);
    }
}
