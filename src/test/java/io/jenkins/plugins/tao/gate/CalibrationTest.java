package io.jenkins.plugins.tao.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CalibrationTest {
    private static Calibration of(String metric, Map<String, String> gate, double... values) {
        List<RunRecord> runs = Nights.nights(metric, values);
        List<RunRecord> tonight = List.of(runs.remove(runs.size() - 1));
        return Calibration.of(List.of(gate), new Evidence(tonight, runs)).get(0);
    }

    @Test
    void theSpreadOfOneRunIsThatOfTheLevelAndASmallerDropIsFoundInMoreRuns() {
        Calibration known = of("val_loss", Map.of("kpi", "val_loss"), 1.1, 1.12, 1.11, 1.09, 1.13, 1.11, 1.1, 1.12);

        Calibration.Found found = known.found().orElseThrow();
        assertThat(known.runs()).isEqualTo(8);
        assertThat(found.direction()).isEqualTo(Direction.LOWER);
        assertThat(found.usual()).isCloseTo(1.11, within(1e-9));
        assertThat(found.spread()).isCloseTo(0.0131, within(1e-4));
        assertThat(found.inFiveRuns()).isBetween(2 * found.spread(), found.inOneRun());
        assertThat(found.inOneRun()).isBetween(3 * found.spread(), 6 * found.spread());
        assertThat(GateText.parse(known.gate()).noise()).isEqualTo(OptionalDouble.of(0.013));
        assertThat(known.gate()).containsEntry("direction", "lower").containsEntry("effect", "unstable");
    }

    @Test
    void aDropThatIsSaidToBeFoundIsFoundByTheGateThatIsSuggested() {
        Map<String, String> asked = Map.of("kpi", "val_mAP50");
        Calibration known = of("val_mAP50", asked, Nights.USUAL);
        double drop = 1.3 * known.found().orElseThrow().inOneRun();
        List<Criterion> gate = List.of(GateText.parse(known.gate()));
        List<RunRecord> before = Nights.nights("val_mAP50", Nights.USUAL);

        GateReport worse = Gate.judge(gate, new Evidence(List.of(Nights.tonight(0.4121 - drop)), before));
        GateReport same = Gate.judge(gate, new Evidence(List.of(Nights.tonight(0.4121)), before));

        assertThat(worse.findings().get(0).call().good()).isFalse();
        assertThat(same.findings().get(0).call().good()).isTrue();
    }

    @Test
    void aBandIsAnsweredByTheUsualRuleAsEveryOtherBound() {
        Calibration known = of("val_mAP50", Map.of("kpi", "val_mAP50", "within", "2%"), Nights.USUAL);

        assertThat(known.gate()).containsKeys("kpi", "noise").doesNotContainKey("within");
    }

    @Test
    void fewerThanFiveComparableRunsSuggestNothing() {
        Calibration known = of("val_mAP50", Map.of("kpi", "val_mAP50"), 0.41, 0.42, 0.415);

        assertThat(known.gate()).isEmpty();
        assertThat(known.found()).isEmpty();
        assertThat(known.lacking()).isEqualTo("2 more comparable runs are needed");
    }

    @Test
    void runsThatAreRedBelongToNoLevel() {
        double[] fallen = {0.411, 0.413, 0.412, 0.410, 0.414, 0.412, 0.411, 0.2, 0.21, 0.2};

        Calibration known = of("val_mAP50", Map.of("kpi", "val_mAP50"), fallen);

        assertThat(known.runs()).isEqualTo(7);
        assertThat(known.found().orElseThrow().usual()).isCloseTo(0.412, within(0.001));
    }

    @Test
    void equalValuesSuggestWhichDropMatters() {
        assertThat(of("val_acc", Map.of("kpi", "val_acc", "direction", "higher"), 0.5, 0.5, 0.5, 0.5, 0.5)
                        .gate())
                .containsEntry("minDrop", "0.005")
                .doesNotContainKey("noise");
        assertThat(of("val_acc", Map.of("kpi", "val_acc", "direction", "higher"), 0.5, 0.52, 0.5, 0.5, 0.48, 0.5)
                        .gate())
                .containsEntry("minDrop", "0.04")
                .containsKey("noise");
    }

    @Test
    void aMetricOfUnknownDirectionAndOneThatIsAlwaysZeroSayWhatIsLacking() {
        assertThat(of("odd", Map.of("kpi", "odd"), 1, 2, 3, 4, 5).lacking())
                .isEqualTo("whether it is better high or low is not known");
        assertThat(of("odd", Map.of("kpi", "odd", "direction", "lower"), 0, 0, 0, 0, 0)
                        .lacking())
                .contains("minDrop");
    }

    @Test
    void eachTrainingOfANightHasItsOwnAndAGateWithABoundIsAnsweredByTheUsualRule() {
        List<RunRecord> before = new ArrayList<>();
        for (int night = 1; night <= 6; night++) {
            before.add(
                    ARun.of(night, 1).metric("val_mAP50", 0.4 + night / 1000.0).record());
            before.add(ARun.of(night, 2)
                    .text("work", "network", "rtdetr")
                    .metric("val_mAP50", 0.6 + night / 100.0)
                    .record());
        }
        List<RunRecord> tonight = List.of(before.remove(10), before.remove(10));

        List<Calibration> all = Calibration.of(
                List.of(Map.of("kpi", "val_mAP50", "atLeast", "0.3", "effect", "note")), new Evidence(tonight, before));

        assertThat(all).extracting(Calibration::training).containsExactly("dino train", "rtdetr train");
        assertThat(all.get(0).gate()).containsEntry("effect", "note").doesNotContainKey("atLeast");
        assertThat(all.get(0).found().orElseThrow().spread())
                .isLessThan(all.get(1).found().orElseThrow().spread());
        assertThat(new CalibrationTable(all).text()).contains("- {kpi: val_mAP50, ", "noise: 0.019}  # rtdetr train");
    }
}
