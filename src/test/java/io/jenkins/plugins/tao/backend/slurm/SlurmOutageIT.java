package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Tidying;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Succeeded;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Watched jobs while slurmctld is stopped or a node is set down. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig("slurm")
final class SlurmOutageIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    private final SlurmTarget target = SlurmRig.target("outage-" + RUN).build();
    private final RigWatch watch = new RigWatch(target);
    private final Host host = new SshHost(target.login(), "rig");

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() throws Exception {
        watch.close();
        SlurmRig.cancelAll(host, RUN);
        host.close();
    }

    private static JobSpec.Builder job(String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))));
    }

    private void awaitLine(JobHandle job, String line) {
        await().until(() -> watch.lines(job, Stream.OUT).contains(line));
    }

    @Test
    @Promise("TR-63")
    void logsGoOnWhileSlurmctldIsAwayAndTheEndIsSeenSoonAfter() throws Exception {
        JobHandle job = watch.start(
                "logs-" + RUN,
                job("i=0; until [ -e {results_dir}/enough ]; do echo line $((i += 1)); sleep 0.5; done")
                        .build());
        awaitLine(job, "line 5");
        try {
            SlurmRig.lab("stop", "ctl");
            int before = watch.lines(job, Stream.OUT).size();
            await().until(() -> watch.told(job, JobEvent.Unreachable.class).size() == 1);
            await().until(() -> watch.lines(job, Stream.OUT).size() > before + 15);
        } finally {
            SlurmRig.lab("on", "ctl");
        }
        await().until(() -> watch.told(job, JobEvent.Reachable.class).size() == 1);
        SlurmRig.shell(host, "touch " + job.resultsDirectory() + "/enough");

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
        List<String> lines = watch.lines(job, Stream.OUT);
        assertThat(lines)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, lines.size())
                        .mapToObj(i -> "line " + i)
                        .toList());
        assertThat(watch.told(job, JobEvent.Reachable.class)).hasSize(1);
    }

    @Test
    @Promise("NS-27")
    void slurmrestdKnowsNothingWhileTheControllerIsAwayAndASubmissionIsSentOnce() throws Exception {
        JobKey key = new JobKey("rest-" + RUN);
        JobSpec spec = job("echo started >>{results_dir}/starts").build();
        try (Backend rest = new SlurmType()
                .open(SlurmRig.target("outage-" + RUN)
                        .with("rest", SlurmRig.rest())
                        .build())) {
            JobHandle running = rest.submit(job("sleep 600").build(), new JobKey("running-" + RUN));
            SlurmRig.lab("stop", "ctl");
            try {
                assertThatThrownBy(() -> rest.poll(Set.of(running)))
                        .isInstanceOfSatisfying(
                                Unreachable.class,
                                e -> assertThat(e.filesCanBeRead()).isTrue());
                assertThatThrownBy(() -> rest.submit(spec, key))
                        .isInstanceOf(Unreachable.class)
                        .hasMessageContaining("Whether Slurm on rig took the job is not known");
                assertThatThrownBy(() -> ((Tidying) rest).tidy(false)).isInstanceOf(Unreachable.class);
            } finally {
                SlurmRig.lab("on", "ctl");
            }
            JobHandle job =
                    await().ignoreException(Unreachable.class).until(() -> rest.submit(spec, key), sent -> true);
            String starts = "cat " + job.resultsDirectory() + "/starts";
            await().until(() -> SlurmRig.shell(host, starts), "started"::equals);

            assertThat(rest.submit(spec, key)).isEqualTo(job);
            rest.cancel(running);
            assertThat(SlurmRig.shell(host, "squeue -h -t all --name=tao-job-" + key + " -o %i"))
                    .isEqualTo(job.nativeId());
        }
    }

    @Test
    @Promise("TR-02")
    void aMemberWhoseNodeIsSetDownIsNoSuccess() throws Exception {
        JobHandle job = watch.start(
                "taken-" + RUN,
                job("echo up; [ \"$TAO_ATTEMPT\" != 1 ] || sleep 120")
                        .options(Records.draft(SlurmOptions.class)
                                .with("array", "0-1")
                                .with("requeue", false)
                                .with("partition", "polar3")
                                .with("mem", "100M")
                                .with("nodelist", "gpu04")
                                .build())
                        .build());
        awaitLine(job, "up");
        assertThat(gpu04("state=down", "reason=test")).isZero();
        try {
            JobResult result = watch.end(job);

            assertThat(result.attempts()).extracting(attempt -> attempt.cause()).contains(Cause.NODE_FAILURE);
        } finally {
            gpu04("state=resume"); // fails where the node came back before
        }
    }

    private static int gpu04(String... state) throws Exception {
        List<String> command = new ArrayList<>(List.of("scontrol", "update", "nodename=gpu04"));
        command.addAll(List.of(state));
        return new ProcessBuilder(command).start().waitFor();
    }
}
