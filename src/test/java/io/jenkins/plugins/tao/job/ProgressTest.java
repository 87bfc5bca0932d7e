package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
    @ParameterizedTest
    @CsvSource({
        "0, 9, , , 0.1",
        "9, 9, , , 1",
        "10, 9, , , 1",
        "-3, 9, , , 0",
        "1.5, 4, , , 0.5",
        ", , 49, 99, 0.5",
        "4, , 49, 99, 0.5",
        ", 9, 49, 99, 0.5",
        "0, 0, 5, 99, 1"
    })
    void theDonePartComesFromEpochsElseFromSteps(Double epoch, Double maxEpoch, Double step, Double max, double done) {
        assertThat(progress(epoch, maxEpoch, step, max).fraction()).hasValue(done);
    }

    @ParameterizedTest
    @CsvSource({", , ,", "3, , ,", ", 9, ,", "3, -1, ,", ", , 3, -1"})
    void withoutBothEndsThereIsNoDonePart(Double epoch, Double maxEpoch, Double step, Double max) {
        assertThat(progress(epoch, maxEpoch, step, max).fraction()).isEmpty();
    }

    @Test
    void metricsKeepTheirOrderAndCannotBeChangedLater() {
        Map<String, Double> given = new LinkedHashMap<>();
        given.put("val", 1.0);
        given.put("loss", Double.NaN);
        Progress progress = new Progress("", "", none(), none(), false, none(), none(), Optional.empty(), given);

        given.put("late", 2.0);

        assertThat(progress.kpis().keySet()).containsExactly("val", "loss");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> progress.kpis().clear());
    }

    private static Progress progress(Double epoch, Double maxEpoch, Double step, Double maxStep) {
        return new Progress(
                "RUNNING",
                "",
                maybe(epoch),
                maybe(maxEpoch),
                false,
                maybe(step),
                maybe(maxStep),
                Optional.empty(),
                Map.of());
    }

    private static OptionalDouble maybe(Double value) {
        return value == null ? none() : OptionalDouble.of(value);
    }

    private static OptionalDouble none() {
        return OptionalDouble.empty();
    }
}
