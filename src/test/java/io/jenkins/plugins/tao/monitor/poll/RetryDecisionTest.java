package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.RetryBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When what attempts have used or shown ends the retries. */
class RetryDecisionTest {
    private static final Duration AT_ONCE = Duration.ofMinutes(2);
    private static final JobHandle JOB = new JobHandle(
                    "dgx", "slurm", new JobKey("a"), 2, "2", "/j", "/r", Instant.EPOCH)
            .withGpus(OptionalInt.of(8));
    private static final Failed FAILED = new Failed(Cause.HARDWARE, "It failed.", "Have the node checked.", "the line");

    private static Attempt attempt(int number, Duration ran, String node, String line) {
        return new Attempt(
                number,
                "" + number,
                Cause.HARDWARE,
                "",
                Instant.EPOCH,
                node.isEmpty() ? Set.of() : Set.of(node),
                ran,
                line);
    }

    private static Optional<Failed> against(JobHandle job, Attempt before, Attempt now) {
        return RetryDecision.against(job, List.of(before), now, FAILED);
    }

    @Test
    void theSameLineAtOnceOnTwoNodesIsTheJobs() {
        Failed failed = against(
                        JOB,
                        attempt(1, AT_ONCE, "gpu01", "[pid 411] gpu01: CUDA error: unknown error"),
                        attempt(2, AT_ONCE, "gpu02", "[pid 98] gpu02: CUDA error: unknown error"))
                .orElseThrow();

        assertThat(failed.cause()).isEqualTo(Cause.PROGRAM);
        assertThat(failed.detail()).contains("gpu01 and gpu02", "is not tried again");
    }

    @Test
    void anotherLineTheSameNodeOrHoursOfWorkSpeakForAnotherAttempt() {
        Attempt one = attempt(1, AT_ONCE, "gpu01", "CUDA error: unknown error");

        assertThat(against(JOB, one, attempt(2, AT_ONCE, "gpu02", "Xid 79"))).isEmpty();
        assertThat(against(JOB, one, attempt(2, AT_ONCE, "gpu01", one.line()))).isEmpty();
        assertThat(against(JOB, one, attempt(2, Duration.ofHours(3), "gpu02", one.line())))
                .isEmpty();
        assertThat(against(JOB, attempt(1, AT_ONCE, "gpu01", ""), attempt(2, AT_ONCE, "gpu02", "")))
                .isEmpty();
        assertThat(against(JOB, attempt(1, AT_ONCE, "", "x"), attempt(2, AT_ONCE, "", "x")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "20 GPU-hours, 90, 60, true", // 8 GPUs for 2.5 h
        "20 GPU-hours, 80, 60, false",
        "20 gpu hours, 90, 60, true",
        "6h, 300, 60, true",
        "6h, 300, 59, false",
    })
    void aBudgetOfGpuHoursOrTimeEndsTheRetries(String budget, int first, int second, boolean ends) {
        JobHandle job = JOB.withRetryBudget(Optional.of(new RetryBudget(budget)));
        Optional<Failed> failed = against(
                job,
                attempt(1, Duration.ofMinutes(first), "gpu01", "x"),
                attempt(2, Duration.ofMinutes(second), "gpu02", "y"));

        assertThat(failed.isPresent()).isEqualTo(ends);
        failed.ifPresent(told -> assertThat(told.cause()).isEqualTo(Cause.HARDWARE));
        failed.ifPresent(told -> assertThat(told.detail()).contains("used up the retry budget of " + budget));
        assertThat(JobHandle.parse(job.token()).retryBudget()).isEqualTo(job.retryBudget());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a lot", "20 GPUs", "-3h", "1e9 GPU-hours"})
    void aBudgetIsHoursOrTime(String text) {
        assertThatThrownBy(() -> new RetryBudget(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("20 GPU-hours");
    }
}
