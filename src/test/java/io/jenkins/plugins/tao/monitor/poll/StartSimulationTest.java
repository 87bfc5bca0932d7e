package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Outlook;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobEvent.Ended;
import io.jenkins.plugins.tao.monitor.JobEvent.Notice;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.Simulation;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs that wait for machines: what is told of their start, and which of them are ended before it. */
class StartSimulationTest extends Simulation {
    private static final JobStatus NEVER =
            PENDING.withReason("PartitionTimeLimit: will never start").withOutlook(Outlook.NEVER);
    private static final JobStatus CANCELLED = JobStatus.ended(Ending.CANCELLED, "CANCELLED");

    private JobHandle within(Duration time, JobStatus status) {
        JobHandle job = SimulatedCluster.handle(1, ticker.now()).withStartWithin(Optional.of(time));
        cluster.set(job, status);
        return job;
    }

    private List<String> notices() {
        return told(Notice.class).stream().map(Notice::text).toList();
    }

    @Test
    @Promise("TR-21")
    void aJobThatCanNeverStartEndsWithThatReason() {
        JobHandle job = given(1, NEVER);
        watch(job);
        ticker.advance(Duration.ofMinutes(2));

        assertThat(cluster.cancelled).contains(job);
        cluster.set(job, CANCELLED);
        ticker.advance(Duration.ofMinutes(1));
        assertThat(outcome())
                .isEqualTo(new Failed(
                        Cause.NOT_STARTED, "The job can never start: PartitionTimeLimit: will never start."));
    }

    @Test
    @Promise("TR-21")
    void aReasonThatPassesEndsNoJob() {
        JobHandle job = given(1, NEVER);
        watch(job);
        for (int i = 0; i < 10; i++) {
            ticker.advance(Duration.ofSeconds(40));
            cluster.set(job, PENDING);
            ticker.advance(Duration.ofSeconds(40));
            cluster.set(job, NEVER);
        }

        assertThat(cluster.cancelled).isEmpty();
    }

    @Test
    @Promise("TR-21")
    void aJobThatDoesNotStartInTimeEndsWithThatCause() {
        JobHandle job = within(Duration.ofHours(2), PENDING);
        watch(job);
        ticker.advance(Duration.ofMinutes(119));
        assertThat(cluster.cancelled).isEmpty();
        ticker.advance(Duration.ofMinutes(2));
        assertThat(cluster.cancelled).contains(job);
        cluster.set(job, CANCELLED);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(outcome())
                .isEqualTo(new Failed(
                        Cause.NOT_STARTED, "The job did not start within 2h (startWithin); it waited for: Priority."));
    }

    @Test
    @Promise("TR-21")
    void aJobThatHasRunMayWaitAgain() {
        JobHandle job = within(Duration.ofHours(2), RUNNING);
        watch(job);
        ticker.advance(Duration.ofHours(1));
        cluster.set(job, PENDING.withReason("BeginTime"));
        ticker.advance(Duration.ofHours(5));

        assertThat(cluster.cancelled).isEmpty();
    }

    @Test
    @Promise("TR-21")
    void theCauseIsKeptOverARestart() {
        JobHandle job = within(Duration.ofHours(2), PENDING);
        Watch first = watch(job);
        ticker.advance(Duration.ofMinutes(121));
        first.detach();
        cluster.set(job, CANCELLED);
        watch(job);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(outcome())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.NOT_STARTED));
    }

    @Test
    @Promise("NS-13")
    void aJobThatStartsWhileItIsWithdrawnGoesOn() {
        JobHandle job = within(Duration.ofHours(2), PENDING);
        Watch watch = watch(job);
        ticker.advance(Duration.ofMinutes(121));
        assertThat(watch.withdrawing()).isTrue();

        cluster.set(job, RUNNING);
        ticker.advance(Duration.ofMinutes(1));
        int asked = cluster.cancelled.size();
        assertThat(watch.withdrawing()).as("the request may still hit it").isTrue();
        ticker.advance(Duration.ofMinutes(10));

        assertThat(watch.withdrawing()).isFalse();
        assertThat(cluster.cancelled).as("nobody asks a running job to end").hasSize(asked);
        assertThat(notices()).contains("It started while it was being withdrawn. It continues.");
    }

    @Test
    @Promise("NS-13")
    void aRequestThatHitsAJobWhichHadJustStartedIsToldAsWhatItWas() {
        JobHandle job = within(Duration.ofHours(2), PENDING);
        watch(job);
        ticker.advance(Duration.ofMinutes(121));
        cluster.set(job, CANCELLED.withRuns(1).withTimes(Optional.of(ticker.now()), Optional.of(ticker.now())));
        ticker.advance(Duration.ofMinutes(1));

        assertThat(outcome()).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.cause()).isEqualTo(Cause.NOT_STARTED);
            assertThat(failed.detail())
                    .contains("It started while it was being withdrawn, and the request to end it reached it.");
        });
    }

    @Test
    @Promise("NS-13")
    void aWithdrawalThatCannotBeRecordedIsNotAskedFor() {
        JobHandle job = within(Duration.ofHours(2), PENDING);
        WatchMemory full = new WatchMemory() {
            @Override
            public Optional<String> load() {
                return Optional.empty();
            }

            @Override
            public void save(String record) {
                if (record.contains("did not start")) {
                    throw new java.io.UncheckedIOException(new java.io.IOException("No space left on device"));
                }
            }
        };
        Watch watch = monitor.watch(target, job, WatchPlan.defaults(), full, events::add);
        ticker.advance(Duration.ofMinutes(150));

        assertThat(watch.withdrawing()).isFalse();
        assertThat(cluster.cancelled).isEmpty();
    }

    @Test
    @Promise("TR-21")
    void whoCancelsBeforeTheDeadlineIsTold() {
        JobHandle job = within(Duration.ofHours(2), PENDING);
        Watch watch = watch(job);
        ticker.advance(Duration.ofMinutes(1));
        watch.cancel("ada");
        ticker.advance(Duration.ofHours(3));
        cluster.set(job, CANCELLED);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(outcome()).isEqualTo(new Outcome.Cancelled("ada"));
    }

    @Test
    @Promise("TR-21")
    void aJobThatAnotherControllerHoldsIsAskedForItsEndOnce() {
        JobHandle job = within(Duration.ofHours(2), PENDING);
        cluster.refuse(job, new BackendException.Rejected("Another controller holds it.", "Ask there."));
        watch(job);
        ticker.advance(Duration.ofHours(4));

        assertThat(told(JobEvent.CancelRefused.class)).hasSize(1);
        assertThat(told(Ended.class)).isEmpty();
    }

    @Test
    @Promise("TR-66")
    void anExpectedStartIsToldToTheMinuteAndAgainOnlyWhenItMoves() {
        Instant start = START.plus(Duration.ofMinutes(72)).plusSeconds(10);
        JobHandle job = given(1, PENDING.withOutlook(Outlook.startAt(start)));
        watch(job);
        ticker.advance(Duration.ofSeconds(30));
        cluster.set(job, PENDING.withOutlook(Outlook.startAt(start.plusSeconds(200))));
        ticker.advance(Duration.ofMinutes(2));

        assertThat(notices())
                .containsExactly(
                        "It is expected to start by 2026-11-21 01:13 UTC, in 1h12m; jobs that end early or come"
                                + " first change that.");
        cluster.set(job, PENDING.withOutlook(Outlook.startAt(start.plusSeconds(3600))));
        ticker.advance(Duration.ofMinutes(2));
        assertThat(notices()).hasSize(2).last().asString().contains("by 2026-11-21 02:13 UTC");
    }

    @Test
    void aStartWithinTheMinuteIsNotAnnounced() {
        watch(given(1, PENDING.withOutlook(Outlook.startAt(START.plusSeconds(20)))));
        ticker.advance(Duration.ofMinutes(1));

        assertThat(notices()).isEmpty();
    }

    @Test
    @Promise("TR-66")
    void aStartDeadlineIsToldToTheMinute() {
        watch(within(Duration.ofMinutes(90), PENDING));
        ticker.advance(Duration.ofMinutes(2));

        assertThat(notices()).containsExactly("It is ended if it has not started by 2026-11-21 01:30 UTC.");
    }

    @Test
    @Promise("NV-31")
    void whatTheFirstEstimateWasWorthIsReportedAtTheStart() {
        Instant estimate = ticker.now().plus(Duration.ofHours(2));
        JobHandle job = given(1, PENDING.withOutlook(Outlook.startAt(estimate)));
        watch(job);
        ticker.advance(Duration.ofHours(3));

        cluster.set(job, RUNNING.withTimes(Optional.of(ticker.now()), Optional.empty()));
        ticker.advance(Duration.ofMinutes(5));

        assertThat(notices()).endsWith("It started after 3h, 1h later than was first expected.");
        assertThat(notices()).filteredOn(text -> text.startsWith("It started")).hasSize(1);
    }

    @Test
    @Promise("NV-31")
    void aRightEstimateIsSaidToBeRightAndWithoutOneNothingIsSaid() {
        Instant estimate = ticker.now().plus(Duration.ofMinutes(30));
        JobHandle right = given(1, PENDING.withOutlook(Outlook.startAt(estimate)));
        JobHandle none = given(2, PENDING);
        watch(right);
        monitor.watch(target, none, WatchPlan.defaults(), new KeptInMemory(), event -> {
            assertThat(event).isNotInstanceOf(Notice.class);
        });
        ticker.advance(Duration.ofMinutes(28));

        cluster.set(right, RUNNING.withTimes(Optional.of(ticker.now()), Optional.empty()));
        cluster.set(none, RUNNING);
        ticker.advance(Duration.ofMinutes(5));

        assertThat(notices()).endsWith("It started after 28m, as was first expected, to within 5 minutes.");
    }
}
