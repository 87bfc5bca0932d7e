package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Outcome.Succeeded;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What Slurm does to jobs, from the queue to the last word; all jobs run at the same time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmEndingsIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    private final SlurmTarget target = SlurmRig.target("endings-" + RUN).build();
    private final Host host = new SshHost(target.login(), "rig");
    private final SlurmBackend backend = new SlurmBackend(target, host);
    private final RigWatch watch = new RigWatch(target);
    private Optional<JobHandle> slow = Optional.empty();

    /** Slurm ends a job 80 to 110 s after its start, whatever its limit: it is begun first and looked at last. */
    @BeforeAll
    void beginTheSlowOne() throws Exception {
        SlurmRig.assumeUp();
        JobHandle job = start("limit", job("sleep 600", Duration.ofMinutes(2)));
        shell("scontrol update TimeLimit=1 JobId=" + job.nativeId());
        slow = Optional.of(job);
    }

    @AfterAll
    void close() throws Exception {
        SlurmRig.cancelAll(host, RUN);
        watch.close();
        backend.close();
    }

    private static JobSpec.Builder builder(String command, int cpus, Duration wallTime) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(cpus), Optional.of(wallTime)));
    }

    private static JobSpec job(String command, Duration wallTime) {
        return builder(command, 1, wallTime).build();
    }

    private static JobSpec job(String command, Records.Draft<SlurmOptions> options) {
        return builder(command, 1, Duration.ofMinutes(5))
                .options(options.build())
                .build();
    }

    private JobHandle start(String name, JobSpec spec) throws Exception {
        return watch.start(name + "-" + RUN, spec);
    }

    private String shell(String script) throws Exception {
        return SlurmRig.shell(host, script);
    }

    private static void scontrol(String verb, JobHandle job) throws Exception {
        assertThat(new ProcessBuilder("scontrol", verb, job.nativeId()).start().waitFor())
                .isZero();
    }

    private static Failed failure(JobResult result) {
        assertThat(result.outcome()).isInstanceOf(Failed.class);
        return (Failed) result.outcome();
    }

    @Test
    void aJobThatSlurmEndsAtItsTimeLimitIsToldSo() {
        assertThat(failure(watch.end(slow.orElseThrow())).cause()).isEqualTo(Cause.TIME_LIMIT);
    }

    @Test
    void aStepThatIsKilledForItsMemoryIsOutOfMemoryAndNotTriedAgain() throws Exception {
        JobHandle job = start(
                "oom",
                job(
                        "head -c 500000000 /dev/zero | tail -n 1",
                        Records.draft(SlurmOptions.class).with("mem", "80M")));

        JobResult result = watch.end(job);

        assertThat(failure(result).cause()).isEqualTo(Cause.OUT_OF_MEMORY);
        assertThat(result.attempts()).isEmpty();
    }

    /** A job that was handed to Slurm past the backend, under a name of ours. */
    private JobHandle plain(String name, String options, String command) throws Exception {
        JobKey key = new JobKey(name + "-" + RUN);
        String id =
                shell("sbatch --parsable -o /dev/null -J tao-job-" + key + " " + options + " --wrap '" + command + "'");
        return new JobHandle("rig", "slurm", key, 1, id, target.baseDirectory(), "/x", Instant.EPOCH);
    }

    private JobStatus until(JobHandle job, JobState state) {
        return await().pollInterval(Duration.ofMillis(300))
                .until(() -> backend.poll(Set.of(job)).get(job), status -> status != null && status.state() == state);
    }

    @Test
    void aJobWhoseBatchShellIsKilledForItsMemoryIsOutOfMemory() throws Exception {
        JobHandle job = plain("batch-oom", "--mem=40M", "head -c 500000000 /dev/zero | tail -n 1");

        assertThat(until(job, JobState.ENDED).ending()).contains(Ending.OUT_OF_MEMORY);
    }

    @Test
    void aHeldJobSaysHowItIsReleased() throws Exception {
        JobHandle job = plain("held", "--hold", "true");

        assertThat(until(job, JobState.PENDING).reason())
                .contains("JobHeldUser: held; release it with: scontrol release");

        shell("scontrol release " + job.nativeId());
        assertThat(until(job, JobState.ENDED).ending()).contains(Ending.COMPLETED);
    }

    @Test
    void aSuspendedJobIsToldAndGoesOn() throws Exception {
        JobHandle job = start(
                "suspended",
                job(
                        "echo begun; until [ -e {results_dir}/go ]; do sleep 0.2; done; echo woke",
                        Records.draft(SlurmOptions.class)));
        // Slurm may lose a step that it starts while the job is suspended
        await().atMost(Duration.ofMinutes(2))
                .until(() -> watch.lines(job, Stream.OUT).contains("begun"));

        scontrol("suspend", job);
        watch.change(job, change -> change.now().state() == JobState.PAUSED);
        scontrol("resume", job);
        shell("touch " + job.resultsDirectory() + "/go");

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
        assertThat(watch.lines(job, Stream.OUT)).containsExactly("begun", "woke");
    }

    @Test
    void aJobBehindOneThatFailedDoesNotWaitForEver() throws Exception {
        JobHandle first = start("fails", job("exit 1", Records.draft(SlurmOptions.class)));
        watch.end(first);

        JobHandle next = start(
                "behind",
                job("true", Records.draft(SlurmOptions.class).with("dependency", "afterok:" + first.nativeId())));

        assertThat(watch.end(next).outcome()).isInstanceOf(Outcome.Cancelled.class);
        assertThat(String.valueOf(watch.end(next).outcome())).contains("Dependency");
    }

    @Test
    void aJobThatNoLimitWillEverLetInIsToldAtOnce() throws Exception {
        JobHandle job = start(
                "never",
                builder("true", 1, Duration.ofHours(9))
                        .options(Records.of(SlurmOptions.class, "partition", "polar"))
                        .build());

        watch.change(
                job, change -> change.now().reason().orElse("").startsWith("PartitionTimeLimit: will never start"));
        watch.cancel(job);

        assertThat(watch.end(job).outcome()).isEqualTo(new Outcome.Cancelled("the test"));
    }

    @Test
    void aPreemptedJobIsPutBackByItsClusterAndNotStartedTwice() throws Exception {
        JobHandle job = start(
                "pushed",
                whole("scavenge", "echo run ${SLURM_RESTART_COUNT:-0}; [ -n \"$SLURM_RESTART_COUNT\" ] || sleep 280"));
        await().until(() -> watch.lines(job, Stream.OUT).contains("run 0"));
        JobHandle pusher = start("pusher", whole("polar3", "sleep 1"));

        watch.change(job, change -> change.now().reason().orElse("").startsWith("BeginTime"));
        watch.end(pusher);
        shell("scontrol update StartTime=now+2 JobId=" + job.nativeId());
        JobResult result = watch.end(job);

        assertThat(result.outcome()).isEqualTo(new Succeeded());
        assertThat(result.attempts()).isEmpty();
        assertThat(watch.lines(job, Stream.OUT))
                .containsExactly("run 0", "tao: run 2 starts here: Slurm had put the job back into the queue", "run 1");
    }

    @Test
    void aJobThatWasPreemptedForGoodIsTriedAgain() throws Exception {
        JobHandle job = start("dropped", whole("spot", "[ $TAO_ATTEMPT = 2 ] || sleep 280"));
        watch.change(job, change -> change.now().state() == JobState.RUNNING);
        start("dropper", whole("polar3", "sleep 1"));

        JobResult result = watch.end(job);

        assertThat(result.outcome()).isEqualTo(new Succeeded());
        assertThat(result.attempts()).extracting(attempt -> attempt.cause()).containsExactly(Cause.PREEMPTED);
        assertThat(watch.told(job, JobEvent.AttemptStarted.class)).hasSize(1);
    }

    /** All of one node, so that who comes later must push it out. */
    private static JobSpec whole(String partition, String command) {
        return builder(command, 64, Duration.ofMinutes(5))
                .options(Records.of(SlurmOptions.class, "partition", partition, "nodelist", "gpu04", "mem", "100M"))
                .build();
    }
}
