package io.jenkins.plugins.tao.gate;

import static io.jenkins.plugins.tao.gate.Nights.USUAL;
import static io.jenkins.plugins.tao.gate.Nights.judge;
import static io.jenkins.plugins.tao.gate.Nights.nights;
import static io.jenkins.plugins.tao.gate.Nights.tonight;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.gate.criteria.SameBuild;
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

/** Builds that run several trainings: each is judged by its own nights. */
class SeveralTrainingsTest {
    private static final String LAST_GOOD = "kpi: val_mAP50; noWorseThan: last good; by: 5%";

    /** Another training of a night, which reports the same metric. */
    private static RunRecord other(int night, String network) {
        return ARun.of(night, 9)
                .text("work", "network", network)
                .text("work", "specHash", "bb")
                .metric("val_mAP50", 0.9)
                .record();
    }

    private static List<RunRecord> withOthers(double... values) {
        List<RunRecord> before = new ArrayList<>(nights("val_mAP50", values));
        for (int night = 1; night <= values.length; night++) {
            before.add(other(night, "rtdetr"));
        }
        return before;
    }

    @Test
    @Promise("NV-14")
    void anotherTrainingOfTheSameBuildIsNoNightThatCannotBeCompared() {
        Finding finding = judge(LAST_GOOD, tonight(0.41), withOthers(0.41, 0.42));

        assertThat(finding.call()).isEqualTo(GateResult.PASS);
        assertThat(finding.sentence()).contains("(#2)").doesNotContain("compared", "rtdetr");
        assertThat(judge("kpi: val_mAP50", tonight(0.412), withOthers(USUAL)).sentence())
                .doesNotContain("cannot be compared");
    }

    @Test
    @Promise("NV-14")
    void aBuildThatRanAnotherTrainingAloneSaysNothingOfTonightsEither() {
        List<RunRecord> before = withOthers(0.41, 0.42);
        before.add(other(3, "rtdetr"));

        assertThat(judge(LAST_GOOD, tonight(0.41), before).sentence()).doesNotContain("compared");
    }

    @Test
    @Promise("NV-14")
    void ofABuildThatCannotBeComparedTheSameTrainingSaysWhy() {
        List<RunRecord> before = withOthers(0.41, 0.42);
        before.add(ARun.of(3)
                .metric("val_mAP50", 0.4)
                .text("machines", "gpuType", "A100")
                .record());
        before.add(other(3, "rtdetr"));

        assertThat(judge(LAST_GOOD, tonight(0.41), before).sentence())
                .endsWith("1 run cannot be compared; #3: GPU type H100 instead of A100.");
    }

    @Test
    @Promise("NV-14")
    void whereNoBuildHasTonightsTrainingTheOthersAreNamed() {
        assertThat(judge(LAST_GOOD, tonight(0.41), List.of(other(1, "rtdetr"))).sentence())
                .contains("1 run cannot be compared; #1: network dino instead of rtdetr");
    }

    @Test
    @Promise("NV-14")
    void aMetricIsJudgedForTheTrainingOfTheBuildThatHasIt() {
        RunRecord classifier = ARun.of(50, 1)
                .text("work", "network", "classification")
                .metric("val_acc", 0.9)
                .record();

        Finding finding =
                judge(LAST_GOOD, new Evidence(List.of(classifier, tonight(0.41)), nights("val_mAP50", 0.41, 0.42)));

        assertThat(finding.call()).isEqualTo(GateResult.PASS);
        assertThat(finding.sentence()).contains("(#2) with 0.42");
    }

    private static RunRecord classifier(int night, String word) {
        ARun run = ARun.of(night, 1).text("work", "network", "classification").ended(word);
        return (word.equals("succeeded") ? run.metric("val_acc", 0.9) : run).record();
    }

    @Test
    @Promise("NV-14")
    void aTrainingThatFailedIsNotAskedForAMetricThatItsSuccessesNeverHad() {
        List<RunRecord> before = new ArrayList<>(nights("val_mAP50", 0.41, 0.42));
        before.add(classifier(1, "succeeded"));
        List<RunRecord> tonight = List.of(classifier(50, "failed"), tonight(0.41));

        assertThat(report(LAST_GOOD, new Evidence(tonight, before)).findings())
                .extracting(Finding::call)
                .containsExactly(GateResult.PASS);
        assertThat(report("kpi: val_acc; atLeast: 0.5", new Evidence(tonight, before))
                        .findings())
                .extracting(Finding::title)
                .containsExactly("classification train: val_acc at least 0.5");
        assertThat(report(LAST_GOOD, new Evidence(tonight, nights("val_mAP50", 0.41, 0.42)))
                        .findings())
                .as("a training that never succeeded may have had it")
                .hasSize(2);
    }

    @Test
    @Promise("NV-14")
    void eachTrainingOfABuildIsJudgedAndNamed() {
        Evidence evidence = new Evidence(List.of(tonight(0.30), other(50, "rtdetr")), withOthers(0.41, 0.42));

        GateReport report = report(LAST_GOOD, evidence);

        assertThat(report.findings())
                .extracting(Finding::title, Finding::call)
                .containsExactly(
                        tuple("dino train: val_mAP50 no worse than the last good run by 5 %", GateResult.REGRESSION),
                        tuple("rtdetr train: val_mAP50 no worse than the last good run by 5 %", GateResult.PASS));
        assertThat(report.effect()).isEqualTo(Effect.FAILURE);
        assertThat(new GateTable(report).json()).contains("\"training\" : \"rtdetr train\"", "train-50-9");
    }

    private static GateReport report(String gate, Evidence evidence) {
        Map<String, String> keys = new LinkedHashMap<>();
        Arrays.stream(gate.split("; ", -1)).forEach(key -> keys.put(key.split(": ", 2)[0], key.split(": ", 2)[1]));
        return Gate.judge(List.of(GateText.parse(keys)), evidence);
    }

    private static ARun ofSpec(int night, int run, String rate) {
        return ARun.of(night, run)
                .text("work", "specHash", "rate" + rate)
                .text("work/spec", "train.lr", rate)
                .text("work/spec", "wandb.name", "run of " + night);
    }

    @Test
    void runsThatDifferInTheirSpecAreNeverAveraged() {
        List<RunRecord> before = List.of(
                ofSpec(1, 1, "0.1").metric("val_mAP50", 0.60).record(),
                ofSpec(1, 2, "0.2").metric("val_mAP50", 0.30).record());
        List<RunRecord> build = List.of(
                ofSpec(50, 1, "0.1").metric("val_mAP50", 0.59).record(),
                ofSpec(50, 2, "0.2").metric("val_mAP50", 0.20).record());

        assertThat(report(LAST_GOOD, new Evidence(build, before)).findings())
                .extracting(finding -> finding.subject().training(), Finding::call)
                .containsExactly(
                        tuple("dino train (train.lr 0.1)", GateResult.PASS),
                        tuple("dino train (train.lr 0.2)", GateResult.REGRESSION));
    }

    @Test
    void runsThatDifferInTheSeedAndInLabelsAreReplicates() {
        List<RunRecord> build = List.of(
                ofSpec(50, 1, "0.1")
                        .text("work", "specHash", "a")
                        .metric("val_mAP50", 0.5)
                        .record(),
                ofSpec(50, 2, "0.1")
                        .text("work", "specHash", "b")
                        .text("work/spec", "wandb.name", "another")
                        .metric("val_mAP50", 0.6)
                        .record());

        GateReport report = report("kpi: val_mAP50; atLeast: 0.55", new Evidence(build, List.of()));

        assertThat(report.findings()).singleElement().extracting(Finding::call).isEqualTo(GateResult.PASS);
        assertThat(report.findings().get(0).sentence()).contains("mean of 2 runs");
    }

    @Test
    void runsOfSeveralCommandsAreCellsOfNothingAndAreJudgedEach() {
        List<RunRecord> build = List.of(
                ARun.of(50, 1)
                        .text("work", "commandHash", "a")
                        .metric("val_mAP50", 0.6)
                        .record(),
                ARun.of(50, 2)
                        .text("work", "commandHash", "b")
                        .metric("val_mAP50", 0.3)
                        .record());

        assertThat(report("kpi: val_mAP50; atLeast: 0.42", new Evidence(build, List.of()))
                        .findings())
                .extracting(Finding::call)
                .containsExactly(GateResult.PASS, GateResult.REGRESSION);
    }

    @Test
    void aTryThatWasRepeatedCountsByItsLast() {
        List<RunRecord> build = new ArrayList<>();
        for (int attempt = 1; attempt <= 3; attempt++) {
            ARun run = ARun.of(50)
                    .top("id", "train-50-" + attempt)
                    .text("times", "submittedAt", "2026-03-01T0" + attempt + ":00:00Z")
                    .text("times", "endedAt", "2026-03-01T0" + attempt + ":30:00Z");
            build.add((attempt == 3
                            ? run.metric("val_mAP50", 0.4211)
                            : run.ended("failed").number("outcome", "exitCode", 1))
                    .record());
        }

        Finding finding = judge("kpi: val_mAP50; atLeast: 0.4", new Evidence(build, List.of()));

        assertThat(finding.call()).isEqualTo(GateResult.PASS);
        assertThat(finding.sentence()).endsWith("2 tries failed (exit code 1); the third gave 0.421.");
    }

    @Test
    void aReplicateThatFailedBesideAnotherIsNoRepeatedTry() {
        List<RunRecord> build = List.of(
                ARun.of(50, 1).ended("failed").record(),
                ARun.of(50, 2).metric("val_mAP50", 0.5).record());

        assertThat(judge("kpi: val_mAP50; atLeast: 0.4", new Evidence(build, List.of()))
                        .sentence())
                .doesNotContain("tries");
    }

    @Test
    void aBuildThatHasTheNumberOfAnEarlierOneIsAnotherNight() {
        List<RunRecord> before = new ArrayList<>(nights("val_mAP50", 0.30, 0.40));
        before.add(ARun.of(1)
                .top("id", "again-1")
                .metric("val_mAP50", 0.42)
                .text("times", "submittedAt", "2026-01-09T01:00:00Z")
                .record());

        assertThat(judge("kpi: val_mAP50; noWorseThan: median of 3; by: 0.01", tonight(0.40), before)
                        .sentence())
                .contains("the median of the last 3 runs with 0.4;");
    }

    @Test
    void aReplicateThatCollapsedOrIsNoNumberIsNamed() {
        List<RunRecord> build = new ArrayList<>();
        List<RunRecord> lost = new ArrayList<>();
        double[] values = {0.42, 0.10, 0.421};
        for (int seed = 1; seed <= 3; seed++) {
            build.add(ARun.of(50, seed).metric("val_mAP50", values[seed - 1]).record());
            lost.add(ARun.of(50, seed)
                    .metric("val_mAP50", seed == 2 ? Double.NaN : 0.42)
                    .record());
        }

        Finding collapsed = judge("kpi: val_mAP50; atLeast: 0.3", new Evidence(build, List.of()));
        Finding none = judge("kpi: val_mAP50; atLeast: 0.3", new Evidence(lost, List.of()));

        assertThat(collapsed.call()).isEqualTo(GateResult.REGRESSION);
        assertThat(collapsed.sentence()).startsWith("Regression: seed 2 has 0.1, the others 0.42");
        assertThat(none.call()).isEqualTo(GateResult.FAILED);
        assertThat(none.sentence()).startsWith("Failed: seed 2 is not a number (NaN), the others 0.42");
        RunRecord array = ARun.of(50).members(3, "val_mAP50", values).record();
        assertThat(judge("kpi: val_mAP50; atLeast: 0.3", new Evidence(List.of(array), List.of()))
                        .sentence())
                .startsWith("Regression: member 1 has 0.1, the others 0.42");
    }

    /** The run of a numbering that began again, minutes after the old one. */
    private static RunRecord again(int number, int minute, double value) {
        return ARun.of(number)
                .top("id", "again-" + number)
                .metric("val_mAP50", value)
                .text("times", "submittedAt", "2026-01-09T01:%02d:00Z".formatted(minute))
                .text("times", "endedAt", "2026-01-09T01:%02d:30Z".formatted(minute))
                .record();
    }

    private static RunRecord quick(int number, int minute, double value) {
        return ARun.of(number)
                .metric("val_mAP50", value)
                .text("times", "submittedAt", "2026-01-09T00:%02d:00Z".formatted(minute))
                .text("times", "endedAt", "2026-01-09T00:%02d:30Z".formatted(minute))
                .record();
    }

    @Test
    void aNumberingThatBeginsAgainMinutesLaterIsToldApartByTheRunsBetween() {
        List<RunRecord> all = List.of(quick(1, 1, 0.40), quick(2, 2, 0.40), quick(3, 3, 0.40), again(2, 5, 0.05));

        assertThat(SameBuild.newest(run -> run.label().equals("#2"), all)).containsExactly(all.get(3));
        assertThat(SameBuild.of(all.get(3), all)).containsExactly(all.get(3));
        assertThat(SameBuild.split(all)).hasSize(4);
    }

    @Test
    void aRunWhoseReplicateIsNoNumberIsNeitherUsualNorTheLastGoodOne() {
        List<RunRecord> before = new ArrayList<>(nights("val_mAP50", 0.40, 0.41));
        for (int seed = 1; seed <= 3; seed++) {
            before.add(ARun.of(3, seed)
                    .metric("val_mAP50", seed == 1 ? Double.NaN : 0.45)
                    .record());
        }

        assertThat(judge(LAST_GOOD, tonight(0.41), before).sentence()).contains("(#2)");
    }

    @Test
    void aBlessedRunOfSeveralSeedsIsComparedByTheirMean() {
        List<RunRecord> before = new ArrayList<>();
        for (int seed = 1; seed <= 3; seed++) {
            before.add(ARun.of(1, seed).metric("val_mAP50", 0.40 + seed / 100.0).record());
        }
        Blessed blessed = new Blessed("v1", before.get(0), "ana", Instant.EPOCH, "x");
        Evidence evidence = new Evidence(List.of(tonight(0.41)), before, List.of(), Map.of("v1", blessed), Map.of());

        assertThat(judge("kpi: val_mAP50; noWorseThan: baseline v1; by: 1%", evidence)
                        .sentence())
                .contains("baseline 'v1' (#1, blessed by ana) with 0.42");
    }
}
