package io.jenkins.plugins.tao.gate.statistics;

import static io.jenkins.plugins.tao.gate.statistics.GateResult.PASS;
import static io.jenkins.plugins.tao.gate.statistics.GateResult.REGRESSION;
import static io.jenkins.plugins.tao.gate.statistics.GateResult.SUSPECT;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SeriesTest {
    private static final MetricRule HIGHER =
            new MetricRule(Direction.HIGHER, MetricRange.OPEN, OptionalDouble.empty(), 0);
    private static final double[] USUAL = {.411, .413, .412, .410, .414, .412, .411, .413, .412, .413};
    private static final double[] BAD = {.402, .401, .4015, .4012, .402};

    /** Ten usual runs, five bad ones, and these. */
    private static List<SeriesEvent> afterADrop(double... values) {
        List<SeriesEvent> events = new ArrayList<>(runs(1, USUAL));
        events.addAll(runs(11, BAD));
        events.addAll(runs(16, values));
        return events;
    }

    private static List<SeriesEvent> runs(int first, double... values) {
        List<SeriesEvent> events = new ArrayList<>();
        for (double value : values) {
            events.add(Sample.of("#" + (first + events.size()), value));
        }
        return events;
    }

    private static List<GateResult> results(List<EvaluatedSample> answers, int from, int to) {
        return answers.subList(from, to).stream().map(EvaluatedSample::result).toList();
    }

    private static Regression.Began began(EvaluatedSample answer) {
        return answer.state().regression().orElseThrow().began();
    }

    @Test
    @Promise("NV-16")
    void aDropStaysRedUntilItIsFixed() {
        List<EvaluatedSample> answers = Series.evaluate(HIGHER, afterADrop());

        assertThat(results(answers, 9, 15))
                .containsExactly(PASS, SUSPECT, REGRESSION, REGRESSION, REGRESSION, REGRESSION);
        assertThat(began(answers.get(14))).isEqualTo(new Regression.Began("#11", "#10", true));
        assertThat(answers.get(14).state().phase(HIGHER)).isEqualTo(SeriesState.Phase.REGRESSED);
    }

    @Test
    @Promise("NV-20")
    void aSecondDropHasItsOwnDateAndLastGoodRun() {
        List<EvaluatedSample> answers = Series.evaluate(HIGHER, afterADrop(.412, .411, .40, .401));

        assertThat(results(answers, 15, 19)).containsExactly(PASS, PASS, SUSPECT, REGRESSION);
        assertThat(began(answers.get(18)).since()).isEqualTo("#18");
        assertThat(answers.get(18).lastGood()).isEqualTo("#17");
    }

    @Test
    @Promise("NV-14")
    void aBlessingBeginsALevelAndLeavesTheAnswersBeforeIt() {
        List<SeriesEvent> events = afterADrop();
        events.add(new Blessing(Sample.of("#14", .4012), "smaller model"));
        events.addAll(runs(16, .4014, .4008, .390));

        List<EvaluatedSample> answers = Series.evaluate(HIGHER, events);

        assertThat(results(answers, 15, 18)).containsExactly(PASS, PASS, SUSPECT);
        assertThat(answers.subList(0, 15)).isEqualTo(Series.evaluate(HIGHER, afterADrop()));
        assertThat(answers.get(15).state().level().origin()).isEqualTo(Level.Origin.BLESSING);
    }

    @Test
    @Promise("NV-14")
    void aBlessedGoodRunDoesNotTurnALastingDropGreen() {
        List<SeriesEvent> events = afterADrop();
        events.add(new Blessing(Sample.of("#10", .413), "release"));
        events.addAll(runs(16, .4014));

        assertThat(results(Series.evaluate(HIGHER, events), 15, 16)).containsExactly(REGRESSION);
    }

    @Test
    @Promise("NV-16")
    void aCollapseIsRedAtOnceFromTheThirdRunOn() {
        assertThat(results(Series.evaluate(HIGHER, runs(1, .4201, .4193, .05, .05)), 2, 4))
                .containsOnly(REGRESSION);
        List<SeriesEvent> later = new ArrayList<>(runs(1, USUAL));
        later.addAll(runs(11, .05));
        assertThat(results(Series.evaluate(HIGHER, later), 10, 11)).containsExactly(REGRESSION);
    }

    @Test
    @Promise("NV-16")
    void aFallBackFromASureStepUpIsFound() {
        List<SeriesEvent> events = new ArrayList<>(runs(1, USUAL));
        events.addAll(runs(11, .431, .430, .432, .431, .4305, .4315, .431, .430));
        events.addAll(runs(19, .412, .4125));

        List<EvaluatedSample> answers = Series.evaluate(HIGHER, events);

        assertThat(answers.get(17).state().level().origin()).isEqualTo(Level.Origin.STEP_UP);
        assertThat(answers.get(17).state().level().since()).isEqualTo("#11");
        assertThat(answers.get(19).result()).isEqualTo(REGRESSION);
    }

    @Test
    @Promise("NV-12")
    void aNamedChangeBeginsALevelThatKeepsTheSpread() {
        List<SeriesEvent> events = new ArrayList<>(runs(1, USUAL));
        events.add(new NamedChange("image 2 (was 1)"));
        events.addAll(runs(11, .392, .391, .383));

        List<EvaluatedSample> answers = Series.evaluate(HIGHER, events);

        assertThat(results(answers, 10, 13)).containsExactly(GateResult.NO_VERDICT, PASS, SUSPECT);
        assertThat(answers.get(12).state().level().why()).isEqualTo("image 2 (was 1)");
    }

    @Test
    @Promise("NV-15")
    void aPairTellsTheEnvironmentFromTheCode() {
        List<SeriesEvent> before = runs(1, USUAL);
        Series series = new Series(HIGHER);
        before.forEach(series::add);
        Sample low = Sample.of("#11", .403);

        assertThat(series.preview(low).wantsRecheck()).isTrue();
        assertThat(series.preview(low.paired(.4035, .403)).result()).isEqualTo(GateResult.NOT_CONFIRMED);
        assertThat(series.preview(low.paired(.4035, .412)).result()).isEqualTo(REGRESSION);
        assertThat(series.preview(low.rechecked(.412)).result()).isEqualTo(GateResult.NOT_CONFIRMED);
        assertThat(series.preview(low.rechecked(.403)).result()).isEqualTo(REGRESSION);
        assertThat(series.preview(low.rechecked(Double.NaN)).result()).isEqualTo(SUSPECT);
    }

    @Test
    @Promise("NV-16")
    void aShareIsComparedOnTheScaleOfItsArcsine() {
        MetricRule share = new MetricRule(Direction.HIGHER, MetricRange.SHARE, OptionalDouble.empty(), 0);
        List<SeriesEvent> events = runs(1, .990, .994, .986, .992, .988, .995, .991, .989, .993, .990, .9905);

        BaselineStatistics baseline =
                Series.evaluate(share, events).get(10).baseline().orElseThrow();

        assertThat(share.unscaled(baseline.upperLimit())).isBetween(.995, 1.0);
        assertThat(share.unscaled(baseline.mean()) - share.unscaled(baseline.limit()))
                .isGreaterThan(share.unscaled(baseline.upperLimit()) - share.unscaled(baseline.mean()));
        assertThat(MetricRange.PERCENT.unscaled(MetricRange.PERCENT.scaled(97.5)))
                .isBetween(97.49999, 97.50001);
    }

    @Test
    @Promise("NV-16")
    void aHighStepBeginsALevelAtItsFirstRunAndAFallBackIsRedAtOnce() {
        List<SeriesEvent> events = new ArrayList<>(runs(1, USUAL));
        events.addAll(runs(11, USUAL));
        events.addAll(runs(21, .440, .442, .441, .439));
        events.addAll(runs(25, .411, .412));

        List<EvaluatedSample> answers = Series.evaluate(HIGHER, events);

        assertThat(answers.get(23).state().level().origin()).isEqualTo(Level.Origin.STEP_UP);
        assertThat(answers.get(23).state().level().since()).isEqualTo("#21");
        assertThat(results(answers, 24, 26)).containsExactly(REGRESSION, REGRESSION);
        assertThat(began(answers.get(25))).isEqualTo(new Regression.Began("#25", "#24", true));
    }
}
