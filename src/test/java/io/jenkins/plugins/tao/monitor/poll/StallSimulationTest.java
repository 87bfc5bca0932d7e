package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Simulation;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that run and say nothing. */
class StallSimulationTest extends Simulation {
    private static final JobStatus ON_TWO_NODES = RUNNING.withNodes(List.of("gpu01", "gpu02"));

    private List<String> notices() {
        return told(JobEvent.Notice.class).stream().map(JobEvent.Notice::text).toList();
    }

    @Test
    @Promise("SG-20")
    void aQuietJobOnSeveralNodesIsLaidToTheNetworkBetweenThemOnce() {
        watch(given(1, ON_TWO_NODES));
        ticker.advance(Duration.ofMinutes(29));
        assertThat(notices()).isEmpty();

        ticker.advance(Duration.ofHours(3));

        assertThat(notices()).singleElement().asString().contains("gpu01, gpu02", "NCCL", "network between the nodes");
    }

    @Test
    @Promise("SG-20")
    void aQuietJobOnOneNodeIsNotLaidToTheNetwork() {
        watch(given(1, RUNNING));

        ticker.advance(Duration.ofMinutes(40));

        assertThat(notices()).singleElement().asString().contains("may hang").doesNotContain("NCCL");
    }

    @Test
    void aJobThatSaysAWordNowAndThenIsNotStalled() {
        JobHandle job = given(1, ON_TWO_NODES);
        watch(job);

        for (int i = 0; i < 9; i++) {
            cluster.write(job, i % 2 == 0 ? Stream.OUT : Stream.STATUS, "{\"epoch\":" + i + "}\n");
            ticker.advance(Duration.ofMinutes(25));
        }

        assertThat(notices()).isEmpty();
    }

    @Test
    void aNewStretchOfQuietIsToldAgain() {
        JobHandle job = given(1, ON_TWO_NODES);
        watch(job);
        ticker.advance(Duration.ofMinutes(40));
        cluster.write(job, Stream.ERR, "awake\n");

        ticker.advance(Duration.ofMinutes(40));

        assertThat(notices()).hasSize(2);
    }

    @Test
    void timeInTheQueueAndASilentTargetDoNotCount() {
        JobHandle job = given(1, PENDING);
        watch(job);
        ticker.advance(Duration.ofHours(5));
        cluster.set(job, ON_TWO_NODES);
        ticker.advance(Duration.ofMinutes(20));
        cluster.fallSilent(silence());
        ticker.advance(Duration.ofHours(2));
        cluster.write(job, Stream.OUT, "trained on\n");
        cluster.answerAgain();

        ticker.advance(Duration.ofMinutes(10));

        assertThat(notices()).isEmpty();
    }

    private JobHandle watchedFor(WatchPlan.OnStall action) {
        JobHandle job = given(1, RUNNING);
        monitor.watch(target, job, WatchPlan.defaults().withStall(Duration.ofMinutes(10), action), memory, events::add);
        cluster.write(job, Stream.OUT, "epoch 1\n");
        return job;
    }

    @Test
    @Promise("NV-28")
    void theTimeOfQuietIsSetAndNothingIsEndedUnasked() {
        watchedFor(WatchPlan.OnStall.TELL);
        ticker.advance(Duration.ofMinutes(9));
        assertThat(notices()).isEmpty();

        ticker.advance(Duration.ofMinutes(5));

        assertThat(notices()).singleElement().asString().contains("grew for 10m");
        assertThat(cluster.cancelled()).isEmpty();
    }

    @Test
    @Promise("NV-28")
    void aStalledJobIsEndedWhereThatWasAskedForAndHasFailedForThat() {
        JobHandle job = watchedFor(WatchPlan.OnStall.CANCEL);
        ticker.advance(Duration.ofMinutes(12));
        assertThat(cluster.cancelled()).contains(job);

        cluster.set(job, JobStatus.ended(Ending.CANCELLED, "CANCELLED").withRuns(1));
        ticker.advance(Duration.ofMinutes(2));

        assertThat(outcome()).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.cause()).isEqualTo(Cause.STALLED);
            assertThat(failed.detail()).contains("neither its logs nor status.json grew for 10m");
        });
    }

    /** Some backends report the signal of our own cancel as an exit code, and a dying rank blames the network. */
    @Test
    @Promise("NV-28")
    void aStalledJobThatIsToEndIsNotTriedAgainWhateverItsLogSays() {
        JobHandle job = watchedFor(WatchPlan.OnStall.CANCEL);
        ticker.advance(Duration.ofMinutes(12));
        cluster.write(job, Stream.OUT, "n2: NCCL WARN Call to recv failed : Connection reset by peer\n");

        cluster.set(
                job, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(143).withRuns(1));
        ticker.advance(Duration.ofMinutes(3));

        assertThat(outcome())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.STALLED));
        assertThat(told(JobEvent.AttemptStarted.class)).isEmpty();
    }

    @Test
    @Promise("NV-28")
    void aStalledJobIsTriedAgainWhereThatWasAskedForAlsoOverARestart() {
        JobHandle job = watchedFor(WatchPlan.OnStall.RETRY);
        ticker.advance(Duration.ofMinutes(12));
        Monitor later = monitor();
        WatchPlan plan = WatchPlan.defaults().withStall(Duration.ofMinutes(10), WatchPlan.OnStall.RETRY);
        later.watch(target, job, plan, memory, events::add);

        cluster.set(job, JobStatus.ended(Ending.CANCELLED, "CANCELLED").withRuns(1));
        ticker.advance(Duration.ofMinutes(2));

        assertThat(told(JobEvent.AttemptStarted.class)).isNotEmpty().allSatisfy(next -> {
            assertThat(next.ended().cause()).isEqualTo(Cause.STALLED);
            assertThat(next.next().attempt()).isEqualTo(2);
        });
        ticker.advance(Duration.ofMinutes(5));
        assertThat(cluster.cancelled()).containsOnly(job);
    }

    /** It came to its end before the cancel reached it. */
    @Test
    @Promise("NV-28")
    void aJobThatEndsWellAllTheSameHasSucceeded() {
        JobHandle job = watchedFor(WatchPlan.OnStall.CANCEL);
        ticker.advance(Duration.ofMinutes(12));

        cluster.set(
                job,
                JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0).withRuns(1));
        ticker.advance(Duration.ofMinutes(2));

        assertThat(outcome()).isInstanceOf(Outcome.Succeeded.class);
    }

    /** Nobody read its logs: then their silence says nothing. */
    @Test
    @Promise("NV-28")
    void aJobWhoseLogsAreNotReadNeverStalls() {
        JobHandle job = given(1, RUNNING);
        monitor.watch(
                target,
                job,
                WatchPlan.defaults()
                        .withStall(Duration.ofMinutes(10), WatchPlan.OnStall.CANCEL)
                        .withoutLogs(),
                memory,
                events::add);

        ticker.advance(Duration.ofHours(3));

        assertThat(notices()).isEmpty();
        assertThat(cluster.cancelled()).isEmpty();
    }
}
