package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobStatusTest {
    private static final Instant START = Instant.parse("2026-08-03T09:05:07Z");

    @Test
    void aLiveJobHasNoEnding() {
        JobStatus status = JobStatus.live(JobState.UNCLEAR, "SPECULATING");

        assertThat(status.nativeState()).isEqualTo("SPECULATING");
        assertThat(status.ending()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> JobStatus.live(JobState.ENDED, "COMPLETED"));
    }

    @Test
    void eachFactIsAddedWithoutLosingTheOthers() {
        JobStatus status = JobStatus.ended(Ending.FAILED, "FAILED")
                .withExitCode(3)
                .withReason("NonZeroExitCode")
                .withNodes(List.of("gpu01", "gpu02"))
                .withTimes(Optional.of(START), Optional.of(START.plusSeconds(9)))
                .withRuns(2);

        assertThat(status.ending()).contains(Ending.FAILED);
        assertThat(status.exitCode()).hasValue(3);
        assertThat(status.reason()).contains("NonZeroExitCode");
        assertThat(status.nodes()).containsExactly("gpu01", "gpu02");
        assertThat(status.startedAt()).contains(START);
        assertThat(status.endedAt()).contains(START.plusSeconds(9));
        assertThat(status.runs()).isEqualTo(2);
    }

    @Test
    void aBlankReasonIsNone() {
        assertThat(JobStatus.live(JobState.PENDING, "PENDING").withReason(" ").reason())
                .isEmpty();
    }
}
