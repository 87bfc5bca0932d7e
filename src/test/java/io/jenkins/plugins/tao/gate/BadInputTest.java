package io.jenkins.plugins.tao.gate;

import static io.jenkins.plugins.tao.gate.Nights.USUAL;
import static io.jenkins.plugins.tao.gate.Nights.judge;
import static io.jenkins.plugins.tao.gate.Nights.nights;
import static io.jenkins.plugins.tao.gate.Nights.tonight;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.Level;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be judged is never a pass, and what is written wrong is refused. */
class BadInputTest {
    @Test
    void baselinesThatAreGoneUnreadableOrOfAnotherSpecGiveNoVerdict() {
        RunRecord other = ARun.of(1)
                .metric("val_mAP50", 0.42)
                .text("work", "specHash", "bb")
                .record();
        Blessed blessed = new Blessed("old", other, "ana", Instant.EPOCH, "x");
        Evidence evidence = new Evidence(
                List.of(tonight(0.41)), List.of(), List.of(), Map.of("old", blessed), Map.of("torn", "half a line"));

        assertThat(judge("kpi: val_mAP50; noWorseThan: baseline gone", evidence).sentence())
                .isEqualTo("No verdict: there is no baseline 'gone'. Bless a run to make it one.");
        assertThat(judge("kpi: val_mAP50; noWorseThan: baseline torn", evidence).sentence())
                .isEqualTo("No verdict: baseline 'torn' cannot be read: half a line.");
        assertThat(judge("kpi: val_mAP50; noWorseThan: baseline old", evidence).sentence())
                .isEqualTo("No verdict: baseline 'old' (#1) is not comparable: another spec.");
    }

    @Test
    @Promise("NV-18")
    void aLevelThatCannotBeReadIsNotPassedOverForTheNightsBeforeIt() {
        Evidence evidence = new Evidence(
                List.of(tonight(0.41)),
                nights("val_mAP50", .42, .421, .419, .42, .422, .418),
                List.of(),
                Map.of(),
                Map.of(Blessed.LEVEL, "half a line"));

        assertThat(judge("kpi: val_mAP50; minDrop: 0.005", evidence).sentence())
                .isEqualTo("No verdict: the newest blessed level cannot be read: half a line. Bless it again.");
        assertThat(judge("kpi: val_mAP50; atLeast: 0.4", evidence).call()).isEqualTo(GateResult.PASS);
    }

    @Test
    @Promise("NV-09")
    void anUnknownDirectionIsAskedForAndAGivenOneCounts() {
        List<RunRecord> before = nights("zeta", 1.0);
        RunRecord now = ARun.of(2).metric("zeta", 2.0).record();

        assertThat(judge("kpi: zeta; noWorseThan: last good", now, before).sentence())
                .startsWith("No verdict: whether 'zeta' is better high or low is not known.");
        assertThat(judge("kpi: zeta; noWorseThan: last good; direction: lower", now, before)
                        .call())
                .isEqualTo(GateResult.REGRESSION);
        assertThat(judge("kpi: zeta; noWorseThan: last good; direction: higher", now, before)
                        .sentence())
                .endsWith("; limit 1.");
    }

    @Test
    @Promise("NV-11")
    void aCostThatIsNotKnownHoldsNoBound() {
        RunRecord run = ARun.of(1).without("machines", "gpuSeconds").record();

        assertThat(judge("kpi: gpuHours; atMost: 100", run, List.of()).sentence())
                .isEqualTo("Failed: the gpuHours of #1 is not known.");
    }

    @Test
    @Promise("NV-12")
    void identicalNightsGiveNoVerdictUntilAPersonSaysWhichDropMatters() {
        List<RunRecord> before = nights("val_mAP50", .4, .4, .4, .4, .4, .4);

        assertThat(judge("kpi: val_mAP50", tonight(0.39), before).sentence())
                .isEqualTo(
                        "No verdict: val_mAP50 0.39, exactly 0.4 in each of 6 runs before. Say which drop matters, such as"
                                + " minDrop: 0.004.");
        assertThat(judge("kpi: val_mAP50; minDrop: 0.005", tonight(0.39), before)
                        .call())
                .isEqualTo(GateResult.SUSPECT);
        assertThat(judge("kpi: val_mAP50; minDrop: 0.02", tonight(0.39), before).call())
                .isEqualTo(GateResult.PASS);
    }

    @Test
    void badKpisAreNoVerdictOrFailedAndNeverAPass() {
        RunRecord text = ARun.of(1).metric("other", 1).record();
        RunRecord twice = ARun.of(2)
                .metric("mIoU [train]", 0.5)
                .metric("mIoU [evaluate]", 0.4)
                .record();
        RunRecord nan = ARun.of(3).metric("val_mAP50", Double.NaN).record();
        RunRecord huge = ARun.of(4).metric("val_mAP50", 1e300).record();

        assertThat(judge("kpi: val_mAP50; atLeast: 0", text, List.of()).sentence())
                .isEqualTo("Failed: #1 reported no 'val_mAP50'. Nearest of what it reported: other.");
        assertThat(judge("kpi: mIoU; atLeast: 0", twice, List.of()).sentence())
                .isEqualTo("Failed: 2 metrics of #2 are called 'mIoU'. Name one of them: 'mIoU [train]',"
                        + " 'mIoU [evaluate]'.");
        assertThat(judge("kpi: val_mAP50; atLeast: 0", nan, List.of()).sentence())
                .isEqualTo("Failed: val_mAP50 of #3 is not a number (NaN).");
        assertThat(judge("kpi: val_mAP50; atLeast: 0", huge, List.of()).call()).isEqualTo(GateResult.FAILED);
    }

    @Test
    void aRunThatDidNotSucceedHasNoValueThoughItToldOne() {
        RunRecord aborted =
                ARun.of(1).metric("val_mAP50", 0.9).ended("cancelled").record();

        assertThat(judge("kpi: val_mAP50; atLeast: 0.1", aborted, List.of()).sentence())
                .isEqualTo("Failed: 0 of 1 runs of #1 succeeded.");
    }

    @Test
    @Promise("NV-18")
    void aBlessedLevelIsTheUsualOneFromItsBlessingOn() {
        List<RunRecord> before = nights("val_mAP50", USUAL);
        Blessed level =
                new Blessed(Blessed.LEVEL, before.get(7), "ana", before.get(8).submittedAt(), "new data");
        Evidence evidence =
                new Evidence(List.of(tonight(0.2)), before, List.of(level), Map.of(Blessed.LEVEL, level), Map.of());

        Finding finding = judge("kpi: val_mAP50", evidence);

        assertThat(finding.call()).isEqualTo(GateResult.REGRESSION);
        assertThat(finding.series().get(7).begins()).contains(Level.Origin.BLESSING);
        assertThat(finding.sentence())
                .isEqualTo(
                        "Regression since #50 (last good #10): val_mAP50 0.2 is 52 % below the usual 0.413. Fix it, or"
                                + " bless #50 if this level is right.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kpis: x",
                "atLeast: 1",
                "kpi: x; atLeast: nan",
                "kpi: x; atLeast: 1; atMost: 2",
                "kpi: x; noWorseThan: yesterday",
                "kpi: x; noWorseThan: last good; by: much",
                "kpi: x; noWorseThan: last good; by: 3 mad",
                "kpi: x; by: 2%",
                "kpi: x; read: all",
                "kpi: x; direction: up",
                "kpi: x; effect: red",
                "kpi: x; noise: 0",
                "kpi: x; minDrop: -1",
                "kpi: x; mustMatch: weather",
                "kpi: x; within: much",
                "kpi: x; within: 3 mad",
                "kpi: x; within: 2% of yesterday",
                "kpi: x; within: 2%; noWorseThan: last good",
                "kpi: x; within: 2%; by: 1%",
                "kpi: x; range: 1..5",
                "kpi: x; read: mean of last 0",
                "kpi: x; needVerdict: yes"
            })
    void aGateThatIsWrittenWrongIsRefused(String gate) {
        assertThatIllegalArgumentException().isThrownBy(() -> judge(gate, tonight(1), List.of()));
    }

    @Test
    @Promise("NV-23")
    void aReportIsATableInFourForms() throws Exception {
        GateReport report = Gate.judge(
                List.of(GateText.parse(Map.of("kpi", "val_mAP50", "atLeast", "0.5"))),
                new Evidence(List.of(tonight(0.41)), List.of()));
        GateTable table = new GateTable(report);

        assertThat(table.text()).contains("gates of #50: FAILURE", "val_mAP50 at least 0.5");
        assertThat(table.csv().lines())
                .containsExactly(
                        "gate,answer,effect,value,limit,evidence",
                        "val_mAP50 at least 0.5,regression,FAILURE,0.41,0.5,val_mAP50 0.41 is below the required 0.5.");
        assertThat(table.markdown()).contains("| val_mAP50 at least 0.5 | regression | FAILURE | 0.41 | 0.5 |");
        assertThat(new com.fasterxml.jackson.databind.json.JsonMapper()
                        .readTree(table.json())
                        .at("/findings/0/answer")
                        .asText())
                .isEqualTo("REGRESSION");
    }
}
