package io.jenkins.plugins.tao.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.FirstFailure;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent.Ended;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** When a job is tried again, and when it is not. */
class AttemptsSimulationTest extends Simulation {
    @Test
    @Promise({"SL-68", "SL-73", "SL-84"})
    void elevenNodeFailuresGiveTenNewAttemptsAndThenAFailure() {
        JobHandle job = given(1, NODE_FAIL);
        watch(job);
        for (JobHandle next = job; cluster.submissions.get() < 10; ) {
            ticker.advance(Duration.ofSeconds(5));
            next = told(JobEvent.AttemptStarted.class)
                    .get(cluster.submissions.get() - 1)
                    .next();
            cluster.set(next, NODE_FAIL);
        }
        ticker.advance(Duration.ofMinutes(5));

        assertThat(told(JobEvent.AttemptStarted.class))
                .extracting(EventWords::attempt)
                .first(InstanceOfAssertFactories.STRING)
                .startsWith("attempt 1 ended: ")
                .contains("gpu01")
                .endsWith("; attempt 2 is sim/10 and is asked to avoid gpu01");
        assertThat(cluster.submissions).hasValue(10);
        assertThat(cluster.avoided()).containsOnly(Set.of("gpu01"));
        assertThat(told(Ended.class).get(0).result().attempts()).hasSize(10);
        assertThat(outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.cause()).isEqualTo(Outcome.Cause.NODE_FAILURE));
    }

    @Test
    @Promise("SL-70")
    void aNewAttemptKeepsTheJobsIdAndDropsWhatTheOldOneSaid() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        cluster.write(job, Stream.STATUS, "{\"status\":\"FAILURE\"}\n");
        ticker.advance(Duration.ofMinutes(1));
        cluster.set(job, NODE_FAIL);
        ticker.advance(Duration.ofMinutes(1));
        JobHandle next = told(JobEvent.AttemptStarted.class).get(0).next();
        cluster.set(next, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        ticker.advance(Duration.ofMinutes(1));

        assertThat(next.key()).isEqualTo(job.key());
        assertThat(next.attempt()).isEqualTo(2);
        assertThat(next.nativeId()).isNotEqualTo(job.nativeId());
    }

    @Test
    @Promise("SL-72")
    void aFailedProgramIsNotTriedAgain() {
        JobHandle job = given(1, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(1));
        cluster.write(job, Stream.ERR, "Traceback (most recent call last):\nKeyError: 'results_dir'\n");

        watch(job);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(cluster.submissions).hasValue(0);
        assertThat(outcome()).isInstanceOf(Outcome.Failed.class);
        assertThat(told(Ended.class).get(0).result().lastLines()).contains("KeyError: 'results_dir'");
    }

    @Test
    @Promise("SL-72")
    void whatPeersWriteAtLengthAfterAProgramFailedIsNoReasonToTryAgain() {
        JobHandle job = given(1, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(1));
        String peer = """
                [rank0]: ncclRemoteError: A call failed possibly due to a network error
                frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x7f in libc10.so)
                """;
        cluster.files.bytesARead = 1 << 20;
        cluster.write(job, Stream.ERR, "[rank1]: KeyError: 'results_dir'\n" + peer.repeat(1200));

        watch(job);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(cluster.submissions).hasValue(0);
        assertThat(((Outcome.Failed) outcome()).cause()).isEqualTo(Outcome.Cause.PROGRAM);
    }

    @Test
    @Promise("TR-06")
    void theLastLinesOfTheRankThatFailedFirstStandAtTheEnd() {
        JobHandle job = given(
                1,
                JobStatus.ended(Ending.FAILED, "Error")
                        .withExitCode(5)
                        .withFirstFailure(new FirstFailure(1, "gpu-2", List.of("Traceback", "KeyError: 'x'"))));
        cluster.write(job, Stream.OUT, "[1] KeyError: 'x'\n[0] ended because of it\n");

        watch(job);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(told(Ended.class).get(0).result().lastLines())
                .endsWith("tao: rank 1 on gpu-2 was the first to fail; its last lines:", "Traceback", "KeyError: 'x'");
    }

    @Test
    void aSignInOneMembersLogIsNoReasonToTryOthersAgain() {
        JobHandle job = given(
                1, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(1).withMembers("2 of 16 members failed."));
        cluster.write(job, Stream.ERR, "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus\n");

        watch(job);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(cluster.submissions).hasValue(0);
        assertThat(outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.cause()).isEqualTo(Outcome.Cause.PROGRAM));
    }

    @Test
    void aCancelledJobIsNotTriedAgainWhenItsNodeFails() {
        JobHandle job = given(1, RUNNING);
        Watch watch = watch(job);
        ticker.advance(Duration.ofMinutes(1));
        watch.cancel("alice");
        cluster.set(job, NODE_FAIL);
        ticker.advance(Duration.ofMinutes(1));

        assertThat(cluster.submissions).hasValue(0);
        assertThat(outcome()).isEqualTo(new Outcome.Cancelled("alice"));
    }

    @Test
    @Promise("SL-76")
    void aRunThatTheSchedulerRequeuedIsNotStartedTwice() {
        JobHandle job = given(1, RUNNING);
        watch(job);
        cluster.write(job, Stream.STATUS, "{\"status\":\"FAILURE\",\"message\":\"interrupted\"}\n");
        ticker.advance(Duration.ofMinutes(1));
        cluster.set(
                job,
                JobStatus.live(JobState.PENDING, "PENDING")
                        .withReason("BeginTime")
                        .withRuns(1));
        ticker.advance(Duration.ofMinutes(2));
        cluster.set(job, RUNNING.withRuns(2));
        ticker.advance(Duration.ofMinutes(2));
        cluster.set(
                job,
                JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0).withRuns(2));
        ticker.advance(Duration.ofMinutes(2));

        assertThat(cluster.submissions).hasValue(0);
        assertThat(outcome()).isEqualTo(new Outcome.Succeeded());
    }
}
