package io.jenkins.plugins.tao.gate;

import static io.jenkins.plugins.tao.gate.Nights.judge;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Gates over job arrays. */
class MembersInGatesTest {
    private static RunRecord array(int night, int count, double... values) {
        return ARun.of(night).members(count, "val_mAP50", values).record();
    }

    private static List<RunRecord> twelveNights() {
        List<RunRecord> nights = new ArrayList<>();
        for (int night = 1; night <= 12; night++) {
            double level = 0.40 + night % 3 * 0.001;
            nights.add(array(night, 4, level, level + 0.004, level - 0.003, level + 0.001));
        }
        return nights;
    }

    @Test
    @Promise("NV-04")
    void allMembersAreTheRepeatsOfANightWhoseValueIsTheirMean() {
        Finding finding = judge("kpi: val_mAP50; atLeast: 0.5", array(13, 4, 0.4, 0.5, 0.6, 0.7), List.of());

        assertThat(finding.call()).isEqualTo(GateResult.PASS);
        assertThat(finding.sentence()).contains("0.55");
    }

    @Test
    @Promise("NV-04")
    void aGateMayNameOneMember() {
        RunRecord tonight = array(13, 4, 0.4, 0.5, 0.6, 0.7);

        assertThat(judge("kpi: val_mAP50 [0]; atLeast: 0.5", tonight, List.of()).call())
                .isEqualTo(GateResult.REGRESSION);
        assertThat(judge("kpi: val_mAP50 [3]; atLeast: 0.5", tonight, List.of()).call())
                .isEqualTo(GateResult.PASS);
        assertThat(judge("kpi: val_mAP50 [9]; atLeast: 0.5", tonight, List.of()).call())
                .isEqualTo(GateResult.FAILED);
    }

    @Test
    @Promise("NV-04")
    void arraysOfEarlierNightsAreWhatIsUsual() {
        RunRecord good = array(13, 4, 0.401, 0.405, 0.398, 0.402);
        RunRecord bad = array(13, 4, 0.301, 0.305, 0.298, 0.302);

        assertThat(judge("kpi: val_mAP50; direction: higher", good, twelveNights())
                        .call())
                .isEqualTo(GateResult.PASS);
        assertThat(judge("kpi: val_mAP50; direction: higher", bad, twelveNights())
                        .call())
                .isIn(GateResult.SUSPECT, GateResult.REGRESSION);
        assertThat(judge("kpi: val_mAP50; noWorseThan: last good; by: 2%", bad, twelveNights())
                        .call())
                .isEqualTo(GateResult.REGRESSION);
    }

    @Test
    @Promise("NV-04")
    void membersThatLeftNoValueCountAndFewerThanHalfOfThemAreNoVerdict() {
        assertThat(judge("kpi: val_mAP50; atLeast: 0.5", array(13, 4, 0.6, 0.6), List.of())
                        .call())
                .isEqualTo(GateResult.PASS);
        Finding few = judge("kpi: val_mAP50; atLeast: 0.5", array(13, 4, 0.6), List.of());
        assertThat(few.call()).isEqualTo(GateResult.FAILED);
        assertThat(few.sentence()).contains("1 of 4 members of #13 reported 'val_mAP50'");
        assertThat(judge("kpi: other; atLeast: 0.5; direction: higher", array(13, 4, 0.6), List.of())
                        .sentence())
                .contains("Nearest of what it reported: val_mAP50.");
    }
}
