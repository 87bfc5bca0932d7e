package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.status.MetricPoint;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EarlyEndTest {
    @Test
    void rulesNameTheirMetricOrMeanThoseOfTheGates() {
        assertThat(EarlyEnd.parse("", List.of("val_loss"))).isEmpty();
        assertThat(EarlyEnd.parse("NaN", List.of("val_loss", "val_acc")))
                .containsExactly(
                        new EarlyEnd("val_loss", 3, Optional.empty()), new EarlyEnd("val_acc", 3, Optional.empty()));
        assertThat(EarlyEnd.parse("NaN in 5 values; NaN of a b in 1 value", List.of("x")))
                .containsExactly(new EarlyEnd("x", 5, Optional.empty()), new EarlyEnd("a b", 1, Optional.empty()));
    }

    @Test
    void renderedRulesAreReadBack() {
        List<EarlyEnd> rules = List.of(
                new EarlyEnd("val_loss", 3, Optional.empty()),
                new EarlyEnd("a b", 1, Optional.empty()),
                new EarlyEnd("val_mAP", 10, Optional.of(new EarlyEnd.Goal("0.1", true))),
                new EarlyEnd("val loss", 1, Optional.of(new EarlyEnd.Goal("-2.5", false))));

        assertThat(EarlyEnd.parse(EarlyEnd.render(rules), List.of())).isEqualTo(rules);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NaN",
                "median of x after 3 epochs",
                "NaN of x in 0 values",
                "NaN of",
                "x below 0.1",
                "x below y after 3 epochs",
                "x above 1 after 0 epochs"
            })
    void anotherWordIsRefused(String rule) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlyEnd.parse(rule, List.of()))
                .withMessageContaining("endEarly");
    }

    private static Optional<String> why(String rule, double... values) {
        EarlyCourse course = new EarlyCourse(EarlyEnd.parse(rule, List.of()));
        for (int i = 0; i < values.length; i++) {
            course.take(List.of(new MetricPoint("acc", OptionalDouble.of(i + 1), OptionalDouble.empty(), values[i])));
        }
        return course.why();
    }

    @Test
    void aRunFarBelowItsGoalEndsAfterSoManyEpochs() {
        String rule = "acc below 0.1 after 3 epochs";

        assertThat(why(rule, 0.01, 0.02)).isEmpty();
        assertThat(why(rule, 0.01, 0.02, 0.03)).contains("ended early: acc was below 0.1 in all of its first 3 values");
        assertThat(why(rule, 0.01, 0.1, 0.03, 0.02, 0.01)).isEmpty(); // it was there once
        assertThat(why("acc above 5 after 2 epochs", 9, 7))
                .contains("ended early: acc was above 5 in all of its first 2 values");
        assertThat(why("NaN of acc in 2 values", 1, Double.NaN, 1, Double.NaN, Double.NaN))
                .isPresent();
    }
}
