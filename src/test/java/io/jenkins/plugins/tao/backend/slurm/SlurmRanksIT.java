package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the ranks of a job note of their ends, and what reaches them, on a real Slurm. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmRanksIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    /** A launcher that hands no signal on, as TAO's, around a training that saves what it has. */
    private static final String LAUNCHED = "python3 -c 'import subprocess; subprocess.call([\"bash\", \"-c\","
            + " \"trap \\\"sleep 1; echo saved; exit 0\\\" TERM; echo up; while :; do sleep 0.2; done\"])'";

    private final SlurmTarget target = SlurmRig.target("ranks-" + RUN).build();
    private final Host host = new SshHost(target.login(), "rig");
    private final RigWatch watch = new RigWatch(target);

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() throws Exception {
        SlurmRig.cancelAll(host, RUN);
        watch.close();
        host.close();
    }

    private JobHandle start(String name, int nodes, String command, Records.Draft<SlurmOptions> options)
            throws Exception {
        return watch.start(
                name + "-" + RUN,
                JobSpec.of(command)
                        .resources(new Resources(
                                nodes, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))))
                        .options(options.build())
                        .build());
    }

    private static Failed failure(JobResult result) {
        assertThat(result.outcome()).isInstanceOf(Failed.class);
        return (Failed) result.outcome();
    }

    private void awaitLine(JobHandle job, String line) {
        await().until(() -> watch.lines(job, Stream.OUT).contains(line));
    }

    @Test
    @Promise("TR-06")
    void theRankThatFailedFirstIsToldWithItsNodeAndLastLines() throws Exception {
        JobHandle job = start(
                "first",
                2,
                "if [ $NODE_RANK = 1 ]; then sleep 2; echo why it failed >&2; exit 5; fi; sleep 100",
                Records.draft(SlurmOptions.class));

        JobResult result = watch.end(job);

        assertThat(result.exitCode()).hasValue(5);
        assertThat(failure(result).detail()).contains("rank 1 on gpu").contains("exit code 5");
        assertThat(result.lastLines()).contains("why it failed").last().isEqualTo("why it failed");
    }

    @Test
    @Promise("TR-07")
    void theProgramsOwnFailureAfterARequeueIsNotTriedAgain() throws Exception {
        JobHandle job = start(
                "again",
                1,
                "echo up; [ -n \"$SLURM_RESTART_COUNT\" ] || sleep 100; exit 4",
                Records.draft(SlurmOptions.class).with("requeue", true));
        awaitLine(job, "up");
        SlurmRig.shell(
                host,
                "echo 'slurmstepd-gpu01: error: *** JOB 1 ON gpu01 CANCELLED AT 2026-11-22T10:00:00 DUE TO NODE"
                        + " FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***' >> "
                        + SlurmLayout.of(job).log(job, "err"));

        SlurmRig.shell(host, "scontrol requeue " + job.nativeId());
        watch.change(
                job,
                change ->
                        change.now().state() == JobState.PENDING && change.now().runs() >= 1);
        SlurmRig.shell(host, "scontrol update StartTime=now+2 JobId=" + job.nativeId());
        JobResult result = watch.end(job);

        assertThat(failure(result).cause()).isEqualTo(Cause.PROGRAM);
        assertThat(failure(result).detail()).contains("exit code 4").doesNotContain("node");
        assertThat(result.attempts()).isEmpty();
    }

    @Test
    @Promise("TR-80")
    void aCancelReachesTheTrainingAndItsCheckpointIsWaitedFor() throws Exception {
        JobHandle job = start("saves", 1, LAUNCHED, Records.draft(SlurmOptions.class));
        awaitLine(job, "up");

        watch.cancel(job);

        assertThat(watch.end(job).outcome()).isEqualTo(new Outcome.Cancelled("the test"));
        assertThat(watch.lines(job, Stream.OUT)).containsExactly("up", "saved");
    }

    @Test
    @Promise("TR-80")
    void theTimeLimitReachesTheTrainingAndIsNeverASuccess() throws Exception {
        JobHandle job =
                start("limit", 1, LAUNCHED, Records.draft(SlurmOptions.class).with("timeout", Duration.ofSeconds(271)));
        awaitLine(job, "up");

        // the time is over as soon as what waits for it is; it ignores all lesser signals, as its shell does
        assertThat(new ProcessBuilder("pkill", "-KILL", "-f", "^sleep 271$")
                        .start()
                        .waitFor())
                .isZero();
        JobResult result = watch.end(job);

        assertThat(failure(result).cause()).isEqualTo(Cause.TIME_LIMIT);
        assertThat(watch.lines(job, Stream.OUT)).containsExactly("up", "saved");
    }

    @Test
    @Promise("TR-36")
    void whoCancelledPastUsIsTold() throws Exception {
        JobHandle job = start("told", 1, "echo up; sleep 100", Records.draft(SlurmOptions.class));
        awaitLine(job, "up");

        SlurmRig.shell(host, "scancel " + job.nativeId());

        assertThat(watch.end(job).outcome()).isEqualTo(new Outcome.Cancelled("tao (scancel)"));
    }
}
