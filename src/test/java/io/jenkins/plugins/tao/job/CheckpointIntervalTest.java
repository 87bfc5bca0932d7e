package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CheckpointIntervalTest {
    @Test
    @Promise("GB-20")
    void halfAMinuteForOneAndAFailureEveryThreeHoursMakeEightHundredAndFiveSeconds() {
        CheckpointInterval interval = new CheckpointInterval(Duration.ofSeconds(30), Duration.ofHours(3));

        assertThat(interval.length()).isEqualTo(Duration.ofSeconds(805));
    }

    @Test
    void whatCostsNothingOrLastsNoLongerThanACheckpointIsRefused() {
        assertThatThrownBy(() -> new CheckpointInterval(Duration.ZERO, Duration.ofHours(1)))
                .hasMessageContaining("must be positive");
        assertThatThrownBy(() -> new CheckpointInterval(Duration.ofHours(1), Duration.ofHours(1)))
                .hasMessageContaining("longer than a checkpoint");
    }
}
