package io.jenkins.plugins.tao.jenkins.trend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The titles that gates have. */
class GateTitleTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "val_mAP50 as usual||val_mAP50|as usual",
                "dino train (train.lr 0.1): best val_mAP50 at least 0.4|best |val_mAP50|at least 0.4",
                "val_mAP50 as usual (minDrop 0.05) (2)||val_mAP50|as usual",
                "epochs until 0.4 of val/abs_rel no worse than the last good run by 2 %|epochs until 0.4 of |val/abs_rel|no worse than the last good run by 2 %",
                "mean of last 3 val_loss within 2 % of the last good run|mean of last 3 |val_loss|within 2 % of the last good run",
                "values that are not a number of loss at most 0|values that are not a number of |loss|at most 0"
            })
    void readingMetricAndBoundAreReadFromATitle(String title, String reading, String metric, String bound) {
        assertThat(GateTitle.parse(title)).contains(new GateTitle(reading == null ? "" : reading, metric, bound));
    }

    @Test
    void anotherTextIsNoTitle() {
        assertThat(GateTitle.parse("")).isEmpty();
        assertThat(GateTitle.parse("as usual")).isEmpty();
        assertThat(GateTitle.parse("mean of last ")).isEmpty();
        assertThat(GateTitle.parse("(".repeat(5000) + " (" + ")".repeat(5000))).isEmpty();
    }
}
