package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Tidying;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome.Succeeded;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Jobs while slurmctld or slurmdbd is stopped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig("slurm")
final class SlurmOutageIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    private final SlurmTarget target = SlurmRig.target("outage-" + RUN).build();
    private final RigWatch watch = new RigWatch(target);
    private final Host host = new SshHost(target.login(), "rig");
    private final SlurmBackend backend = new SlurmBackend(target, host);
    private final Backend rest = new SlurmType()
            .open(SlurmRig.target("outage-" + RUN).with("rest", SlurmRig.rest()).build());
    private final JobSpec sent = job("echo started >>{results_dir}/starts");
    private Optional<JobHandle> logged = Optional.empty();
    private List<Throwable> refusals = List.of();
    private List<Throwable> restRefusals = List.of();

    /** Slurm's commands give up on a slurmctld that is away after 20 s, so all calls are made in one outage. */
    @BeforeAll
    void stopAndStartSlurmctld() throws Exception {
        SlurmRig.assumeUp();
        JobHandle lines = watch.start(
                "logs-" + RUN,
                job("i=0; until [ -e {results_dir}/enough ]; do echo line $((i += 1)); sleep 0.5; done"));
        logged = Optional.of(lines);
        JobHandle running = backend.submit(job("sleep 120"), key("away"));
        JobHandle runningByRest = rest.submit(job("sleep 120"), key("running"));
        await().until(() -> watch.lines(lines, Stream.OUT).contains("line 5"));
        ExecutorService calls = Executors.newFixedThreadPool(3);
        try {
            SlurmRig.lab("stop", "ctl");
            int before = watch.lines(lines, Stream.OUT).size();
            Future<Throwable> poll = calls.submit(() -> catchThrowable(() -> backend.poll(Set.of(running))));
            Future<List<Throwable>> twice = calls.submit(() -> List.of(
                    catchThrowable(() -> backend.submit(sent, key("other"))),
                    catchThrowable(() -> backend.submit(sent, key("other")))));
            Future<List<Throwable>> byRest = calls.submit(() -> List.of(
                    catchThrowable(() -> rest.poll(Set.of(runningByRest))),
                    catchThrowable(() -> rest.submit(sent, key("rest"))),
                    catchThrowable(() -> ((Tidying) rest).tidy(false))));
            await().until(() -> watch.told(lines, JobEvent.Unreachable.class).size() == 1);
            await().until(() -> watch.lines(lines, Stream.OUT).size() > before + 15);
            refusals = List.of(poll.get(), twice.get().get(0), twice.get().get(1));
            restRefusals = byRest.get();
        } finally {
            SlurmRig.lab("on", "ctl");
            calls.shutdown();
        }
        await().until(() -> SlurmRig.shell(host, "scontrol ping").contains("is UP"));
    }

    @AfterAll
    void close() throws Exception {
        watch.close();
        SlurmRig.cancelAll(host, RUN);
        rest.close();
        backend.close();
    }

    private static JobKey key(String name) {
        return new JobKey(name + "-" + RUN);
    }

    private static JobSpec job(String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))))
                .build();
    }

    private String jobsNamed(String name) throws Exception {
        return SlurmRig.shell(host, "squeue -h -t all --name=tao-job-" + key(name) + " -o %i");
    }

    @Test
    @Promise("TR-63")
    void logsGoOnWhileSlurmctldIsAwayAndTheEndIsSeenSoonAfter() throws Exception {
        JobHandle job = logged.orElseThrow();
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
    void aControllerThatIsAwayEndsNothingAndStartsNothingTwice() throws Exception {
        assertThat(refusals).hasSize(3).allMatch(Unreachable.class::isInstance);

        JobHandle job = backend.submit(sent, key("other"));

        assertThat(jobsNamed("other")).isEqualTo(job.nativeId());
    }

    @Test
    @Promise("NS-27")
    void slurmrestdKnowsNothingWhileTheControllerIsAwayAndASubmissionIsSentOnce() throws Exception {
        assertThat(restRefusals).hasSize(3).allMatch(Unreachable.class::isInstance);
        assertThat(((Unreachable) restRefusals.get(0)).filesCanBeRead()).isTrue();
        assertThat(restRefusals.get(1)).hasMessageContaining("Whether Slurm on rig took the job is not known");
        Callable<JobHandle> again = () -> rest.submit(sent, key("rest"));
        JobHandle job = await().ignoreException(Unreachable.class).until(again, taken -> true);
        String starts = "cat " + job.resultsDirectory() + "/starts";
        await().until(() -> SlurmRig.shell(host, starts), "started"::equals);

        assertThat(again.call()).isEqualTo(job);
        assertThat(jobsNamed("rest")).isEqualTo(job.nativeId());
    }

    @Test
    void withoutItsAccountingDaemonEndsAreStillTold() throws Exception {
        try {
            SlurmRig.lab("stop", "ctl-dbd");
            JobHandle job = backend.submit(job("exit 4"), key("dbd"));

            JobStatus end = await().until(
                            () -> backend.poll(Set.of(job)).getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "")),
                            status -> status.state() == JobState.ENDED);
            assertThat(end.exitCode()).hasValue(4);
        } finally {
            SlurmRig.lab("on", "ctl-dbd");
        }
    }
}
