package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.monitor.EarlyEnd;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Simulation;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs whose metrics show that nothing good can come of them. */
class EarlyEndSimulationTest extends Simulation {
    private static final String WHY = "ended early: val_loss was not a number in 3 values";

    private final JobHandle job = given(1, RUNNING);

    private Watch watched(String rule) {
        return monitor.watch(
                target, job, WatchPlan.defaults().withEndEarly(EarlyEnd.parse(rule, List.of())), memory, events::add);
    }

    private void told(String... values) {
        for (int epoch = 0; epoch < values.length; epoch++) {
            cluster.write(
                    job,
                    Stream.STATUS,
                    "{\"status\":\"RUNNING\",\"epoch\":" + epoch + ",\"kpi\":{\"val_loss\":" + values[epoch] + "}}\n");
        }
        ticker.advance(Duration.ofMinutes(12));
    }

    private void cancelArrives() {
        cluster.set(job, JobStatus.ended(Ending.CANCELLED, "CANCELLED").withRuns(1));
        ticker.advance(Duration.ofMinutes(3));
    }

    private void assertEndedEarly() {
        assertThat(outcome()).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.cause()).isEqualTo(Cause.ENDED_EARLY);
            assertThat(failed.detail()).isEqualTo(WHY);
        });
        assertThat(told(JobEvent.AttemptStarted.class)).isEmpty();
    }

    @Test
    void aJobWhoseMetricIsThreeTimesInARowNoNumberIsEndedAndHasFailedForThat() {
        watched("NaN of val_loss");
        told("0.4", "NaN", "Infinity", "NaN");

        assertThat(cluster.cancelled()).contains(job);
        assertThat(told(JobEvent.Notice.class))
                .extracting(JobEvent.Notice::text)
                .contains(WHY + ". It is ended now.");

        cancelArrives();
        assertEndedEarly();
    }

    @Test
    void equalLinesOfNewEpochsAreValuesOfTheirOwn() {
        watched("NaN of val_loss in 4 values");

        told("NaN", "NaN", "NaN", "NaN");

        assertThat(cluster.cancelled()).contains(job);
    }

    @Test
    void aMetricThatRecoversOrThatNoRuleNamesEndsNothing() {
        watched("NaN of val_loss; NaN of other in 1 value");

        told("NaN", "NaN", "0.5", "NaN", "NaN");

        assertThat(cluster.cancelled()).isEmpty();
    }

    @Test
    void theReasonIsKeptOverARestartAndTheLogOfTheEndDoesNotReplaceIt() {
        Watch first = watched("NaN of val_loss");
        told("NaN", "NaN", "NaN");
        first.detach();
        monitor().watch(target, job, WatchPlan.defaults(), memory, events::add);

        cluster.write(job, Stream.OUT, "n2: NCCL WARN Call to recv failed : Connection reset by peer\n");
        cluster.set(
                job, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(143).withRuns(1));
        ticker.advance(Duration.ofMinutes(3));

        assertEndedEarly();
    }

    @Test
    void aJobThatEndsWellAllTheSameHasSucceeded() {
        watched("NaN of val_loss");
        told("NaN", "NaN", "NaN");

        cluster.write(job, Stream.STATUS, "{\"status\":\"SUCCESS\",\"message\":\"Train finished successfully.\"}\n");
        cluster.set(
                job,
                JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0).withRuns(1));
        ticker.advance(Duration.ofMinutes(3));

        assertThat(outcome()).isInstanceOf(Outcome.Succeeded.class);
    }
}
