package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.MemoryFile;
import io.jenkins.plugins.tao.backend.MemorySink;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.BoxOptionsOf;
import io.jenkins.plugins.tao.backend.box.options.BoxPreparation;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.monitor.poll.Connections;
import io.jenkins.plugins.tao.monitor.poll.Monitor;
import io.jenkins.plugins.tao.remote.CuttingProxy;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a lost connection and a lost machine do to a job and to a transfer. */
@NeedsRig("box")
final class BoxDropsIT {
    @TempDir
    Path directory;

    private BoxStage box;
    private CuttingProxy line;
    private SshTarget target;
    private BoxBackend backend;
    private final ManualTicker ticker = new ManualTicker(Clock.systemUTC().instant());
    private final List<JobEvent> events = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        BoxRig.assumeUp();
        box = new BoxStage(2);
        line = new CuttingProxy(BoxRig.port(2));
        target = new SshTarget(
                "box2", BoxRig.through(line.address().port(), 2), "/box/" + UUID.randomUUID(), BoxUsual.SETTINGS);
        backend = (BoxBackend) new SshType().open(target);
    }

    @AfterEach
    void close() throws Exception {
        if (box != null) {
            backend.close();
            line.close();
            box.close();
        }
    }

    private void watch(JobHandle job) {
        Monitor monitor = new Monitor(
                new Connections(BackendTypes.of(new SshType()), ticker, Runnable::run, Controller.NONE),
                ticker,
                Runnable::run);
        monitor.watch(target, job, WatchPlan.defaults(), WatchMemory.none(), events::add);
    }

    private <E extends JobEvent> List<E> told(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private Outcome outcome() {
        return await().atMost(BoxStage.PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(
                        () -> {
                            ticker.advance(Duration.ofSeconds(30));
                            return told(JobEvent.Ended.class);
                        },
                        ended -> !ended.isEmpty())
                .get(0)
                .result()
                .outcome();
    }

    @Test
    @Promise({"GB-04", "GB-18", "GB-35"})
    void tenMinutesWithoutALineHarmNoJobAndChangeNoState() throws Exception {
        JobHandle job = backend.submit(
                JobSpec.of("touch {results_dir}/up; while [ ! -e {results_dir}/go ]; do sleep 0.1; done; echo done")
                        .build(),
                new JobKey("cut-" + UUID.randomUUID()));
        box.waitForFile(job.resultsDirectory() + "/up");
        watch(job);
        ticker.advance(Duration.ofMinutes(1));

        line.goAway();
        ticker.advance(Duration.ofMinutes(10));
        List<JobEvent.StatusChanged> changes = told(JobEvent.StatusChanged.class);
        box.shell("touch " + job.resultsDirectory() + "/go");
        line.comeBack();
        Outcome outcome = outcome();

        assertThat(told(JobEvent.Unreachable.class)).isNotEmpty();
        assertThat(told(JobEvent.Unreachable.class).get(0).since()).isBefore(ticker.now());
        assertThat(changes).hasSize(1);
        assertThat(changes.get(0).now().nativeState()).isEqualTo("RUNNING");
        assertThat(told(JobEvent.Reachable.class)).hasSize(1);
        assertThat(outcome).isInstanceOf(Outcome.Succeeded.class);
        assertThat(told(JobEvent.Lines.class))
                .anySatisfy(lines -> assertThat(lines.lines()).contains("done"));
    }

    @Test
    @Promise({"GB-19", "GB-33"})
    void aBoxThatIsStartedAnewRunsTheSameCommandOnceMoreFromItsCheckpoint() throws Exception {
        JobHandle job = backend.submit(
                JobSpec.of("cd {results_dir}; echo \"from $(cat step 2>/dev/null)\" >>runs; echo 7 >step;"
                                + " [ -e second ] || { touch second; sleep 600; }")
                        .build(),
                new JobKey("reboot-" + UUID.randomUUID()));
        box.waitForFile(job.resultsDirectory() + "/second");
        watch(job);
        ticker.advance(Duration.ofMinutes(1));

        BoxRig.box("reboot", "box2");
        Outcome outcome = outcome();

        assertThat(outcome).isInstanceOf(Outcome.Succeeded.class);
        List<JobEvent.AttemptStarted> attempts = told(JobEvent.AttemptStarted.class);
        assertThat(attempts).hasSize(1);
        assertThat(attempts.get(0).ended().detail()).contains("reboot: the box has the boot id ");
        assertThat(box.shell("cat " + job.resultsDirectory() + "/runs")).isEqualTo("from \nfrom 7\n");
    }

    @Test
    void aJobThatSaysSoIsNotStartedAgainAfterAReboot() throws Exception {
        BoxOptions all = BoxOptions.defaults();
        JobHandle job = backend.submit(
                JobSpec.of("echo x >>{results_dir}/runs; sleep 600")
                        .options(new BoxOptions(
                                all.grace(),
                                BoxOptions.OnReboot.FAIL,
                                all.whenBusy(),
                                true,
                                Optional.empty(),
                                Optional.empty(),
                                List.of(),
                                BoxPreparation.NONE))
                        .build(),
                new JobKey("fail-" + UUID.randomUUID()));
        box.waitForFile(job.resultsDirectory() + "/runs");

        BoxRig.box("reboot", "box2");

        assertThat(box.end(job).reason().orElse("")).startsWith("reboot");
        assertThatThrownBy(() -> backend.resubmit(job, Map.of(), Set.of()))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("onReboot: fail");
        assertThat(box.shell("cat " + job.resultsDirectory() + "/runs")).isEqualTo("x\n");
    }

    @Test
    void aSubmissionCutAtAnyOfItsStepsStartsTheJobOnce() throws Exception {
        for (int bytes : List.of(1, 2_000, 9_000, 14_000, 19_000, 24_000, 30_000)) {
            JobKey key = new JobKey("cut-" + bytes + "-" + UUID.randomUUID());
            JobSpec spec = JobSpec.of("echo started >>{results_dir}/starts").build();
            line.cutOnceAfter(bytes);

            JobHandle job = await().atMost(BoxStage.PATIENCE)
                    .ignoreExceptionsMatching(BackendException.Unreachable.class::isInstance)
                    .until(() -> backend.submit(spec, key), handle -> true);

            assertThat(box.end(job).exitCode()).hasValue(0);
            assertThat(box.shell("cat " + job.resultsDirectory() + "/starts")).isEqualTo("started\n");
        }
    }

    @Test
    @Promise({"GB-07", "GB-30"})
    void aDownloadThatIsCutGoesOnWhereItStoppedAndIsVerified() throws Exception {
        JobHandle job = backend.submit(
                JobSpec.of("mkdir -p {results_dir}/train; head -c 20000000 /dev/urandom >{results_dir}/train/m.pth")
                        .build(),
                new JobKey("fetch-" + UUID.randomUUID()));
        box.end(job);
        MemorySink sink = new MemorySink();
        long before = line.down().bytes();

        line.cutOnceAfter(10_000_000);
        backend.fetch(job, ArtifactPlan.of(List.of("train/*.pth")), sink);

        long received = line.down().bytes() - before;
        byte[] model =
                Objects.requireNonNull(sink.files.get("results/train/m.pth")).toByteArray();
        assertThat(model).hasSize(20_000_000);
        assertThat(received).isBetween(20_000_000L, 24_000_000L);
        assertThat(box.shell("cat " + job.jobDirectory() + "/home")).contains("  ./train/m.pth");
    }

    @Test
    @Promise({"GB-06", "GB-27"})
    void aPushThatIsCutGoesOnWhereItStoppedAndSendsOnlyWhatChanged() throws Exception {
        byte[] weights = new byte[12_000_000];
        new Random(1).nextBytes(weights);
        Path tree = Files.createDirectories(directory.resolve("tree/src"));
        Files.write(tree.resolve("weights.bin"), weights);
        Files.writeString(tree.resolve("train.py"), "print(1)\n");
        line.cutOnceAfter(8_000_000);

        String first = String.join("\n", backend.push(directory.resolve("tree"), "net"));
        JobHandle job = backend.submit(
                JobSpec.of(
                                "cat src/train.py; touch {results_dir}/up; while [ ! -e {results_dir}/go ]; do sleep 0.1; done;"
                                        + " cat src/train.py")
                        .options(BoxOptionsOf.preparation(new BoxPreparation(
                                Optional.empty(), Map.of(), List.of(), Optional.of("net"), Optional.empty(), false)))
                        .build(),
                new JobKey("code-" + UUID.randomUUID()));
        box.waitForFile(job.resultsDirectory() + "/up");
        Files.writeString(tree.resolve("train.py"), "print(2)\n");
        String second = String.join("\n", backend.push(directory.resolve("tree"), "net"));
        box.shell("touch " + job.resultsDirectory() + "/go");
        box.end(job);

        assertThat(line.up().bytes()).isLessThan(22_000_000);
        assertThat(first).contains("2 files are in ", "with the right checksums");
        assertThat(second).contains("; 9 bytes were sent");
        assertThat(box.shell("cat " + job.jobDirectory() + "/main.out")).isEqualTo("print(1)\nprint(1)\n");
        assertThat(box.shell("cat " + target.baseDirectory() + "/code/net/current/src/train.py"))
                .isEqualTo("print(2)\n");
    }

    @Test
    @Promise("GE-21")
    void fiftyJobsRunSideBySideOverOneConnection() throws Exception {
        ExecutorService builds = Executors.newFixedThreadPool(8);
        List<Future<JobHandle>> sent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            JobKey key = new JobKey("many-" + i + "-" + UUID.randomUUID());
            JobSpec spec = JobSpec.of("while [ ! -e " + target.baseDirectory() + "/go ]; do sleep 0.5; done")
                    .build();
            sent.add(builds.submit(() -> backend.submit(spec, key)));
        }
        Set<JobHandle> jobs = new HashSet<>();
        for (Future<JobHandle> each : sent) {
            jobs.add(each.get());
        }
        builds.shutdown();

        await().atMost(BoxStage.PATIENCE)
                .until(
                        () -> backend.poll(jobs),
                        seen -> seen.values().stream()
                                .allMatch(status -> status.nativeState().equals("RUNNING")));
        box.shell("touch " + target.baseDirectory() + "/go");
        Map<JobHandle, JobStatus> ended = await().atMost(BoxStage.PATIENCE)
                .until(
                        () -> backend.poll(jobs),
                        seen -> seen.values().stream().allMatch(status -> status.state() == JobState.ENDED));

        assertThat(ended)
                .hasSize(50)
                .allSatisfy((job, status) -> assertThat(status.exitCode()).hasValue(0));
        assertThat(line.connections()).isEqualTo(1);
    }

    /** Keeps what is fetched. */
    private static final class MemorySink implements ArtifactSink {
        private final Map<String, ByteArrayOutputStream> files = new HashMap<>();

        @Override
        public ArtifactFile open(String path) {
            return new MemoryFile(kept -> files.put(path, kept));
        }

        @Override
        public void skipped(String path, String reason) {
            throw new AssertionError(path + ": " + reason);
        }
    }
}
