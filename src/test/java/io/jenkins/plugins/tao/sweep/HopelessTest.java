package io.jenkins.plugins.tao.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.statistics.Direction;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.status.MetricPoint;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Which cells rules find hopeless. */
class HopelessTest {
    private static Hopeless rules(String text) {
        RunRecord planned = RunRecord.parse("{\"schema\":1,\"id\":\"a\"}");
        return new Hopeless(EarlyRule.parse(text).stream()
                .map(rule -> rule.directed(Optional.empty(), planned))
                .toList());
    }

    private static List<MetricPoint> curve(double... values) {
        return java.util.stream.IntStream.range(0, values.length)
                .mapToObj(epoch ->
                        new MetricPoint("acc", OptionalDouble.of(epoch), OptionalDouble.empty(), values[epoch]))
                .toList();
    }

    private static Hopeless withThree(String rule) {
        Hopeless hopeless = rules(rule);
        assertThat(hopeless.take("a", curve(0.5, 0.6, 0.7, 0.9))).isEmpty();
        assertThat(hopeless.take("b", curve(0.4, 0.5, 0.6, 0.8))).isEmpty();
        assertThat(hopeless.take("c", curve(0.6, 0.7, 0.8, 0.9))).isEmpty();
        return hopeless;
    }

    @Test
    @Promise("NS-10")
    void aCellWhoseBestIsWorseThanTheMedianOfTheOthersAtTheSameEpochIsHopelessAndNamedOnce() {
        Hopeless hopeless = withThree("median of acc after 2 epochs, higher is better");

        assertThat(hopeless.take("d", curve(0.1, 0.55)))
                .hasValue(
                        "rule median at epoch 1: its best acc, 0.55000, is below 0.60000, the median of 3 other cells");
        assertThat(hopeless.take("d", curve(0.1, 0.1, 0.1))).isEmpty();
    }

    @Test
    @Promise("NS-10")
    void aCellIsLeftItsGraceAndAnEqualOneGoesOn() {
        Hopeless hopeless = withThree("median of acc after 2 epochs, higher is better");

        assertThat(hopeless.take("d", curve(0.1))).isEmpty();
        assertThat(hopeless.take("e", curve(0.1, 0.6))).isEmpty();
        assertThat(hopeless.take("f", curve(0.65, 0.1)))
                .as("its best counts, not its newest")
                .isEmpty();
    }

    @Test
    @Promise("NS-10")
    void fewerThanThreeOthersAreNoMedian() {
        Hopeless hopeless = rules("median of acc after 1 epoch, higher is better");
        hopeless.take("a", curve(0.9));
        hopeless.take("b", curve(0.9));

        assertThat(hopeless.take("c", curve(0.1))).isEmpty();
        assertThat(hopeless.take("d", curve(0.1))).isPresent();
    }

    @Test
    @Promise("NS-10")
    void ofALossTheHighCellsAreHopeless() {
        Hopeless hopeless = withThree("median of acc after 2 epochs, lower is better");

        assertThat(hopeless.take("d", curve(0.4, 0.4))).isEmpty();
        assertThat(hopeless.take("e", curve(0.9, 0.8)))
                .hasValueSatisfying(why -> assertThat(why).contains("is above 0.45000, the median of 4 other cells"));
    }

    @Test
    @Promise("NS-10")
    void aCellAheadOfTheOthersIsJudgedWhereEnoughOfThemAre() {
        Hopeless hopeless = withThree("median of acc after 2 epochs, higher is better");

        assertThat(hopeless.take("d", curve(0.1, 0.1, 0.1, 0.1, 0.1, 0.1)))
                .hasValueSatisfying(why -> assertThat(why).startsWith("rule median at epoch 3: "));
        assertThat(hopeless.take("e", curve(0.1, 0.1, 0.1, 0.1, 0.1, 0.95)))
                .as("what it reached since counts in its favour")
                .isEmpty();
    }

    @Test
    @Promise("NS-10")
    void aMetricThatIsNoNumberIsHopelessByItsOwnRuleAndNoneByAnother() {
        assertThat(rules("NaN of acc").take("a", curve(0.5, Double.NaN)))
                .hasValue("rule NaN at epoch 1: acc is no number");
        assertThat(rules("NaN of acc after 3 epochs").take("a", curve(0.5, Double.NaN)))
                .isEmpty();
        assertThat(rules("NaN of acc").take("a", curve(Double.NaN, 0.5))).isEmpty();
        assertThat(withThree("median of acc after 2 epochs, higher is better").take("d", curve(Double.NaN, Double.NaN)))
                .isEmpty();
    }

    @Test
    @Promise("NS-10")
    void withoutARuleNoCellIsEverHopeless() {
        assertThat(withThree("").take("d", curve(0, 0, 0, Double.NaN))).isEmpty();
    }

    @Test
    @Promise("NS-10")
    void whatAnEndedCellToldIsKnownFromItsRecord() {
        Hopeless hopeless = rules("median of acc after 2 epochs, higher is better");
        for (String cell : List.of("a", "b", "c")) {
            hopeless.learn(
                    cell,
                    RunRecord.parse("{\"schema\":1,\"id\":\"" + cell
                            + "\",\"metrics\":{\"acc\":{\"last\":0.9,\"count\":2,\"curve\":[[0,0.8],[1,0.9]]}}}"));
        }

        assertThat(hopeless.take("a", curve(0.1, 0.1))).isEmpty();
        assertThat(hopeless.take("d", curve(0.1, 0.1))).isPresent();
    }

    @Test
    @Promise("NS-10")
    void whatNoRuleIsIsRefused() {
        assertThatThrownBy(() -> EarlyRule.parse("halving of acc after 2 epochs"))
                .hasMessageContaining("endEarly knows");
        assertThatThrownBy(() -> EarlyRule.parse("median of acc")).hasMessageContaining("after how many epochs");
        assertThatThrownBy(() -> EarlyRule.parse("median of acc after 0 epochs"))
                .hasMessageContaining("at least one epoch");
        assertThatThrownBy(() -> rules("median of odd after 2 epochs")).hasMessageContaining("higher is better");
        assertThat(EarlyRule.parse("median of val acc [x] after 2 epochs; NaN of loss"))
                .containsExactly(
                        new EarlyRule(EarlyRule.Kind.MEDIAN, "val acc [x]", 2, Optional.empty()),
                        new EarlyRule(EarlyRule.Kind.NAN, "loss", 0, Optional.empty()));
        assertThat(EarlyRule.parse("median of loss after 2 epochs, lower is better")
                        .get(0)
                        .direction())
                .hasValue(Direction.LOWER);
    }

    @Test
    @Promise("NS-10")
    void theWordOfARuleIsToldFromThatOfAPerson() {
        assertThat(Hopeless.ended("rule median at epoch 3: …")).isTrue();
        assertThat(Hopeless.ended("rule of thumb")).isFalse();
        assertThat(Hopeless.ended("tao cancel of user ann")).isFalse();
        assertThat(CellEnd.of(new Cell(java.util.Map.of()), "cancelled", java.util.Map.of(), "", "by ann")
                        .bad())
                .isTrue();
    }
}
