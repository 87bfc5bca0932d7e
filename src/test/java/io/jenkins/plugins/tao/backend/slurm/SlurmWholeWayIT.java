package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.dispatch.SubmitObserver;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Whole lives of jobs on the real cluster of the rig. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmWholeWayIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final String BASE = "/lustre/tao/roles/" + RUN;

    private final SlurmTarget target = SlurmRig.target("roles/" + RUN).build();
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

    private static JobSpec.Builder job(String command, int nodes, int gpus) {
        return JobSpec.of(command)
                .resources(new Resources(
                        nodes, OptionalInt.of(gpus), OptionalInt.of(1), Optional.of(Duration.ofMinutes(10))));
    }

    private JobStatus until(JobHandle job, JobState state) {
        return await().pollInterval(Duration.ofMillis(300))
                .until(() -> backend.poll(Set.of(job)).get(job), status -> status != null && status.state() == state);
    }

    private String out(JobHandle job) throws BackendException {
        StreamRef ref = new StreamRef(job, Stream.OUT);
        Tail tail = backend.read(Map.of(ref, Position.START)).get(ref);
        return tail == null ? "" : new String(tail.bytes(), StandardCharsets.UTF_8);
    }

    /** What the record of a job on one GPU says that was not watched before its end. */
    private double gpuSeconds(JobHandle job, JobStatus status) throws IOException {
        Path folder = Files.createTempDirectory("tao-requeued");
        Journal journal = new Journal(folder, Clock.systemUTC(), text -> text);
        journal.asked(job("true", 1, 1).build(), job);
        journal.on(new JobEvent.StatusChanged("", status, Duration.ZERO));
        return journal.conclude(folder)
                .orElseThrow()
                .number("machines/gpuSeconds")
                .orElseThrow();
    }

    /** The seconds of all its runs, once accounting has the last one's end. */
    private double accounted(JobHandle job) {
        String ask = "sacct -X -D -n -P -j " + job.nativeId() + " -o State,ElapsedRaw";
        List<String> rows = await().until(
                        () -> SlurmRig.shell(host, ask).lines().toList(),
                        told -> told.size() == 2 && told.stream().noneMatch(row -> row.matches("(RUNNING|PENDING).*")));
        return rows.stream()
                .mapToDouble(row -> Double.parseDouble(row.substring(row.indexOf('|') + 1)))
                .sum();
    }

    @Test
    @Promise({"SG-06", "SL-76", "NV-01"})
    void aRequeuedJobStartsOverUnderItsIdAndItsLogGoesOn() throws Exception {
        JobHandle job = backend.submit(
                job(
                                "echo \"run ${SLURM_RESTART_COUNT:-0} of $TAO_JOB_ID\"; [ -n \"$SLURM_RESTART_COUNT\""
                                        + " ] || sleep 100",
                                1,
                                1)
                        .build(),
                key("requeued"));
        await().until(() -> out(job).contains("run 0"));

        SlurmRig.shell(host, "scontrol requeue " + job.nativeId());
        await().until(() -> SlurmRig.shell(host, "squeue -h -j " + job.nativeId() + " -o %r")
                .equals("BeginTime"));
        // Within the second of the requeue slurmd would refuse the start: "Job credential revoked".
        SlurmRig.shell(host, "scontrol update JobId=" + job.nativeId() + " StartTime=now+2");
        await().until(() -> out(job).contains("run 1"));
        JobStatus status = until(job, JobState.ENDED);

        assertThat(status.ending()).contains(Ending.COMPLETED);
        assertThat(status.runs()).isEqualTo(2);
        assertThat(gpuSeconds(job, status)).isCloseTo(accounted(job), within(2.0));
        assertThat(out(job)).containsSubsequence("run 0 of " + job.key(), "run 1 of " + job.key());
        assertThat(SlurmRig.shell(host, "squeue -h -t all --name=tao-job-" + job.key() + " -o %i"))
                .isEqualTo(job.nativeId());
    }

    @Test
    @Promise({"SL-67", "SL-73", "SL-87", "SG-01"})
    void aJobOutlivesTheLoginThatSentItAndAnotherProcessBringsItHome() throws Exception {
        SlurmRig.shell(host, "mkdir -p " + BASE + "/data; echo pixels > " + BASE + "/data/in.txt");
        JobSpec spec = job(
                        "sleep 2; mkdir -p {results_dir}/train; cp " + BASE + "/data/in.txt {results_dir}/out.txt;"
                                + " echo '{\"status\": \"SUCCESS\"}' > {results_dir}/train/status.json; echo brought",
                        1,
                        1)
                .inputs(List.of("lustre://" + BASE + "/data/in.txt"))
                .build();
        String token;
        try (Dispatcher first = Dispatcher.start(BackendTypes.load())) {
            assertThat(first.preflight(target, spec).failed()).isFalse();
            token = first.submit(target, spec, key("home"), false, new Quiet())
                    .get(5, TimeUnit.MINUTES)
                    .token();
        }

        MapSink sink = new MapSink();
        CompletableFuture<JobEvent.Ended> end = new CompletableFuture<>();
        try (Dispatcher second = Dispatcher.start(BackendTypes.load())) {
            JobHandle job = JobHandle.parse(token);
            second.watch(target, job, WatchPlan.defaults(), WatchMemory.none(), event -> {
                if (event instanceof JobEvent.Ended ended) {
                    end.complete(ended);
                }
            });
            assertThat(end.get(5, TimeUnit.MINUTES).result().outcome()).isEqualTo(new Outcome.Succeeded());
            second.fetch(target, job, ArtifactPlan.of(List.of("*.txt")), sink).get(5, TimeUnit.MINUTES);
        }

        assertThat(sink.texts())
                .containsEntry("results/out.txt", "pixels\n")
                .containsEntry("logs/main.out", "brought\n")
                .containsKey("results/train/status.json");
    }

    private static final class Quiet implements SubmitObserver {
        @Override
        public void checked(Report report) {
            assertThat(report.failed()).isFalse();
        }

        @Override
        public void delayed(String what, Duration next) {
            // tried again by itself
        }
    }
}
