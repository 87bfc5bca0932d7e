package io.jenkins.plugins.tao.gate.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.jenkins.plugins.tao.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Five series whose numbers were worked out with SciPy 1.17.1 and NumPy 2.4.6. */
class ReferenceSetsTest {
    private static final MetricRule HIGHER =
            new MetricRule(Direction.HIGHER, MetricRange.OPEN, OptionalDouble.empty(), 0);
    private static final Percentage CLOSE = withPercentage(0.01);
    private static final double[] R1 = {
        41.82, 42.11, 41.95, 42.30, 41.67, 42.02, 41.88, 42.19, 41.74, 42.05, 41.91, 42.24
    };
    private static final double[] R2 = {76.12, 76.31, 76.20, 76.05, 70.40, 76.27, 76.18, 76.35, 76.09, 76.22};
    private static final double[][] R3 = {
        {.4121, .4163, .4098},
        {.4150, .4109, .4172},
        {.4087, .4135, .4140},
        {.4158, .4102, .4127},
        {.4113, .4169, .4131},
        {.4144, .4095, .4153}
    };
    private static final double[] R5 = {
        1510, 1498, 1505, 1522, 1490, 1513, 1508, 1496, 1517, 1502, 1511, 1499, 1438, 1446, 1429, 1441, 1450, 1433,
        1447, 1436
    };

    @Test
    @Promise({"NV-08", "NV-15"})
    void aDropThatItsConfirmingRunSharesIsARegression() {
        EvaluatedSample night =
                tonight(HIGHER, nights(R1), Sample.of("n", 40.71).rechecked(40.98));

        BaselineStatistics level = night.baseline().orElseThrow();
        assertThat(level.mean()).isCloseTo(41.99, CLOSE);
        assertThat(level.deviation()).isCloseTo(0.198036, CLOSE);
        assertThat(level.k()).isEqualTo(3.39);
        assertThat(level.limit()).isCloseTo(41.3187, CLOSE);
        assertThat(level.mean() - level.confirmDrop()).isCloseTo(41.6543, CLOSE);
        assertThat((level.mean() - 40.71) / level.scale()).isCloseTo(6.46348, CLOSE);
        assertThat(night.result()).isEqualTo(GateResult.REGRESSION);
    }

    @Test
    @Promise("NV-08")
    void oneGrossOutlierDoesNotHideTheLevel() {
        Level ten = Level.begin(Level.Origin.FIRST_RUN, "", Optional.empty());
        for (Sample run : nights(R2)) {
            ten = ten.with(HIGHER.run(run));
        }

        BaselineStatistics level = ten.baseline(HIGHER, 1).orElseThrow();
        assertThat(Numbers.median(R2)).isCloseTo(76.19, CLOSE);
        assertThat(Numbers.scaledMad(R2)).isCloseTo(0.133434, CLOSE);
        assertThat(level.mean()).isCloseTo(76.1989, CLOSE);
        assertThat(level.deviation()).isCloseTo(0.100802, CLOSE);
        assertThat(level.k()).isEqualTo(3.71);
        assertThat(level.limit()).isCloseTo(75.8249, CLOSE);
    }

    /** As a series the gross outlier is red, so that only nine of the ten runs are usual ones. */
    @Test
    @Promise("NV-08")
    void aRedRunIsNoneOfTheUsualOnes() {
        EvaluatedSample night = tonight(HIGHER, nights(R2), Sample.of("n", 75.98));

        assertThat(night.baseline().orElseThrow().runs()).isEqualTo(9);
        assertThat(night.baseline().orElseThrow().k()).isEqualTo(4.17);
        assertThat(night.baseline().orElseThrow().limit()).isCloseTo(75.7785, CLOSE);
        assertThat(night.result()).isEqualTo(GateResult.PASS);
    }

    @Test
    @Promise({"NV-13", "NV-15"})
    void severalSeedsANightMeasureTheNoise() {
        List<Sample> nights = new ArrayList<>();
        for (double[] seeds : R3) {
            nights.add(Sample.of("#" + nights.size(), seeds));
        }
        EvaluatedSample night = tonight(
                new MetricRule(Direction.LOWER, MetricRange.OPEN, OptionalDouble.empty(), 0),
                nights,
                Sample.of("n", .4262, .4241, .4277).rechecked(.4229));

        BaselineStatistics level = night.baseline().orElseThrow();
        assertThat(level.deviation()).isCloseTo(0.000809595, CLOSE);
        assertThat(BaselineStatistics.noiseWithin(nights.stream()
                                .map(new MetricRule(Direction.LOWER, MetricRange.OPEN, OptionalDouble.empty(), 0)::run)
                                .toList())
                        .orElseThrow())
                .isCloseTo(0.00303965, CLOSE);
        assertThat(level.scale()).isCloseTo(0.00140635, CLOSE);
        assertThat(level.k()).isEqualTo(2.96);
        assertThat(-level.limit()).isCloseTo(0.417313, CLOSE);
        assertThat(-(level.mean() - level.confirmDrop())).isCloseTo(0.416755, CLOSE);
        assertThat(night.result()).isEqualTo(GateResult.REGRESSION);
    }

    @Test
    @Promise("NV-13")
    void twoGroupsOfSeedsAreComparedAsDistributions() {
        double[] before = java.util.Arrays.stream(R3)
                .flatMapToDouble(java.util.Arrays::stream)
                .toArray();
        double[] tonight = {.4262, .4241, .4277};

        var welch = Contrast.welch(before, tonight, AlternativeHypothesis.GREATER_THAN);
        assertThat(welch.getStatistic()).isCloseTo(10.5468, CLOSE);
        assertThat(welch.getDegreesOfFreedom()).isCloseTo(3.6532, CLOSE);
        assertThat(welch.getPValue()).isCloseTo(0.000362409, CLOSE);
        Contrast contrast = Contrast.of(before, tonight);
        assertThat(contrast.difference()).isCloseTo(0.01285, CLOSE);
        assertThat(contrast.low()).isCloseTo(0.00933673, CLOSE);
        assertThat(contrast.high()).isCloseTo(0.0163633, CLOSE);
    }

    @Test
    @Promise({"NV-12", "NV-15"})
    void withDeclaredNoiseThreeNightsAreEnoughAndNightsWithoutAValueAreNone() {
        List<Sample> nights = List.of(
                Sample.of("#1", 58.9),
                Sample.without("#2", 1),
                Sample.of("#3", 59.3),
                Sample.of("#4", Double.NaN),
                Sample.of("#5", 59.0));
        Sample tonight = Sample.of("#6", 57.6).rechecked(59.2);
        EvaluatedSample night = tonight(
                new MetricRule(Direction.HIGHER, MetricRange.OPEN, OptionalDouble.of(0.30), 0), nights, tonight);

        BaselineStatistics level = night.baseline().orElseThrow();
        assertThat(level.runs()).isEqualTo(3);
        assertThat(level.mean()).isCloseTo(59.0667, CLOSE);
        assertThat(level.deviation()).isCloseTo(0.208167, CLOSE);
        assertThat(level.scale()).isCloseTo(0.279881, CLOSE);
        assertThat(level.k()).isEqualTo(3.09);
        assertThat(level.limit()).isCloseTo(58.2018, CLOSE);
        assertThat(level.mean() - level.confirmDrop()).isCloseTo(58.6343, CLOSE);
        assertThat(night.result()).isEqualTo(GateResult.NOT_CONFIRMED);
    }

    @Test
    @Promise({"NV-12", "NV-15"})
    void withoutDeclaredNoiseThreeRunsHaveAWideLimit() {
        List<Sample> nights = List.of(Sample.of("#1", 58.9), Sample.of("#3", 59.3), Sample.of("#5", 59.0));

        EvaluatedSample night = tonight(HIGHER, nights, Sample.of("#6", 57.6));

        assertThat(night.baseline().orElseThrow().k()).isEqualTo(11.46);
        assertThat(night.baseline().orElseThrow().limit()).isCloseTo(56.6811, CLOSE);
        assertThat(night.result()).isEqualTo(GateResult.PASS);
    }

    @Test
    @Promise("NV-20")
    void theChangeOfALevelIsNamed() {
        ChangePoint change = ChangePoint.in(R5).orElseThrow();

        assertThat(change.index()).isEqualTo(12);
        assertThat(change.energy()).isCloseTo(536.634, CLOSE);
        assertThat(change.p()).isCloseTo(1.94243e-12, CLOSE);
        assertThat(change.sure()).isTrue();
        assertThat(change.before()).isCloseTo(1505.92, CLOSE);
        assertThat(change.after()).isCloseTo(1440, CLOSE);
        Contrast contrast =
                Contrast.of(java.util.Arrays.copyOfRange(R5, 0, 12), java.util.Arrays.copyOfRange(R5, 12, R5.length));
        assertThat(contrast.low()).isCloseTo(-73.7875, CLOSE);
        assertThat(contrast.high()).isCloseTo(-58.0459, CLOSE);
    }

    @Test
    @Promise("NV-16")
    void aDropThatLastsIsSummedUp() {
        SlowDrop slow = SlowDrop.NOTHING;
        List<Double> sums = new ArrayList<>();
        for (double value : R5) {
            slow = slow.take(value, Optional.empty()).learn(value, Optional.empty());
            sums.add(slow.sum());
        }

        assertThat(sums.subList(0, 13)).allMatch(sum -> sum < 3);
        assertThat(sums.get(13)).isCloseTo(4.931, CLOSE);
        assertThat(sums.get(14)).isCloseTo(7.331, CLOSE);
        assertThat(sums.subList(14, 20)).allMatch(sum -> sum > SlowDrop.LIMIT);
    }

    @Test
    @Promise({"NV-16", "NV-20"})
    void aDropThatLastsIsRedFromItsSecondRunOnAndDatedByItsFirst() {
        List<EvaluatedSample> answers = Series.evaluate(HIGHER, nights(R5));

        assertThat(answers.subList(0, 12)).noneMatch(answer -> answer.result().bad());
        assertThat(answers.get(12).result()).isEqualTo(GateResult.SUSPECT);
        assertThat(answers.subList(13, 20)).allMatch(answer -> answer.result() == GateResult.REGRESSION);
        assertThat(answers.get(19).state().regression().orElseThrow().began())
                .isEqualTo(new Regression.Began("#12", "#11", true));
    }

    private static List<Sample> nights(double... values) {
        List<Sample> nights = new ArrayList<>();
        for (double value : values) {
            nights.add(Sample.of("#" + nights.size(), value));
        }
        return nights;
    }

    private static EvaluatedSample tonight(MetricRule rule, List<Sample> before, Sample tonight) {
        List<Sample> all = new ArrayList<>(before);
        all.add(tonight);
        return Series.evaluate(rule, all).get(before.size());
    }
}
