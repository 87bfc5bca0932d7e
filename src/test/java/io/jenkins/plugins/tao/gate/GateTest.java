package io.jenkins.plugins.tao.gate;

import static io.jenkins.plugins.tao.gate.Nights.USUAL;
import static io.jenkins.plugins.tao.gate.Nights.judge;
import static io.jenkins.plugins.tao.gate.Nights.nights;
import static io.jenkins.plugins.tao.gate.Nights.tonight;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Comparability;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateTest {
    @ParameterizedTest
    @Promise("NV-05")
    @CsvSource({
        "kpi: val_mAP50; atLeast: 0.40, PASS",
        "kpi: val_mAP50; atLeast: 0.41, PASS",
        "kpi: val_mAP50; atLeast: 0.42, REGRESSION",
        "kpi: val_mAP50; atMost: 0.40, REGRESSION",
        "kpi: val_mAP50; atMost: 0.41, PASS"
    })
    void anAbsoluteBoundHoldsOnItsSide(String gate, GateResult call) {
        Finding finding = judge(gate, tonight(0.41), List.of());

        assertThat(finding.call()).isEqualTo(call);
        assertThat(finding.sentence()).startsWith("val_mAP50 0.41 is ");
    }

    @ParameterizedTest
    @Promise("NV-06")
    @CsvSource({"2%, 0.404, PASS", "2%, 0.403, REGRESSION", "0.01, 0.403, PASS", "0.01, 0.401, REGRESSION"})
    void theLastGoodRunIsTheYardstickWithATolerance(String by, double value, GateResult call) {
        List<RunRecord> before = nights("val_mAP50", 0.40, 0.412, 0.30);

        Finding finding = judge("kpi: val_mAP50; noWorseThan: last good; by: " + by, tonight(value), before);

        assertThat(finding.call()).isEqualTo(call);
        assertThat(finding.sentence()).contains("the last good run (#2) with 0.412");
    }

    @Test
    @Promise("NV-06")
    void aNightThatFailedIsNeverTheLastGoodOne() {
        List<RunRecord> before = new ArrayList<>(nights("val_mAP50", 0.40));
        before.add(ARun.of(9).metric("val_mAP50", 0.9).ended("failed").record());

        assertThat(judge("kpi: val_mAP50; noWorseThan: last good", tonight(0.41), before)
                        .sentence())
                .contains("(#1)");
    }

    @Test
    @Promise("NV-07")
    void aPinnedBaselineIsTheYardstickThoughItsBuildIsGone() {
        Blessed blessed =
                new Blessed("v1", ARun.of(1).metric("val_mAP50", 0.42).record(), "ana", Instant.EPOCH, "shipped");
        Evidence evidence = new Evidence(List.of(tonight(0.41)), List.of(), List.of(), Map.of("v1", blessed), Map.of());

        assertThat(judge("kpi: val_mAP50; noWorseThan: baseline v1", evidence).call())
                .isEqualTo(GateResult.REGRESSION);
        assertThat(judge("kpi: val_mAP50; noWorseThan: baseline v1; by: 3%", evidence)
                        .sentence())
                .contains("baseline 'v1' (#1, blessed by ana) with 0.42");
    }

    @Test
    @Promise("NV-07")
    void aNamedBranchHasALastGoodRunOfItsOwn() {
        List<RunRecord> before = List.of(
                ARun.of(1)
                        .metric("val_mAP50", 0.42)
                        .text("origin", "branch", "main")
                        .record(),
                ARun.of(2)
                        .metric("val_mAP50", 0.44)
                        .text("origin", "branch", "try")
                        .record());

        Finding finding = judge("kpi: val_mAP50; noWorseThan: last good of main", tonight(0.425), before);

        assertThat(finding.call()).isEqualTo(GateResult.PASS);
        assertThat(finding.sentence()).contains("(#1)");
    }

    @Test
    @Promise("NV-08")
    void theMedianAndItsSpreadAreTheYardstick() {
        List<RunRecord> before = nights("val_mAP50", USUAL);

        assertThat(judge("kpi: val_mAP50; noWorseThan: median of 10; by: 4 mad", tonight(0.4065), before)
                        .call())
                .isEqualTo(GateResult.PASS);
        assertThat(judge("kpi: val_mAP50; noWorseThan: median of 10; by: 4 mad", tonight(0.400), before)
                        .call())
                .isEqualTo(GateResult.REGRESSION);
        assertThat(judge("kpi: val_mAP50; noWorseThan: median of 10", tonight(0.41), nights("val_mAP50", .4, .4))
                        .sentence())
                .isEqualTo("No verdict: 2 of 5 comparable runs before #50.");
    }

    @ParameterizedTest
    @Promise("NV-09")
    @CsvSource({
        "dino, train, val_mAP50, HIGHER",
        "dino, train, val_loss, LOWER",
        "segformer, train, val_miou, HIGHER",
        "stylegan_xl, train, fid50k_full, LOWER",
        "centerpose, train, val_2DMPE, LOWER",
        "centerpose, evaluate, test_3DIoU, HIGHER",
        "visual_changenet, train, val_fpr, LOWER",
        "depth_net_stereo, evaluate, val/d1, LOWER",
        "depth_net_mono, train, val/d1, HIGHER",
        "ml_recog, train, val Precision at Rank 1, HIGHER",
        "classification_pyt, train, val_acc_1, HIGHER",
        "mask_grounding_dino, train, [bbox] val_mAP@50, HIGHER",
        "sparse4d, train, img_bbox_NuScenes/mATE, LOWER",
        "cosmos-rl, train, val/avg_loss, LOWER"
    })
    void theDirectionOfAMetricIsKnownByNetworkAndAction(
            String network, String action, String metric, Direction direction) {
        RunRecord run = ARun.of(1)
                .text("work", "network", network)
                .text("work", "action", action)
                .record();

        assertThat(KnownMetrics.of(run, metric))
                .map(KnownMetrics.Row::direction)
                .contains(direction);
    }

    @Test
    @Promise("NV-10")
    void theCurveIsReadForBestEpochsDivergenceAndNumbers() {
        RunRecord run = ARun.of(1)
                .metric("val_mAP50", 0.1, 0.35, 0.42, 0.40)
                .metric("val_loss", 2, 1, 0.8, Double.NaN)
                .metric("train_loss", 2, 1, 0.5, 3)
                .record();

        assertThat(judge("kpi: val_mAP50; read: best; atLeast: 0.42", run, List.of())
                        .call())
                .isEqualTo(GateResult.PASS);
        assertThat(judge("kpi: val_mAP50; atLeast: 0.42", run, List.of()).call())
                .isEqualTo(GateResult.REGRESSION);
        assertThat(judge("kpi: val_mAP50; read: epochs to 0.35; atMost: 2", run, List.of())
                        .call())
                .isEqualTo(GateResult.PASS);
        assertThat(judge("kpi: val_mAP50; read: epochs to 0.42; atMost: 2", run, List.of())
                        .value())
                .hasValue(3);
        assertThat(judge("kpi: val_mAP50; read: epochs to 0.5; atMost: 2", run, List.of())
                        .call())
                .isEqualTo(GateResult.REGRESSION);
        assertThat(judge("kpi: val_loss; atMost: 5", run, List.of()).call()).isEqualTo(GateResult.FAILED);
        assertThat(judge("kpi: val_loss; read: not finite; atMost: 0", run, List.of())
                        .call())
                .isEqualTo(GateResult.REGRESSION);
        assertThat(judge("kpi: train_loss; read: divergence; atMost: 0.5", run, List.of())
                        .value())
                .hasValue(5);
    }

    @ParameterizedTest
    @Promise("NV-11")
    @CsvSource({"duration, 3600", "epochTime, 21", "throughput, 1510", "gpuHours, 8", "queueWait, 60", "memory, 61000"})
    void timeAndCostAreMeasuresToo(String measure, double value) {
        RunRecord run = ARun.of(1)
                .metric("time_per_epoch", 40, 20, 21, 22, 20)
                .metric("throughput", 1510)
                .number("machines", "gpuMemoryMiB", 61000)
                .record();

        assertThat(judge("kpi: " + measure + "; atLeast: 0", run, List.of()).value())
                .hasValue(value);
    }

    @Test
    @Promise("NV-12")
    void untilThereAreRunsEnoughTheRunOfTheFirstVerdictIsNamed() {
        Finding finding = judge("kpi: val_mAP50", tonight(0.1), nights("val_mAP50", 0.41));

        assertThat(finding.call()).isEqualTo(GateResult.NO_VERDICT);
        assertThat(finding.sentence())
                .isEqualTo(
                        "No verdict: val_mAP50 0.1 is the 2nd comparable run; the first verdict comes with the 3rd.");
        assertThat(finding.effect()).isEqualTo(Effect.NOTE);
    }

    @Test
    @Promise("NV-12")
    void aPassSaysWhichDropIsNoticed() {
        Finding finding = judge("kpi: val_mAP50", tonight(0.411), nights("val_mAP50", USUAL));

        assertThat(finding.call()).isEqualTo(GateResult.PASS);
        assertThat(finding.sentence())
                .isEqualTo(
                        "val_mAP50 0.411, usual 0.412 ± 0.0012 (10 runs). Four of five drops of 0.0054 or more are noticed"
                                + " in the same run.");
    }

    @Test
    @Promise("NV-14")
    void aLevelThatIsBlessedForAnotherTrainingSaysNothingOfThisOne() {
        ARun other = ARun.of(10).metric("val_mAP50", 0.7).text("work", "network", "another");
        Instant given = tonight(0.4).submittedAt().minusSeconds(1);
        Blessed elsewhere = new Blessed(Blessed.LEVEL, other.record(), "ana", given, "new data");
        Blessed own = new Blessed(
                Blessed.LEVEL, ARun.of(10, 2).metric("val_mAP50", 0.35).record(), "ana", given, "new data");
        Blessed later = new Blessed(own.name(), own.record(), "ana", given.plusSeconds(2), "new data");
        List<RunRecord> before = nights("val_mAP50", USUAL);

        assertThat(judge("kpi: val_mAP50", levelled(before, elsewhere)).call()).isEqualTo(GateResult.PASS);
        assertThat(judge("kpi: val_mAP50", levelled(before, own)).call()).isEqualTo(GateResult.BETTER);
        assertThat(judge("kpi: val_mAP50", levelled(before, later)).call()).isEqualTo(GateResult.PASS);
    }

    private static Evidence levelled(List<RunRecord> before, Blessed level) {
        return new Evidence(List.of(tonight(0.411)), before, List.of(level), Map.of(Blessed.LEVEL, level), Map.of());
    }

    @Test
    @Promise("NV-14")
    void onlyComparableNightsCountAndWhatDiffersIsNamed() {
        List<RunRecord> before = new ArrayList<>(nights("val_mAP50", 0.41, 0.42));
        before.add(ARun.of(3)
                .metric("val_mAP50", 0.9)
                .text("machines", "gpuType", "A100")
                .text("machines", "driver", "535.54")
                .text("work", "image", "x:0")
                .record());

        Finding finding = judge("kpi: val_mAP50; noWorseThan: last good; by: 5%", tonight(0.415), before);

        assertThat(finding.call()).isEqualTo(GateResult.PASS);
        assertThat(finding.sentence())
                .contains("(#2)")
                .endsWith("1 run cannot be compared; #3: GPU type H100 instead of A100.");
    }

    private static ARun circumstances(int night, String stamp, String epochs) {
        return ARun.of(night)
                .text("work", "image", "x:" + stamp)
                .text("work", "imageDigest", "sha256:" + stamp)
                .text("work", "data", "stamp " + stamp)
                .text("machines", "driver", "535." + stamp)
                .text("origin", "code", "c" + stamp)
                .text("work", "specHash", "h" + stamp)
                .text("work/spec", "wandb.name", "run " + stamp)
                .text("work/spec", "train.num_epochs", epochs);
    }

    @Test
    @Promise("NV-14")
    void changedCircumstancesAndLabelsSeparateNoRunsUnlessTheGateSaysSo() {
        List<RunRecord> before = new ArrayList<>();
        for (int night = 1; night <= 3; night++) {
            before.add(circumstances(night, "0" + night, "8")
                    .metric("val_mAP50", 0.42)
                    .record());
        }
        RunRecord tonight =
                circumstances(50, "50", "8").metric("val_mAP50", 0.10).record();
        RunRecord longer =
                circumstances(50, "50", "9").metric("val_mAP50", 0.10).record();
        String gate = "kpi: val_mAP50; noWorseThan: last good; by: 2%";

        assertThat(judge(gate, tonight, before).call()).isEqualTo(GateResult.REGRESSION);
        assertThat(judge(gate + "; mustMatch: [image]", tonight, before).sentence())
                .contains("No verdict", "image sha256:50 instead of sha256:03");
        assertThat(judge(gate, longer, before).sentence())
                .contains("No verdict", "spec train.num_epochs 9 instead of 8");
        assertThat(judge(gate + "; mayDiffer: train.num_epochs", longer, before).call())
                .isEqualTo(GateResult.REGRESSION);
        assertThat(new Changes(before.get(2), tonight).all())
                .extracting(Changes.Change::what)
                .contains("commit", "image", "image digest", "data", "driver")
                .doesNotContain("spec wandb.name");
    }

    @Test
    @Promise("NV-14")
    void whatOneRunDoesNotKnowDoesNotSeparateThem() {
        RunRecord unknown = ARun.of(1).without("machines", "gpuType").record();

        assertThat(Comparability.differences(tonight(1), unknown)).isEmpty();
    }

    @Test
    @Promise("NV-15")
    void aSuspectNightAsksForAConfirmingRunAndWithoutOneTheNextNightDecides() {
        List<RunRecord> before = nights("val_mAP50", USUAL);
        RunRecord confirming = ARun.of(50, 2)
                .metric("val_mAP50", 0.405)
                .text("origin", "confirms", "#50")
                .text("origin", "build", "#51")
                .record();

        Finding suspect = judge("kpi: val_mAP50", tonight(0.40), before);
        assertThat(suspect.call()).isEqualTo(GateResult.SUSPECT);
        assertThat(suspect.confirm()).isTrue();
        assertThat(suspect.effect()).isEqualTo(Effect.NOTE);
        assertThat(judge("kpi: val_mAP50", new Evidence(List.of(tonight(0.40), confirming), before))
                        .call())
                .isEqualTo(GateResult.REGRESSION);
        List<RunRecord> longer = new ArrayList<>(before);
        longer.add(ARun.of(49).metric("val_mAP50", 0.40).record());
        assertThat(judge("kpi: val_mAP50", tonight(0.40), longer).call()).isEqualTo(GateResult.REGRESSION);
    }

    @ParameterizedTest
    @Promise("NV-17")
    @CsvSource({
        "kpi: val_mAP50; atLeast: 0.5, FAILURE, FAILURE",
        "kpi: val_mAP50; atLeast: 0.5; effect: unstable, UNSTABLE, UNSTABLE",
        "kpi: val_mAP50; atLeast: 0.5; effect: note, NOTE, 'worse, only noted'",
        "kpi: val_mAP50; atLeast: 0.3, NOTE, pass",
        "kpi: nothing; atLeast: 0.3, FAILURE, FAILURE",
        "kpi: nothing, UNSTABLE, UNSTABLE",
        "kpi: nothing; effect: note; noWorseThan: last good, UNSTABLE, UNSTABLE"
    })
    void aGatesOutcomeIsWhatWasAsked(String gate, Effect effect, String word) {
        Map<String, String> keys = new LinkedHashMap<>();
        Arrays.stream(gate.split("; ", -1)).forEach(key -> keys.put(key.split(": ", 2)[0], key.split(": ", 2)[1]));
        GateReport report = Gate.judge(List.of(GateText.parse(keys)), new Evidence(List.of(tonight(0.41)), List.of()));

        assertThat(report.effect()).isEqualTo(effect);
        assertThat(report.word()).isEqualTo(word);
        assertThat(report.findings().get(0).sentence()).endsWith(".");
    }

    @Test
    @Promise("NV-20")
    void aRegressionIsNamedBySinceWhen() {
        double[] values = Arrays.copyOf(USUAL, 13);
        values[10] = 0.402;
        values[11] = 0.401;
        values[12] = 0.4015;

        Finding finding = judge("kpi: val_mAP50", tonight(0.4012), nights("val_mAP50", values));

        assertThat(finding.call()).isEqualTo(GateResult.REGRESSION);
        assertThat(finding.since()).contains("since #11 (last good #10)");
        assertThat(finding.sentence())
                .isEqualTo(
                        "Regression since #11 (last good #10): val_mAP50 0.401, usual 0.412 ± 0.0012 (10 runs), 4th bad run."
                                + " Green at 0.4072 or better, or after two runs better than 0.4068. Fix it, or bless #50 if this"
                                + " level is right.");
    }
}
