package io.jenkins.plugins.tao.backend.simulated;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendContract;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.MemorySink;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A place whose clock the test moves. Commands are not run, so what the contract asks of them is asked of what is played. */
class SimulatedBackendTest extends BackendContract {
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    Path temporary;

    private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-11-22T22:00:00Z"));
    private final SimulatedType type = new SimulatedType(ticker::now);
    private SimulatedTarget target;
    private Backend backend;

    @BeforeEach
    void open() {
        target = Planned.target("night", temporary + "/sim");
        backend = type.open(target);
    }

    @Override
    protected BackendType type() {
        return type;
    }

    @Override
    protected Target target() {
        return target;
    }

    @Override
    protected Backend backend() {
        return backend;
    }

    @Override
    protected String shell(String script) throws Exception {
        return new LocalHost().run(script, Duration.ofMinutes(5)).text();
    }

    @Override
    protected String everything() {
        return temporary.toString();
    }

    /** {@code exit 3} is played as what it is; a command that would sleep runs for ever, all others end well. */
    @Override
    protected JobSpec.Builder job(String command) {
        PlannedFailure failure = command.startsWith("exit ")
                ? Planned.failure(PlannedFailure.Kind.EXIT)
                        .withExitCode(OptionalInt.of(Integer.parseInt(command.substring("exit ".length()))))
                : command.contains("sleep") ? Planned.failure(PlannedFailure.Kind.STALL) : PlannedFailure.none();
        return JobSpec.of(command).options(Planned.options(failure));
    }

    private JobSpec playing(PlannedFailure failure) {
        return JobSpec.of("dino train -e {config_path}")
                .options(Planned.options(failure))
                .build();
    }

    @Override
    protected JobStatus end(JobHandle job) {
        ticker.advance(LONG);
        try {
            return look(job);
        } catch (BackendException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected void waitForFile(String path) {
        ticker.advance(Duration.ofSeconds(10));
    }

    private String text(JobHandle job, Stream stream) throws Exception {
        Tail tail =
                backend.read(Map.of(new StreamRef(job, stream), Position.START)).get(new StreamRef(job, stream));
        return tail == null ? "" : new String(tail.bytes(), UTF_8);
    }

    private int starts(JobHandle job) throws Exception {
        return text(job, Stream.OUT).split("simulated: ", -1).length - 1;
    }

    @Test
    @Override
    protected void theSameKeyStartsOneJobEvenAtTheSameTime() throws Exception {
        JobKey key = key();
        ExecutorService callers = Executors.newFixedThreadPool(4);
        List<Future<JobHandle>> answers = new ArrayList<>();

        for (int i = 0; i < 4; i++) {
            Backend other = type.open(target); // as another process would
            answers.add(callers.submit(() -> other.submit(job("true").build(), key)));
        }
        JobHandle first = answers.get(0).get();
        for (Future<JobHandle> answer : answers) {
            assertThat(answer.get()).isEqualTo(first);
        }
        end(first);

        assertThat(starts(first)).isEqualTo(1);
        assertThat(shell("ls " + first.jobDirectory())).isEqualTo("job.json\n");
        callers.shutdown();
    }

    @Test
    @Override
    @Promise("TR-01")
    protected void aSubmissionFindsItsOwnJobThoughItHasEnded() throws Exception {
        JobKey key = key();
        JobHandle first = backend.submit(job("true").build(), key);
        end(first);

        assertThat(backend.submit(job("true").build(), key)).isEqualTo(first);
        assertThat(starts(first)).isEqualTo(1);
    }

    @Test
    @Override
    @Promise("TR-01")
    protected void anotherSubmissionOfTheSameJobNeverFindsTheEndedOne() throws Exception {
        JobHandle first = submit(job("true").build());
        end(first);
        JobHandle second = submit(job("true").build());
        end(second);

        assertThat(second.nativeId()).isNotEqualTo(first.nativeId());
        assertThat(second.resultsDirectory()).isNotEqualTo(first.resultsDirectory());
        assertThat(starts(second)).isEqualTo(1);
    }

    @Test
    @Override
    protected void onlyNewBytesOfAStreamAreReadAndACutFileStartsAgain() throws Exception {
        JobHandle job = submit(job("true").build());
        StreamRef out = new StreamRef(job, Stream.OUT);
        ticker.advance(Duration.ofMillis(5200));
        Tail first =
                Objects.requireNonNull(backend.read(Map.of(out, Position.START)).get(out));
        end(job);
        Tail second =
                Objects.requireNonNull(backend.read(Map.of(out, first.next())).get(out));

        assertThat(first.bytes()).asString(UTF_8).startsWith("simulated: ").doesNotContain("Execution status");
        assertThat(second.bytes()).asString(UTF_8).startsWith("Epoch ").endsWith("Execution status: PASS\n");
        assertThat(backend.read(Map.of(out, second.next()))).isEmpty();
        Tail cut = Objects.requireNonNull(
                backend.read(Map.of(out, new Position(second.next().file(), 1_000_000)))
                        .get(out));
        assertThat(cut.restarted()).isTrue();
        assertThat(cut.bytes()).asString(UTF_8).isEqualTo(text(job, Stream.OUT));
    }

    @Test
    @Override
    protected void theNewestStatusJsonOfTheAttemptIsFollowed() throws Exception {
        JobHandle job = submit(job("dino train -e {config_path}").build());
        end(job);

        assertThat(text(job, Stream.STATUS))
                .startsWith("{\"date\":\"11/22/2026\",\"time\":\"22:0:")
                .contains("\"message\":\"Starting DINO train.\"", "\"message\":\"Train finished successfully.\"");
    }

    @Test
    @Override
    protected void logsStatusAndNamedFilesAreFetched() throws Exception {
        JobHandle job = submit(job("true").build());
        end(job);
        MemorySink sink = new MemorySink();

        backend.fetch(job, ArtifactPlan.of(List.of("train/*_004_*.pth")), sink);

        assertThat(sink.text("results/train/status.json")).isEqualTo(text(job, Stream.STATUS));
        assertThat(sink.text("logs/main.out")).isEqualTo(text(job, Stream.OUT));
        assertThat(sink.text("results/train/model_epoch_004_step_00250.pth")).contains("after epoch 4");
        assertThatThrownBy(() -> sink.text("results/train/model_epoch_003_step_00200.pth"))
                .isInstanceOf(NullPointerException.class);
    }

    /** Nothing runs that could have variables. */
    @Test
    @Override
    protected void variablesArriveAsTheyAre() throws Exception {
        assertThat(end(submit(job("true").env(Map.of("A", "it's")).build())).exitCode())
                .hasValue(0);
    }

    @Test
    @Override
    protected void aSecretReachesTheCommandAndNoFile() throws Exception {
        JobSpec spec =
                job("true").secrets(Map.of("TOKEN", Secret.of("s3cret-value"))).build();
        JobHandle job = submit(spec);
        end(job);

        assertThat(shell("grep -rlF s3cret- " + everything() + " || :")).isEmpty();
        for (Preview.Part part : type.preview(target, spec, job.key()).parts()) {
            assertThat(part.text()).doesNotContain("s3cret");
        }
    }

    @Test
    @Override
    protected void aFurtherAttemptKeepsTheResultsAndStartsOnce() throws Exception {
        JobHandle one =
                submit(playing(Planned.failure(PlannedFailure.Kind.NODE_LOST).withFailAt(OptionalInt.of(2))));
        JobStatus lost = end(one);

        JobHandle two = backend.resubmit(one, Map.of(), Set.copyOf(lost.nodes()));
        JobHandle again = backend.resubmit(one, Map.of(), Set.of());
        JobStatus done = end(two);

        assertThat(lost.ending()).hasValue(Ending.NODE_FAILURE);
        assertThat(done.ending()).hasValue(Ending.COMPLETED);
        assertThat(done.nodes()).doesNotContainAnyElementsOf(lost.nodes());
        assertThat(two.attempt()).isEqualTo(2);
        assertThat(two.resultsDirectory()).isEqualTo(one.resultsDirectory());
        assertThat(again).isEqualTo(two);
        assertThat(text(two, Stream.STATUS))
                .startsWith(text(one, Stream.STATUS))
                .contains("Resuming training from checkpoint: model_epoch_001_step_00100.pth")
                .containsOnlyOnce("\"epoch\":0")
                .containsOnlyOnce("\"epoch\":4");
    }

    @Test
    void theCheckpointsOfAPlayedJobCanBeNamedByTheNextOne() throws Exception {
        JobHandle job = backend.submit(playing(PlannedFailure.none()), new JobKey("played-1"));
        ticker.advance(LONG);
        Paths paths = (Paths) backend;

        assertThat(paths.list(job.resultsDirectory()).orElseThrow().entries())
                .extracting(Paths.Entry::name, Paths.Entry::kind)
                .containsExactly(tuple("train", Paths.Kind.DIRECTORY));
        assertThat(paths.list(job.resultsDirectory() + "/train").orElseThrow().entries())
                .extracting(Paths.Entry::name)
                .contains("status.json", "model_epoch_000_step_00050.pth");
        assertThat(paths.list(job.resultsDirectory() + "/train/status.json")
                        .orElseThrow()
                        .itself()
                        .kind())
                .isEqualTo(Paths.Kind.FILE);
        assertThat(paths.list(job.resultsDirectory() + "/other")).isEmpty();
        assertThat(paths.list("/elsewhere")).isEmpty();
    }

    @Test
    @Promise("NV-34")
    void aJobOutlivesTheProcessThatSentIt() throws Exception {
        JobHandle job = submit(job("true").build());
        ticker.advance(Duration.ofSeconds(4));
        JobStatus before = look(job);
        backend.close();

        backend = new SimulatedType(ticker::now).open(target);

        assertThat(look(job)).isEqualTo(before);
        assertThat(before.state()).isEqualTo(JobState.RUNNING);
        backend.cancel(job);
        assertThat(new SimulatedType(ticker::now).open(target).poll(Set.of(job)).get(job))
                .extracting(status -> status.ending().orElseThrow())
                .isEqualTo(Ending.CANCELLED);
    }

    @Test
    void aFolderThatIsGoneIsNoAnswerAndADamagedJobHarmsNoOther() throws Exception {
        JobHandle good = submit(job("true").build());
        JobHandle damaged = submit(job("true").build());
        Files.writeString(Path.of(damaged.jobDirectory(), "job.json"), "{\"at\":");

        Map<JobHandle, JobStatus> seen = backend.poll(Set.of(good, damaged));

        assertThat(Objects.requireNonNull(seen.get(good)).state()).isEqualTo(JobState.PENDING);
        assertThat(Objects.requireNonNull(seen.get(damaged)).state()).isEqualTo(JobState.UNCLEAR);
        Files.move(temporary.resolve("sim"), temporary.resolve("unmounted"));
        assertThatThrownBy(() -> backend.poll(Set.of(good))).isInstanceOf(BackendException.Unreachable.class);
    }

    @Test
    @Promise("NV-34")
    void aFullQueueRefusesAndLeavesNothing() {
        assertThatThrownBy(() -> submit(playing(Planned.failure(PlannedFailure.Kind.QUEUE_FULL))))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("too many jobs wait");

        assertThat(temporary.resolve("sim")).doesNotExist();
    }

    @Test
    void aCancelBeforeTheStartLeavesAJobThatNeverRan() throws Exception {
        JobHandle job = submit(job("true").build());

        backend.cancel(job);

        assertThat(look(job).ending()).hasValue(Ending.CANCELLED);
        assertThat(look(job).runs()).isZero();
        assertThat(text(job, Stream.OUT)).isEmpty();
    }
}
