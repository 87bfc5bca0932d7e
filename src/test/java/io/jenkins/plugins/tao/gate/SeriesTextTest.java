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
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sentence of each answer, as people read it. */
class SeriesTextTest {
    /** The sentence for the last of these runs, which follow ten usual ones. */
    private static String after(double... values) {
        return last(
                        "kpi: val_mAP50",
                        DoubleStream.concat(Arrays.stream(USUAL), Arrays.stream(values))
                                .toArray())
                .sentence();
    }

    private static Finding last(String gate, double... values) {
        String metric = gate.substring("kpi: ".length()).split(";", 2)[0];
        List<RunRecord> runs = nights(metric, values);
        return judge(gate, runs.get(runs.size() - 1), runs.subList(0, runs.size() - 1));
    }

    private static String rechecked(double value, double rerun) {
        RunRecord run = ARun.of(11).metric("val_mAP50", value).record();
        RunRecord again = ARun.of(11, 2)
                .metric("val_mAP50", rerun)
                .text("origin", "confirms", "#11")
                .record();
        return judge("kpi: val_mAP50", new Evidence(List.of(run, again), nights("val_mAP50", USUAL)))
                .sentence();
    }

    @Test
    @Promise("NV-12")
    void aSuspectRunSaysWhenItBecomesRed() {
        assertThat(after(.404))
                .isEqualTo(
                        "Suspect, build not failed: val_mAP50 0.404 is 2 % below the usual 0.412. Red if the next run"
                                + " is below 0.408 too.");
    }

    @Test
    @Promise("NV-12")
    void aRegressionSaysSinceWhenAndWhatToDo() {
        assertThat(after(.404, .403))
                .isEqualTo(
                        "Regression since #11 (last good #10): val_mAP50 0.403, usual 0.412 ± 0.0012 (10 runs), 2nd bad"
                                + " run in a row. Fix it, or bless #12 if this level is right.");
        assertThat(after(.05))
                .isEqualTo(
                        "Regression since #11 (last good #10): val_mAP50 0.05 is 88 % below the usual 0.412. Fix it, or"
                                + " bless #11 if this level is right.");
    }

    @Test
    @Promise("NV-12")
    void aRunBetweenBothLevelsIsStillRedAndTheNextOneEndsIt() {
        assertThat(after(.405, .404, .4085))
                .isEqualTo("Still red since #11 (last good #10): val_mAP50 0.4085 is nearer to the usual 0.412 than to"
                        + " the bad 0.405. One more such run ends it.");
        assertThat(after(.405, .404, .4105))
                .isEqualTo("Recovered: val_mAP50 0.41, usual 0.412 ± 0.0012 (10 runs). The regression since #11 was red"
                        + " in 1 run.");
    }

    @Test
    @Promise("NV-15")
    void aRerunConfirmsOrContradicts() {
        assertThat(rechecked(.404, .412)).isEqualTo("Pass: val_mAP50 0.404 was below 0.408, but the rerun gave 0.412.");
        assertThat(rechecked(.404, .403))
                .isEqualTo("Regression since #11 (last good #10): val_mAP50 0.404, usual 0.412 ± 0.0012 (10 runs); the"
                        + " rerun gave 0.403 too. Fix it, or bless #11 if this level is right.");
    }

    @Test
    @Promise("NV-12")
    void aBetterRunAsksForALookAndALastingRiseIsANewLevel() {
        assertThat(after(.431))
                .isEqualTo(
                        "Better than usual: val_mAP50 0.431, usual 0.412 ± 0.0012 (10 runs). Check data and validation;"
                                + " bless it if it is right.");
        assertThat(after(.431, .430, .432, .431))
                .isEqualTo("New level since #11: val_mAP50 0.431, before it 0.412. A run back there will be red.");
    }

    @Test
    @Promise("NV-12")
    void aSlowRegressionSaysTheMeanOfItsRuns() {
        double[] twenty =
                DoubleStream.concat(Arrays.stream(USUAL), Arrays.stream(USUAL)).toArray();
        double[] lower = {.4097, .4096, .4097, .4096, .4097, .4096};

        assertThat(last(
                                "kpi: val_mAP50",
                                DoubleStream.concat(Arrays.stream(twenty), Arrays.stream(lower))
                                        .toArray())
                        .sentence())
                .isEqualTo(
                        "Slow regression since #21 (last good #20): the last 6 runs of val_mAP50 average 0.41, 0.59 %"
                                + " below the usual 0.412. Fix it, or bless #26 if this level is right.");
    }

    @Test
    @Promise("NV-12")
    void numbersHaveAUnitAndTheSideOfTheMetric() {
        assertThat(last("kpi: val_loss", .50, .51, .49, .50, .505, .495, .50, .51, .49, .58)
                        .sentence())
                .isEqualTo(
                        "Suspect, build not failed: val_loss 0.58 is 16 % above the usual 0.5. Red if the next run is"
                                + " above 0.531 too.");
        assertThat(judge(
                                "kpi: duration",
                                ARun.of(9).number("times", "runSeconds", 3700).record(),
                                List.of(
                                        ARun.of(1)
                                                .number("times", "runSeconds", 3600)
                                                .record(),
                                        ARun.of(2)
                                                .number("times", "runSeconds", 3610)
                                                .record(),
                                        ARun.of(3)
                                                .number("times", "runSeconds", 3605)
                                                .record()))
                        .sentence())
                .isEqualTo(
                        "Regression since #9 (last good #3): duration 3700 s is 2.6 % above the usual 3600 s. Fix it,"
                                + " or bless #9 if this level is right.");
    }

    @Test
    @Promise("NV-12")
    void numbersThatDifferLookDifferent() {
        assertThat(last("kpi: val_mAP50", .98761, .98762, .98761, .98763, .98762, .98761, .98762, .98763, .98756)
                        .sentence())
                .isEqualTo(
                        "Suspect, build not failed: val_mAP50 0.98756 is 0.0059 % below the usual 0.98762. Red if the"
                                + " next run is below 0.98758 too.");
    }

    @Test
    @Promise("NV-15")
    void aPairTellsAChangeOfTheCodeFromOneOfTheEnvironment() {
        List<RunRecord> before = nights("val_mAP50", USUAL);

        Finding contradicted = judge("kpi: val_mAP50", new Evidence(paired(.404), before));
        assertThat(contradicted.call()).isEqualTo(GateResult.NOT_CONFIRMED);
        assertThat(contradicted.sentence())
                .endsWith("the last good version (#10) beside it gave 0.404: the environment changed, not the code.");

        Finding confirmed = judge("kpi: val_mAP50", new Evidence(paired(.412), before));
        assertThat(confirmed.call()).isEqualTo(GateResult.REGRESSION);
        assertThat(confirmed.sentence()).contains("the last good version beside it 0.412");

        List<RunRecord> all = new ArrayList<>(before);
        all.addAll(paired(.404));
        List<Finding.Mark> later = judge("kpi: val_mAP50", tonight(.412), all).series();
        assertThat(later.get(later.size() - 2).call()).isEqualTo(GateResult.NOT_CONFIRMED);
    }

    /** A suspect run with its rerun, and the last good version, which has another image, beside it. */
    private static List<RunRecord> paired(double good) {
        return List.of(
                ARun.of(11).metric("val_mAP50", .404).record(),
                ARun.of(11, 2)
                        .metric("val_mAP50", .403)
                        .text("origin", "confirms", "#11")
                        .record(),
                ARun.of(11, 3)
                        .metric("val_mAP50", good)
                        .text("work", "image", "x:before")
                        .text("origin", "confirms", "#11")
                        .text("origin", "beside", "#10")
                        .record());
    }

    @ParameterizedTest
    @Promise({"NV-05", "NV-06", "NV-10"})
    @CsvSource(
            delimiter = '|',
            value = {
                "kpi: val_mAP50; atLeast: 0.4 | 0.049806 | val_mAP50 0.0498 is below the required 0.4.",
                "kpi: val_mAP50; atLeast: 0.4 | 0.39996 | val_mAP50 0.39996 is below the required 0.4.",
                "kpi: val_mAP50; atLeast: 0.4 | 0.42119 | val_mAP50 0.421 is at least the required 0.4.",
                "kpi: duration; atMost: 60 | 1 | duration 3600 s is above the required 60 s.",
                "kpi: val_mAP50; noWorseThan: last good; by: 2% | 0.40477 | val_mAP50 0.4048, 2 % below the last good"
                        + " run (#10) with 0.413; limit 0.4047.",
                "kpi: val_mAP50; noWorseThan: last good; by: 2% | 0.05 | val_mAP50 0.05 is 88 % below the last good run"
                        + " (#10) with 0.413, below the limit 0.405. Fix it, or bless #11 if this level is right.",
                "kpi: val_mAP50; read: epochs to 0.5; atMost: 4 | 0.4 | #11 never reached val_mAP50 0.5; its best"
                        + " was 0.4."
            })
    void aBoundNamesValueLimitAndWhatToDo(String gate, double value, String sentence) {
        RunRecord run = ARun.of(11).metric("val_mAP50", value).record();

        assertThat(judge(gate, run, nights("val_mAP50", USUAL)).sentence()).isEqualTo(sentence);
    }

    @Test
    @Promise("NV-13")
    void twoGroupsOfRunsAreComparedInFewWords() {
        assertThat(compared(new double[] {.41, .412, .414}, .411, .413, .4117))
                .containsExactly(
                        "val_mAP50",
                        "0.412",
                        "0.4119",
                        "-0.0001 (-0.024 %)",
                        "no sure difference: -0.0001 ± 0.0041 (3 runs each); more runs show more");
        assertThat(compared(new double[] {.41, .412, .414}, .3, .302))
                .last()
                .isEqualTo("worse, hardly by chance: -0.11 ± 0.005 (3 and 2 runs)");
        assertThat(compared(new double[] {.41, .41}, .42, .42))
                .last()
                .isEqualTo("better; the runs of each are equal (2 runs each)");
    }

    private static List<String> compared(double[] before, double... now) {
        return new RunComparison(nights("val_mAP50", before), nights("val_mAP50", now))
                .rows()
                .get(0);
    }
}
