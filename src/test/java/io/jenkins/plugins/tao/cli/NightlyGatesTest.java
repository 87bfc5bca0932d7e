package io.jenkins.plugins.tao.cli;

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
import io.jenkins.plugins.tao.gate.Gate;
import io.jenkins.plugins.tao.gate.GateReport;
import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.record.RecordMaker;
import io.jenkins.plugins.tao.record.RunFiles;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gates of the nightly example, as the example has them, over nights that the simulator plays. */
class NightlyGatesTest {
    private static final Path EXAMPLES = Path.of("docs/examples");
    private static final Pattern GATE = Pattern.compile("^ *- \\{(kpi: .*)\\}$", Pattern.MULTILINE);

    @TempDir
    Path directory;

    private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-11-01T22:00:00Z"));
    private final List<RunRecord> nights = new ArrayList<>();

    private static List<Map<String, String>> gates() throws IOException {
        Matcher gate = GATE.matcher(Files.readString(EXAMPLES.resolve("nightly.yaml")));
        List<Map<String, String>> gates = new ArrayList<>();
        while (gate.find()) {
            Map<String, String> keys = new LinkedHashMap<>();
            for (String entry : gate.group(1).split(", ", -1)) {
                String[] parts = entry.split(": ", 2);
                keys.put(parts[0], parts[1]);
            }
            gates.add(keys);
        }
        return gates;
    }

    /** Plays the next night, and judges it as the example does. */
    private GateReport night(double accuracy, double secondsPerEpoch, PlannedFailure failure) throws Exception {
        int number = nights.size() + 1;
        SimulatedOptions options = new SimulatedOptions(
                OptionalLong.of(number),
                Optional.empty(),
                OptionalInt.of(6),
                Optional.of(Duration.ofMillis((long) (secondsPerEpoch * 1000))),
                Map.of("val_acc_1", accuracy),
                OptionalDouble.of(0.003),
                OptionalDouble.empty(),
                List.of(),
                failure);
        Backend backend = new SimulatedType(ticker::now).open(Planned.target("night", directory.toString()));
        JobHandle job = backend.submit(
                JobSpec.of("tiny train -e {config_path}").options(options).build(), new JobKey("nightly-" + number));
        Instant submitted = ticker.now();
        ticker.advance(Duration.ofDays(1));
        Map<StreamRef, Tail> tails = backend.read(Map.of(new StreamRef(job, Stream.STATUS), Position.START));
        String status = new String(
                Objects.requireNonNull(tails.get(new StreamRef(job, Stream.STATUS)))
                        .bytes(),
                StandardCharsets.UTF_8);
        RunRecord record = RecordMaker.make(new RunFiles(
                        "{\"id\":\"nightly-" + number
                                + "\",\"target\":\"night\",\"command\":\"tiny train -e x\",\"submittedAt\":\""
                                + submitted + "\"}",
                        "{\"build\":\"#" + number + "\"}",
                        List.of("{\"event\":\"ended\",\"outcome\":\"succeeded\",\"endedAt\":\"" + ticker.now() + "\"}"),
                        Map.of("train", status.lines().toList()),
                        Map.of(),
                        0,
                        Optional.empty()))
                .orElseThrow()
                .record();
        nights.add(record);
        List<Criterion> criteria = gates().stream().map(GateText::parse).toList();
        return Gate.judge(criteria, new Evidence(List.of(record), nights.subList(0, number - 1)));
    }

    private void usualNights(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            assertThat(night(0.95, 1, PlannedFailure.none()).effect().name())
                    .as("noise of night " + nights.size())
                    .isEqualTo("NOTE");
        }
    }

    @Test
    @Promise("NV-35")
    void noiseFailsNoNight() throws Exception {
        usualNights(30);
    }

    @Test
    @Promise("NV-35")
    void aPlantedRegressionFailsTheSecondOfItsNights() throws Exception {
        usualNights(12);

        assertThat(night(0.93, 1, PlannedFailure.none()).word()).isIn("suspect", "FAILURE");
        assertThat(night(0.93, 1, PlannedFailure.none()).word()).isEqualTo("FAILURE");
    }

    @Test
    @Promise("NV-35")
    void aPlantedSlowDownMakesItsNightUnstableAndNotTheNext() throws Exception {
        usualNights(12);

        assertThat(night(0.95, 3, PlannedFailure.none()).word()).isEqualTo("UNSTABLE");
        assertThat(night(0.95, 1, PlannedFailure.none()).effect().name()).isEqualTo("NOTE");
    }

    @Test
    @Promise("NV-35")
    void metricsThatAreNoNumbersFailTheirNight() throws Exception {
        usualNights(6);

        assertThat(night(0.95, 1, Planned.failure(PlannedFailure.Kind.NAN).withFailAt(OptionalInt.of(2)))
                        .word())
                .isEqualTo("FAILURE");
    }

    @Test
    @Promise("NV-35")
    void thePipelineHasTheSameGatesAndTheDigestAndTheBlessing() throws Exception {
        String pipeline = Files.readString(EXAMPLES.resolve("nightly.Jenkinsfile"));

        assertThat(gates()).hasSize(2);
        gates().forEach(gate -> assertThat(pipeline)
                .contains("'" + gate.get("kpi") + "'")
                .contains(gate.getOrDefault("noWorseThan", "taoGate(")));
        assertThat(pipeline).contains("by: '50%', effect: 'unstable'", "taoDigest()", "taoBless(why: params.BLESS)");
    }
}
