package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How people write what a training resumes from and which of its checkpoints stay. */
class KeptCheckpointsTest {
    @Test
    void nothingWrittenIsTheUsual() {
        assertThat(Checkpoints.parse(" ", "")).isEqualTo(Checkpoints.USUAL);
    }

    @Test
    void theBestIsKeptBesideTheLastAndWithTheLastOneWhereNoNumberIsGiven() {
        assertThat(Checkpoints.parse("never", "last 3, lowest val_loss"))
                .isEqualTo(new Checkpoints(
                        "never", OptionalInt.of(3), Optional.of(new Checkpoints.Best("val_loss", false))));
        assertThat(Checkpoints.parse("", "highest val_mAP50").last()).hasValue(1);
    }

    @Test
    void aPathIsWhatTheFirstAttemptBeginsWithAndAWordIsNot() {
        assertThat(Checkpoints.parse("/data/dino.pth", "").from()).hasValue("/data/dino.pth");
        assertThat(Checkpoints.USUAL.from()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sometimes | last 1 | resume must be auto, never, or the absolute path",
                "data/dino.pth | last 1 | resume must be auto, never, or the absolute path",
                "auto | last 0 | at least the last one",
                "auto | all | keepCheckpoints is like 'last 2'",
                "auto | last 1, last 2 | says 'last' twice",
                "auto | highest a, lowest b | names two metrics",
                "auto | highest a\"b | is not the name of a metric"
            })
    void whatIsNeitherIsRefusedWithWhatItMayBe(String resume, String keep, String told) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checkpoints.parse(resume, keep))
                .withMessageContaining(told);
    }

    @Test
    void aBestOneIsNotKeptAlone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Checkpoints(
                        "auto", OptionalInt.empty(), Optional.of(new Checkpoints.Best("val_loss", false))))
                .withMessageContaining("beside the last ones");
    }
}
