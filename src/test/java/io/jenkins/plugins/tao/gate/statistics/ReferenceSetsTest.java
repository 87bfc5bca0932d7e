package io.jenkins.plugins.tao.gate.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.jenkins.plugins.tao.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Five series whose numbers were worked out with SciPy 1.17.1 and NumPy 2.4.6. */
class ReferenceSetsTest {
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
        Judged night = tonight(
                Direction.HIGHER,
                Level.Declared.NOTHING,
                nights(R1),
                Night.of("n", 40.71).confirmedBy(40.98));

        Level level = night.level().orElseThrow();
        assertThat(level.mean()).isCloseTo(41.99, CLOSE);
        assertThat(level.deviation()).isCloseTo(0.198036, CLOSE);
        assertThat(level.k()).isEqualTo(3.39);
        assertThat(level.limit()).isCloseTo(41.3187, CLOSE);
        assertThat(level.confirmLimit()).isCloseTo(41.6543, CLOSE);
        assertThat(level.distance(40.71)).isCloseTo(6.46348, CLOSE);
        assertThat(night.call()).isEqualTo(Call.REGRESSION);
    }

    @Test
    @Promise("NV-13")
    void theRankTestOfOneRunIsExact() {
        var ranks = Contrast.ranks(R1, new double[] {40.71}, AlternativeHypothesis.LESS_THAN);

        assertThat(ranks.getStatistic()).isZero();
        assertThat(ranks.getPValue()).isCloseTo(1 / 13.0, CLOSE);
        assertThat(Contrast.of(R1, new double[] {40.71}).shift()).isCloseTo(-1.275, CLOSE);
    }

    @Test
    @Promise("NV-08")
    void oneGrossOutlierDoesNotHideTheLevel() {
        Judged night = tonight(Direction.HIGHER, Level.Declared.NOTHING, nights(R2), Night.of("n", 75.98));

        Level level = night.level().orElseThrow();
        assertThat(Numbers.median(R2)).isCloseTo(76.19, CLOSE);
        assertThat(Numbers.scaledMad(R2)).isCloseTo(0.133434, CLOSE);
        assertThat(level.mean()).isCloseTo(76.1989, CLOSE);
        assertThat(level.deviation()).isCloseTo(0.100802, CLOSE);
        assertThat(level.k()).isEqualTo(3.71);
        assertThat(level.limit()).isCloseTo(75.8249, CLOSE);
        assertThat(night.call()).isEqualTo(Call.PASS);
        var ranks = Contrast.ranks(R2, new double[] {75.98}, AlternativeHypothesis.LESS_THAN);
        assertThat(ranks.getStatistic()).isEqualTo(1);
        assertThat(ranks.getPValue()).isCloseTo(0.181818, CLOSE);
        assertThat(Contrast.of(R2, new double[] {75.98}).cliff()).isCloseTo(-0.8, CLOSE);
    }

    @Test
    @Promise({"NV-13", "NV-15"})
    void severalSeedsANightMeasureTheNoise() {
        List<Night> nights = new ArrayList<>();
        for (double[] seeds : R3) {
            nights.add(Night.of("#" + nights.size(), seeds));
        }
        Judged night = tonight(
                Direction.LOWER,
                Level.Declared.NOTHING,
                nights,
                Night.of("n", .4262, .4241, .4277).confirmedBy(.4229));

        Level level = night.level().orElseThrow();
        assertThat(level.deviation()).isCloseTo(0.000809595, CLOSE);
        assertThat(Level.noiseWithin(List.of(R3)).orElseThrow()).isCloseTo(0.00303965, CLOSE);
        assertThat(level.scale()).isCloseTo(0.00140635, CLOSE);
        assertThat(level.k()).isEqualTo(2.96);
        assertThat(-level.limit()).isCloseTo(0.417313, CLOSE);
        assertThat(-level.confirmLimit()).isCloseTo(0.416755, CLOSE);
        assertThat(night.call()).isEqualTo(Call.REGRESSION);
    }

    @Test
    @Promise("NV-13")
    void twoGroupsOfSeedsAreComparedAsDistributions() {
        double[] before = java.util.Arrays.stream(R3)
                .flatMapToDouble(java.util.Arrays::stream)
                .toArray();
        double[] tonight = {.4262, .4241, .4277};

        var ranks = Contrast.ranks(before, tonight, AlternativeHypothesis.GREATER_THAN);
        assertThat(ranks.getStatistic()).isEqualTo(54);
        assertThat(ranks.getPValue()).isCloseTo(0.00075188, CLOSE);
        var welch = Contrast.welch(before, tonight, AlternativeHypothesis.GREATER_THAN);
        assertThat(welch.getStatistic()).isCloseTo(10.5468, CLOSE);
        assertThat(welch.getDegreesOfFreedom()).isCloseTo(3.6532, CLOSE);
        assertThat(welch.getPValue()).isCloseTo(0.000362409, CLOSE);
        Contrast contrast = Contrast.of(before, tonight);
        assertThat(contrast.difference()).isCloseTo(0.01285, CLOSE);
        assertThat(contrast.low()).isCloseTo(0.00933673, CLOSE);
        assertThat(contrast.high()).isCloseTo(0.0163633, CLOSE);
        assertThat(contrast.cohen()).isCloseTo(4.96546, CLOSE);
        assertThat(contrast.hedges()).isCloseTo(4.76684, withPercentage(0.2));
        assertThat(contrast.shift()).isCloseTo(0.01275, CLOSE);
    }

    @Test
    @Promise({"NV-12", "NV-15"})
    void withDeclaredNoiseThreeNightsAreEnoughAndNightsWithoutAValueAreNone() {
        List<Night> nights = List.of(
                Night.of("#1", 58.9),
                Night.without("#2", 1),
                Night.of("#3", 59.3),
                Night.of("#4", Double.NaN),
                Night.of("#5", 59.0));
        Night tonight = Night.of("#6", 57.6).confirmedBy(59.2);
        Judged night = tonight(Direction.HIGHER, new Level.Declared(OptionalDouble.of(0.30), 0), nights, tonight);

        Level level = night.level().orElseThrow();
        assertThat(level.nights()).isEqualTo(3);
        assertThat(level.mean()).isCloseTo(59.0667, CLOSE);
        assertThat(level.deviation()).isCloseTo(0.208167, CLOSE);
        assertThat(level.scale()).isCloseTo(0.279881, CLOSE);
        assertThat(level.k()).isEqualTo(3.09);
        assertThat(level.limit()).isCloseTo(58.2018, CLOSE);
        assertThat(level.confirmLimit()).isCloseTo(58.6343, CLOSE);
        assertThat(night.call()).isEqualTo(Call.NOT_CONFIRMED);
        assertThat(tonight(Direction.HIGHER, Level.Declared.NOTHING, nights, tonight)
                        .call())
                .isEqualTo(Call.NO_VERDICT);
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
        assertThat(contrast.rankP()).isCloseTo(1.58768e-05, CLOSE);
    }

    @Test
    @Promise("NV-16")
    void aDropThatLastsIsSummedUp() {
        SlowDrop slow = new SlowDrop();
        List<Integer> alarms = new ArrayList<>();
        double most = 0;
        for (int i = 0; i < R5.length; i++) {
            most = Math.max(most, slow.take(R5[i]));
            if (slow.alarms()) {
                alarms.add(200 + i);
                slow.reset();
            }
        }

        assertThat(alarms).startsWith(213);
        assertThat(most).isCloseTo(5.917, CLOSE);
    }

    private static List<Night> nights(double... values) {
        List<Night> nights = new ArrayList<>();
        for (double value : values) {
            nights.add(Night.of("#" + nights.size(), value));
        }
        return nights;
    }

    private static Judged tonight(Direction direction, Level.Declared declared, List<Night> before, Night tonight) {
        List<Night> all = new ArrayList<>(before);
        all.add(tonight);
        return UsualRule.walk(direction, declared, all).get(before.size());
    }
}
