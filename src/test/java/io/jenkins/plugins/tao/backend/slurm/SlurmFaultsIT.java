package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the real cluster does when parts of it are switched off. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig("slurm")
final class SlurmFaultsIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    private final SlurmTarget target = SlurmRig.target("faults-" + RUN).build();
    private final Host host = new SshHost(target.login(), "rig");
    private final SlurmBackend backend = new SlurmBackend(target, host);

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() {
        backend.close();
    }

    private static JobKey key(String name) {
        return new JobKey(name + "-" + RUN);
    }

    private static JobSpec job(String command, SlurmOptions options) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(1), OptionalInt.of(1), Optional.of(Duration.ofMinutes(10))))
                .options(options)
                .build();
    }

    private JobStatus until(JobHandle job, JobState state) {
        return await().pollInterval(Duration.ofMillis(500))
                .until(
                        () -> backend.poll(Set.of(job)).getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "")),
                        status -> status.state() == state);
    }

    @Test
    void aNodeThatDiesIsANodeFailureAndTheNextAttemptAvoidsIt() throws Exception {
        SlurmOptions options = Records.of(SlurmOptions.class, "partition", "polar3", "requeue", false);
        JobHandle job = backend.submit(job("hostname; sleep 120", options), key("node"));
        String node = until(job, JobState.RUNNING).nodes().get(0);
        JobStatus status;
        try {
            SlurmRig.lab("off", node);
            status = until(job, JobState.ENDED);
        } finally {
            SlurmRig.lab("on", node);
        }

        assertThat(status.ending()).contains(Ending.NODE_FAILURE);
        assertThat(status.exitCode()).isEmpty();
        JobHandle next = backend.resubmit(job, Map.of(), Set.copyOf(status.nodes()));
        assertThat(until(next, JobState.RUNNING).nodes()).doesNotContain(node);
        backend.cancel(next);
    }

    @Test
    void aNodeThatDiesUnderOneMemberMakesANewAttemptOfThatMemberAlone() throws Exception {
        SlurmOptions options = Records.of(SlurmOptions.class, "array", "0-2", "partition", "grizzly", "requeue", false);
        JobHandle job = backend.submit(
                job("[ $SLURM_ARRAY_TASK_ID != 1 ] || [ $TAO_ATTEMPT = 2 ] || sleep 120", options), key("member"));
        String member = job.nativeId().replaceAll("_.*", "_1");
        String node = await().until(
                        () -> SlurmRig.shell(host, "squeue -h -t R -j " + member + " -o %N"),
                        name -> name.startsWith("gpu"));
        await().until(
                        () -> Optional.ofNullable(backend.poll(Set.of(job)).get(job))
                                .flatMap(JobStatus::reason),
                        told -> told.equals(Optional.of("2 of 3 members have ended")));
        JobStatus status;
        try {
            SlurmRig.lab("off", node);
            status = until(job, JobState.ENDED);
        } finally {
            SlurmRig.lab("on", node);
        }

        assertThat(status.ending()).contains(Ending.NODE_FAILURE);
        assertThat(status.nodes()).containsExactly(node);
        assertThat(status.members()).contains("1 of 3 members failed: 1 (NODE_FAIL on " + node + ").");
        JobHandle next = backend.resubmit(job, Map.of(), Set.copyOf(status.nodes()));
        assertThat(next.nativeId()).matches("\\d+_\\[1]");
        assertThat(until(next, JobState.ENDED).members()).contains("All 3 members have completed.");
    }

    @Test
    void withoutItsAccountingDaemonEndsAreStillTold() throws Exception {
        try {
            SlurmRig.lab("stop", "ctl-dbd");
            JobHandle job = backend.submit(job("exit 4", Records.of(SlurmOptions.class)), key("dbd"));

            assertThat(until(job, JobState.ENDED).exitCode()).hasValue(4);
        } finally {
            SlurmRig.lab("on", "ctl-dbd");
        }
    }

    @Test
    void aControllerThatIsAwayEndsNothingAndStartsNothingTwice() throws Exception {
        JobHandle running = backend.submit(job("sleep 120", Records.of(SlurmOptions.class)), key("away"));
        JobSpec other = job("sleep 1", Records.of(SlurmOptions.class));
        try {
            SlurmRig.lab("stop", "ctl");
            assertThatThrownBy(() -> backend.poll(Set.of(running))).isInstanceOf(Unreachable.class);
            assertThatThrownBy(() -> backend.submit(other, key("other"))).isInstanceOf(Unreachable.class);
            assertThatThrownBy(() -> backend.submit(other, key("other"))).isInstanceOf(Unreachable.class);
        } finally {
            SlurmRig.lab("on", "ctl");
        }
        await().until(() -> SlurmRig.shell(host, "scontrol ping").contains("is UP"));

        JobHandle job = backend.submit(other, key("other"));

        assertThat(SlurmRig.shell(host, "squeue -h -t all --name=tao-job-" + key("other") + " -o %i"))
                .isEqualTo(job.nativeId());
        backend.cancel(running);
    }
}
