package io.jenkins.plugins.tao.gate;

import static io.jenkins.plugins.tao.gate.Nights.USUAL;
import static io.jenkins.plugins.tao.gate.Nights.judge;
import static io.jenkins.plugins.tao.gate.Nights.nights;
import static io.jenkins.plugins.tao.gate.Nights.tonight;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
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

    @Test
    @Promise("NV-14")
    void twoTrainingsOfABuildAreNoSeedsOfEachOther() {
        Finding finding = judge(
                LAST_GOOD, new Evidence(List.of(tonight(0.41), other(50, "rtdetr")), nights("val_mAP50", 0.41, 0.42)));

        assertThat(finding.call()).isEqualTo(GateResult.NO_VERDICT);
        assertThat(finding.sentence())
                .contains("dino train and rtdetr train of #50 each have it. Name the job that is meant.");
    }
}
