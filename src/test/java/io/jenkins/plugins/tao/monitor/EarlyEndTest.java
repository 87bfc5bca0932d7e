package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EarlyEndTest {
    @Test
    void rulesNameTheirMetricOrMeanThoseOfTheGates() {
        assertThat(EarlyEnd.parse("", List.of("val_loss"))).isEmpty();
        assertThat(EarlyEnd.parse("NaN", List.of("val_loss", "val_acc")))
                .containsExactly(new EarlyEnd("val_loss", 3), new EarlyEnd("val_acc", 3));
        assertThat(EarlyEnd.parse("NaN in 5 values; NaN of a b in 1 value", List.of("x")))
                .containsExactly(new EarlyEnd("x", 5), new EarlyEnd("a b", 1));
    }

    @Test
    void renderedRulesAreReadBack() {
        List<EarlyEnd> rules = List.of(new EarlyEnd("val_loss", 3), new EarlyEnd("a b", 1));

        assertThat(EarlyEnd.parse(EarlyEnd.render(rules), List.of())).isEqualTo(rules);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "median of x after 3 epochs", "NaN of x in 0 values", "NaN of"})
    void anotherWordIsRefused(String rule) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EarlyEnd.parse(rule, List.of()))
                .withMessageContaining("endEarly");
    }
}
