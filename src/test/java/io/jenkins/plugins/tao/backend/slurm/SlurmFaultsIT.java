package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
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
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the real cluster does when nodes die or are set down. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig("slurm")
final class SlurmFaultsIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    private final SlurmTarget target = SlurmRig.target("faults-" + RUN).build();
    private final Host host = new SshHost(target.login(), "rig");
    private final SlurmBackend backend = new SlurmBackend(target, host);
    private Optional<Killed> job = Optional.empty();
    private Optional<Killed> member = Optional.empty();

    /** A job, the node that died below it, and what Slurm said of the job then. */
    private record Killed(JobHandle job, String node, JobStatus status) {}

    /** Slurm sees the death of a node 15 to 30 s later, so both nodes die at once. */
    @BeforeAll
    void killTwoNodes() throws Exception {
        SlurmRig.assumeUp();
        JobHandle single = backend.submit(
                job("hostname; sleep 120", Records.of(SlurmOptions.class, "partition", "polar3", "requeue", false)),
                key("node"));
        JobHandle array = backend.submit(
                job(
                        "[ $SLURM_ARRAY_TASK_ID != 1 ] || [ $TAO_ATTEMPT = 2 ] || sleep 120",
                        Records.of(SlurmOptions.class, "array", "0-2", "partition", "polar", "requeue", false)),
                key("member"));
        String first = until(single, JobState.RUNNING).nodes().get(0);
        String second = await().until(
                        () -> SlurmRig.shell(host, "squeue -h -t R -j " + memberOne(array) + " -o %N"),
                        name -> name.startsWith("gpu"));
        await().until(
                        () -> Optional.ofNullable(backend.poll(Set.of(array)).get(array))
                                .flatMap(JobStatus::reason),
                        told -> told.equals(Optional.of("2 of 3 members have ended")));
        try {
            SlurmRig.lab("off", first, second);
            job = Optional.of(new Killed(single, first, until(single, JobState.ENDED)));
            member = Optional.of(new Killed(array, second, until(array, JobState.ENDED)));
        } finally {
            SlurmRig.lab("on", first, second);
        }
    }

    @AfterAll
    void close() {
        backend.close();
    }

    private static String memberOne(JobHandle array) {
        return array.nativeId().replaceAll("_.*", "_1");
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
        Killed killed = job.orElseThrow();
        JobStatus status = killed.status();

        assertThat(status.ending()).contains(Ending.NODE_FAILURE);
        assertThat(status.exitCode()).isEmpty();
        JobHandle next = backend.resubmit(killed.job(), Map.of(), Set.copyOf(status.nodes()));
        assertThat(until(next, JobState.RUNNING).nodes()).doesNotContain(killed.node());
        backend.cancel(next);
    }

    @Test
    void aNodeThatDiesUnderOneMemberMakesANewAttemptOfThatMemberAlone() throws Exception {
        Killed killed = member.orElseThrow();
        JobStatus status = killed.status();

        assertThat(status.ending()).contains(Ending.NODE_FAILURE);
        assertThat(status.nodes()).containsExactly(killed.node());
        assertThat(status.members()).contains("1 of 3 members failed: 1 (NODE_FAIL on " + killed.node() + ").");
        JobHandle next = backend.resubmit(killed.job(), Map.of(), Set.copyOf(status.nodes()));
        assertThat(next.nativeId()).matches("\\d+_\\[1]");
        assertThat(until(next, JobState.ENDED).members()).contains("All 3 members have completed.");
    }

    @Test
    @Promise("TR-02")
    void aMemberWhoseNodeIsSetDownIsNoSuccess() throws Exception {
        JobSpec array = job(
                "echo up; [ \"$TAO_ATTEMPT\" != 1 ] || sleep 120",
                Records.draft(SlurmOptions.class)
                        .with("array", "0-1")
                        .with("requeue", false)
                        .with("partition", "polar3")
                        .with("mem", "100M")
                        .with("nodelist", "gpu04")
                        .build());
        try (RigWatch watch = new RigWatch(target)) {
            JobHandle taken = watch.start("taken-" + RUN, array);
            await().until(() -> watch.lines(taken, Stream.OUT).contains("up"));
            assertThat(gpu04("state=down", "reason=test")).isZero();
            try {
                JobResult result = watch.end(taken);

                assertThat(result.attempts())
                        .extracting(attempt -> attempt.cause())
                        .contains(Cause.NODE_FAILURE);
            } finally {
                gpu04("state=resume"); // fails where the node came back before
            }
        }
    }

    private static int gpu04(String... state) throws Exception {
        List<String> command = new ArrayList<>(List.of("scontrol", "update", "nodename=gpu04"));
        command.addAll(List.of(state));
        return new ProcessBuilder(command).start().waitFor();
    }
}
