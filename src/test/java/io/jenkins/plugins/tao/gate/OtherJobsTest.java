package io.jenkins.plugins.tao.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether a regression is of one job or of the target. */
class OtherJobsTest {
    private static ARun run(String job, String target, int night, double value) {
        ARun run = ARun.of(night).text("origin", "job", job).metric("val_mAP50", value);
        return target.isEmpty() ? run : run.text("", "target", target);
    }

    /** Ten nights of a job, the last with another value. */
    private static List<RunRecord> nights(String job, String target, double last) {
        List<RunRecord> runs = new ArrayList<>();
        for (int night = 1; night < 10; night++) {
            runs.add(run(job, target, night, 0.410 + night % 3 * 0.001).record());
        }
        runs.add(run(job, target, 10, last).record());
        return runs;
    }

    private static String sentence(List<RunRecord> others) {
        List<RunRecord> own = nights("det", "dgx", 0.3);
        Evidence evidence = new Evidence(own.subList(9, 10), own.subList(0, 9));
        Finding finding = Gate.judge(List.of(GateText.parse(Map.of("kpi", "val_mAP50", "atLeast", "0.4"))), evidence)
                .findings()
                .get(0);
        return new OtherJobs(own.get(9), finding, others).sentence().orElse("nothing");
    }

    @Test
    @Promise("NV-19")
    void jobsThatGotWorseInTheSameNightAreNamed() {
        List<RunRecord> others = new ArrayList<>(nights("seg", "dgx", 0.35));
        others.addAll(nights("depth", "dgx", 0.411));

        assertThat(sentence(others))
                .isEqualTo(
                        "1 of 2 other jobs on dgx got worse within 12 hours of it: seg dino train (val_mAP50: regression)."
                                + " Look at the target first.");
    }

    @Test
    @Promise("NV-19")
    void jobsThatAreAsUsualSayThatTheTargetIsNotToBlame() {
        assertThat(sentence(nights("seg", "dgx", 0.411)))
                .isEqualTo("0 of 1 other job on dgx got worse within 12 hours of it.");
    }

    @Test
    @Promise("NV-19")
    void otherTargetsOtherNightsAndShortHistoriesSayNothing() {
        List<RunRecord> others = new ArrayList<>(nights("seg", "hpc", 0.3));
        others.addAll(nights("depth", "dgx", 0.3).subList(0, 9));
        others.add(run("new", "dgx", 10, 0.3).record());

        assertThat(sentence(others)).isEqualTo("nothing");
    }

    @Test
    @Promise("NV-19")
    void aRegressionThatLastsForDaysDoesNotPointAtTheTarget() {
        List<RunRecord> others = new ArrayList<>(nights("seg", "dgx", 0.411).subList(0, 7));
        for (int night = 8; night <= 10; night++) {
            others.add(run("seg", "dgx", night, 0.3).record());
        }

        assertThat(sentence(others)).isEqualTo("0 of 1 other job on dgx got worse within 12 hours of it.");
    }
}
