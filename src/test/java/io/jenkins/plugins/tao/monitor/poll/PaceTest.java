package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.JobState;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {
    private static final Duration NO_CAP = Duration.ofDays(1);

    @ParameterizedTest
    @CsvSource({
        "PENDING, PT0S, PT1S",
        "RUNNING, PT9S, PT1S",
        "PENDING, PT10S, PT2S",
        "PENDING, PT1M, PT6S",
        "PENDING, PT72H, PT30S",
        "RUNNING, PT72H, PT15S",
        "UNCLEAR, PT72H, PT30S"
    })
    @Promise("SL-69")
    void aStateIsAskedForTheLessOftenTheOlderItIs(JobState state, Duration age, Duration pause) {
        assertThat(Pace.forJob(state, age, NO_CAP)).isEqualTo(pause);
    }

    @Test
    @Promise("SL-60")
    void theUsersIntervalIsTheLongest() {
        assertThat(Pace.forJob(JobState.PENDING, Duration.ofHours(5), Duration.ofSeconds(7)))
                .isEqualTo(Duration.ofSeconds(7));
        assertThat(Pace.forJob(JobState.PENDING, Duration.ofHours(5), Duration.ofSeconds(1)))
                .isEqualTo(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @CsvSource({
        "RUNNING, PT5S, PT10M, PT1S",
        "RUNNING, PT20S, PT10M, PT10M",
        "PENDING, PT72H, PT10M, PT10M",
        "RUNNING, PT72H, PT7S, PT7S",
        "RUNNING, PT72H, , PT15S"
    })
    @Promise("SL-60")
    void aLongerTimeThanUsualIsKeptToo(JobState state, Duration age, @Nullable Duration asked, Duration pause) {
        assertThat(Pace.forJob(state, age, Optional.ofNullable(asked))).isEqualTo(pause);
    }

    @Test
    void aSlowTargetIsAskedForATenthOfItsTimeAtMost() {
        assertThat(Pace.forTarget(Duration.ofSeconds(2), Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(30));
        assertThat(Pace.forTarget(Duration.ofSeconds(2), Duration.ofHours(1))).isEqualTo(Duration.ofMinutes(1));
        assertThat(Pace.forTarget(Duration.ofSeconds(15), Duration.ofMillis(20)))
                .isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void silenceAndRefusalsBackOffToALimit() {
        assertThat(Pace.afterSilence(1)).isEqualTo(Duration.ofSeconds(2));
        assertThat(Pace.afterSilence(3)).isEqualTo(Duration.ofSeconds(8));
        assertThat(Pace.afterSilence(1000)).isEqualTo(Duration.ofMinutes(1));
        assertThat(Pace.afterSilence(1000, Duration.ofSeconds(15))).isEqualTo(Duration.ofSeconds(15));
        assertThat(Pace.afterSilence(1000, Duration.ofDays(1))).isEqualTo(Duration.ofMinutes(1));
        assertThat(Pace.afterSilence(2, Duration.ZERO)).isEqualTo(Duration.ofSeconds(2));
        assertThat(Pace.afterRefusal(1)).isEqualTo(Duration.ofMinutes(1));
        assertThat(Pace.afterRefusal(1000)).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void aSlowRoundIsNoReasonToLookLessOftenThanAsked() {
        Duration usual = Duration.ofSeconds(2);
        Duration took = Duration.ofSeconds(6);

        assertThat(Pace.forTarget(usual, took, Optional.of(Duration.ofSeconds(10))))
                .isEqualTo(Duration.ofSeconds(10));
        assertThat(Pace.forTarget(usual, took, Optional.of(Duration.ofHours(1))))
                .isEqualTo(Duration.ofMinutes(1));
        assertThat(Pace.forTarget(usual, took, Optional.empty())).isEqualTo(Duration.ofMinutes(1));
    }
}
