package io.jenkins.plugins.tao.gate;

import static io.jenkins.plugins.tao.gate.Nights.judge;
import static io.jenkins.plugins.tao.gate.Nights.nights;
import static io.jenkins.plugins.tao.gate.Nights.tonight;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bands, readings of the last values, and ranges. */
class GateKeysTest {
    @ParameterizedTest
    @Promise("NV-06")
    @CsvSource(
            delimiter = '|',
            value = {
                "within: 2% | 0.404 | PASS | val_mAP50 0.404, 1.9 % below the last good run (#2) with 0.412; limit 0.4038.",
                "within: 2% | 0.403 | REGRESSION | val_mAP50 0.403 is 2.2 % below the last good run (#2) with 0.412, below the"
                        + " limit 0.404. Fix it, or bless #50 if this level is right.",
                "within: 0.01 | 0.42 | PASS | val_mAP50 0.42, 1.9 % above the last good run (#2) with 0.412; limit 0.422.",
                "within: 0.01 | 0.43 | REGRESSION | val_mAP50 0.43 is 4.4 % above the last good run (#2) with 0.412, above the"
                        + " limit 0.422. Fix it, or bless #50 if this level is right.",
                "within: 2% of baseline v1 | 0.38 | REGRESSION | val_mAP50 0.38 is 5 % below baseline 'v1' (#1, blessed by ana)"
                        + " with 0.4, below the limit 0.392. Fix it, or bless #50 if this level is right."
            })
    void aBandFailsOnEitherSide(String band, double value, GateResult call, String sentence) {
        List<RunRecord> before = nights("val_mAP50", 0.409, 0.412, 0.45);
        Blessed blessed = new Blessed("v1", ARun.of(1).metric("val_mAP50", 0.4).record(), "ana", Instant.EPOCH, "x");
        Evidence evidence = new Evidence(List.of(tonight(value)), before, List.of(), Map.of("v1", blessed), Map.of());

        Finding finding = judge("kpi: val_mAP50; " + band, evidence);

        assertThat(finding.call()).isEqualTo(call);
        assertThat(finding.sentence()).isEqualTo(sentence);
        assertThat(finding.title()).startsWith("val_mAP50 within ").contains(" of ");
    }

    @Test
    @Promise("NV-09")
    void aBandNeedsNoDirection() {
        RunRecord run = ARun.of(9).metric("zeta", 2).record();

        assertThat(judge("kpi: zeta; within: 2%", run, nights("zeta", 2.01)).call())
                .isEqualTo(GateResult.PASS);
        assertThat(judge("kpi: zeta; within: 2%", run, nights("zeta", 1)).call())
                .isEqualTo(GateResult.REGRESSION);
    }

    @Test
    @Promise("NV-10")
    void theLastValuesOfACurveAreAveraged() {
        RunRecord run = ARun.of(1).metric("val_mAP50", 0.1, 0.4, 0.42, 0.2).record();
        double[] many = new double[100];
        Arrays.setAll(many, i -> i);
        RunRecord longer = ARun.of(1).metric("val_mAP50", many).record();

        assertThat(judge("kpi: val_mAP50; read: mean of last 3; atLeast: 0.4", run, List.of())
                        .sentence())
                .isEqualTo("mean of last 3 val_mAP50 0.34 is below the required 0.4.");
        assertThat(judge("kpi: val_mAP50; read: median of last 3; atLeast: 0.4", run, List.of())
                        .value())
                .hasValue(0.4);
        assertThat(judge("kpi: val_mAP50; read: mean of last 5; atLeast: 0.4", run, List.of())
                        .sentence())
                .isEqualTo("Failed: #1 has 4 values of val_mAP50, fewer than 5.");
        assertThat(judge("kpi: val_mAP50; read: mean of last 10; atLeast: 0.4", longer, List.of())
                        .value())
                .hasValue(94.5);
        assertThat(judge("kpi: val_mAP50; read: mean of last 30", longer, List.of())
                        .sentence())
                .isEqualTo("No verdict: the record of #1 does not keep the last 30 of its 100 values of val_mAP50.");
        RunRecord nan = ARun.of(1).metric("val_mAP50", 0.1, Double.NaN, 0.42).record();
        assertThat(judge("kpi: val_mAP50; read: median of last 3; atLeast: 0.4", nan, List.of())
                        .call())
                .isEqualTo(GateResult.FAILED);
    }

    @Test
    @Promise("NV-09")
    void aGateMayGiveTheBoundsOfAMetric() {
        double[] shares = {.991, .995, .993, .996, .992, .994, .995, .993, .996, .994};
        List<RunRecord> before = nights("new_share", shares);
        RunRecord run = ARun.of(50).metric("new_share", 0.993).record();
        String gate = "kpi: new_share; direction: higher";

        double open = judge(gate, run, before).limit().orElseThrow();
        assertThat(judge(gate + "; range: 0..1", run, before).limit().orElseThrow())
                .isLessThan(open - 0.0005);
        assertThat(judge(gate + "; range: open", run, before).limit()).hasValue(open);
    }
}
