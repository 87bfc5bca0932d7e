package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Simulation;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs whose nodes tell of their GPUs. Each log says a word now and then, so that none counts as quiet. */
class IdleSimulationTest extends Simulation {
    private JobHandle watched(WatchPlan.OnStall action, Optional<Duration> idleAfter) {
        JobHandle job = given(1, RUNNING);
        monitor.watch(
                target,
                job,
                WatchPlan.defaults().withStall(Duration.ofMinutes(30), action).withIdleAfter(idleAfter),
                memory,
                events::add);
        return job;
    }

    /** A sample a minute, as long as that; each is told by {@code gpus}. */
    private void sampled(JobHandle job, int minutes, String gpus) {
        for (int i = 0; i < minutes; i++) {
            cluster.write(job, Stream.MACHINE, "use " + ticker.now().getEpochSecond() + " " + gpus + "\n");
            if (i % 10 == 0) {
                cluster.write(job, Stream.OUT, "a word\n");
            }
            ticker.advance(Duration.ofMinutes(1));
        }
    }

    private List<String> notices() {
        return told(JobEvent.Notice.class).stream().map(JobEvent.Notice::text).toList();
    }

    @Test
    @Promise("NV-28")
    void gpusThatComputeNothingForHalfAnHourAreToldOnceAndNothingIsEndedUnasked() {
        JobHandle job = watched(WatchPlan.OnStall.CANCEL, Optional.empty());
        sampled(job, 29, "0,0,600 1,0,600");
        assertThat(notices()).isEmpty();

        sampled(job, 60, "0,0,600 1,0,600");

        assertThat(notices()).singleElement().asString().contains("its 2 GPUs have computed nothing for 30m");
        assertThat(cluster.cancelled()).isEmpty();
    }

    @Test
    @Promise("NV-28")
    void aJobWithIdleGpusIsEndedAfterTheTimeThatWasSetWhereThatWasAskedFor() {
        JobHandle job = watched(WatchPlan.OnStall.CANCEL, Optional.of(Duration.ofMinutes(10)));
        sampled(job, 13, "0,0,3");
        assertThat(cluster.cancelled()).contains(job);

        cluster.set(job, JobStatus.ended(Ending.CANCELLED, "CANCELLED").withRuns(1));
        ticker.advance(Duration.ofMinutes(2));

        assertThat(outcome()).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.cause()).isEqualTo(Cause.STALLED);
            assertThat(failed.detail()).contains("its GPU has computed nothing for 10m");
        });
    }

    @Test
    @Promise("NV-28")
    void aJobWithIdleGpusIsTriedAgainWhereThatWasAskedFor() {
        JobHandle job = watched(WatchPlan.OnStall.RETRY, Optional.of(Duration.ofMinutes(10)));
        sampled(job, 13, "0,0,3");

        cluster.set(job, JobStatus.ended(Ending.CANCELLED, "CANCELLED").withRuns(1));
        ticker.advance(Duration.ofMinutes(2));

        assertThat(told(JobEvent.AttemptStarted.class)).hasSize(1);
    }

    @Test
    void oneIdleGpuBesideOthersThatWorkIsToldAndNeverEndsTheJob() {
        JobHandle job = watched(WatchPlan.OnStall.CANCEL, Optional.of(Duration.ofMinutes(10)));

        sampled(job, 40, "0,97,600 1,0,3");

        assertThat(notices()).singleElement().asString().contains("GPU 1 of the job's 2", "while others work");
        assertThat(cluster.cancelled()).isEmpty();
    }

    @Test
    @Promise("NV-28")
    void membersOfAnArrayThatHaveEndedDoNotKeepThoseThatAreLeftFromCountingAsIdle() {
        JobHandle job = watched(WatchPlan.OnStall.CANCEL, Optional.of(Duration.ofMinutes(10)));
        cluster.write(job, Stream.MACHINE, "[4] use " + ticker.now().getEpochSecond() + " 0,97,600\n[4] end\n");

        sampled(job, 13, "0,0,3");

        assertThat(cluster.cancelled()).contains(job);
    }

    @Test
    void gpusThatWorkNowAndThenOrWhoseUseIsNotToldAreNotIdle() {
        JobHandle job = watched(WatchPlan.OnStall.CANCEL, Optional.of(Duration.ofMinutes(10)));

        for (int i = 0; i < 5; i++) {
            sampled(job, 8, "0,0,600 1,-,600");
            sampled(job, 1, "0,3,600 1,-,600");
        }

        assertThat(notices()).isEmpty();
        assertThat(cluster.cancelled()).isEmpty();
    }

    @Test
    void timeInWhichNothingWasSampledIsNotIdle() {
        JobHandle job = watched(WatchPlan.OnStall.TELL, Optional.empty());
        sampled(job, 2, "0,0,600");
        for (int i = 0; i < 6; i++) {
            cluster.write(job, Stream.OUT, "a word\n");
            ticker.advance(Duration.ofMinutes(10));
        }

        sampled(job, 2, "0,0,600");

        assertThat(notices()).isEmpty();
    }

    /** Else a hanging job would be kept from counting as stalled by our own samples. */
    @Test
    void samplesAreNoWordOfTheJob() {
        JobHandle job = watched(WatchPlan.OnStall.TELL, Optional.empty());
        for (int i = 0; i < 45; i++) {
            cluster.write(job, Stream.MACHINE, "use " + ticker.now().getEpochSecond() + " 0,100,600\n");
            ticker.advance(Duration.ofMinutes(1));
        }

        assertThat(notices()).singleElement().asString().contains("neither its logs nor status.json grew");
    }

    @Test
    @Promise({"NV-01", "NS-24"})
    void whatTheNodeTellsReachesTheObserverAndTheLogsOfTheJobStayAsTheyAre() {
        JobHandle job = watched(WatchPlan.OnStall.TELL, Optional.empty());
        cluster.write(job, Stream.MACHINE, "node gpu01\ngpu 0, Tesla T4, 470.82.01, 15360\ncuda 11.4\n");

        sampled(job, 3, "0,50,600");

        assertThat(told(JobEvent.Machine.class))
                .singleElement()
                .satisfies(machine -> assertThat(machine.facts()).containsEntry("gpuType", "Tesla T4"));
        assertThat(told(JobEvent.GpusUsed.class).stream()
                        .mapToInt(used -> used.samples().size())
                        .sum())
                .isEqualTo(3);
        assertThat(told(JobEvent.Lines.class))
                .allSatisfy(lines -> assertThat(lines.lines()).containsOnly("a word"));
    }
}
