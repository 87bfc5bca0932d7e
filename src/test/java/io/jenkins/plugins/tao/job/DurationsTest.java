package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
    @Test
    void eachExampleOfTheFormIsRead() {
        assertThat(Durations.EXAMPLES.split(", "))
                .extracting(example -> Durations.parse(example).orElseThrow().toSeconds())
                .containsExactly(129_600L, 14_400L, 5_400L, 30L, 129_600L);
    }

    @ParameterizedTest
    @CsvSource({"PT-5S, 0s", "PT4.9S, 4s", "PT3M12S, 3m12s", "PT2H11M59S, 2h11m", "P3DT4H5M, 3d4h"})
    void aLengthOfTimeIsSaidInItsTwoLargestUnits(Duration length, String words) {
        assertThat(Durations.words(length)).isEqualTo(words);
    }
}
