package io.jenkins.plugins.tao.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** The promises of the port that every backend keeps, shown against its rig. */
public abstract class BackendContract {
    private static final String SECRET = "s3cret-'\"$(id)-value";

    /** The kind under test. */
    protected abstract BackendType type();

    /** A place of that kind. */
    protected abstract Target target();

    /** An open backend for {@link #target}, the same for the whole test. */
    protected abstract Backend backend();

    /** Runs shell text as the jobs' user where their files lie, and returns its standard output. */
    protected abstract String shell(String script) throws Exception;

    /** A directory below which everything lies that the backend or its jobs write. */
    protected abstract String everything();

    /** A job as small as this backend has it. */
    protected JobSpec.Builder job(String command) {
        return JobSpec.of(command);
    }

    /** A native id that no job has. */
    protected String unknownNativeId() {
        return "999999";
    }

    /** How long a small job may take from submission to its end. */
    protected Duration patience() {
        return Duration.ofMinutes(5);
    }

    /** The file behind {@link Stream#OUT}, where there is one that can be cut. */
    protected Optional<String> outFile(JobHandle job) {
        return Optional.of(job.jobDirectory() + "/main.out");
    }

    @Test
    protected void theExitCodeOfTheCommandComesThrough() throws Exception {
        JobStatus good = end(submit(job("true").build()));
        JobStatus bad = end(submit(job("exit 3").build()));

        assertThat(good.ending()).hasValue(Ending.COMPLETED);
        assertThat(good.exitCode()).hasValue(0);
        assertThat(bad.ending()).hasValue(Ending.FAILED);
        assertThat(bad.exitCode()).hasValue(3);
    }

    @Test
    protected void theSameKeyStartsOneJobEvenAtTheSameTime() throws Exception {
        JobKey key = key();
        JobSpec spec = job("echo started >>{results_dir}/starts").build();
        ExecutorService callers = Executors.newFixedThreadPool(4);
        List<Future<JobHandle>> answers = new ArrayList<>();

        for (int i = 0; i < 4; i++) {
            answers.add(callers.submit(() -> backend().submit(spec, key)));
        }
        JobHandle first = answers.get(0).get();
        for (Future<JobHandle> answer : answers) {
            assertThat(answer.get()).isEqualTo(first);
        }
        end(first);

        assertThat(shell("cat " + first.resultsDirectory() + "/starts")).isEqualTo("started\n");
        callers.shutdown();
    }

    /** The key stands for one submission, whose answer may be lost for as long as its job runs. Doors never use it for another. */
    @Test
    @Promise("TR-01")
    protected void aSubmissionFindsItsOwnJobThoughItHasEnded() throws Exception {
        JobKey key = key();
        JobSpec spec = job("echo started >>{results_dir}/starts").build();
        JobHandle first = backend().submit(spec, key);
        end(first);

        assertThat(backend().submit(spec, key)).isEqualTo(first);
        assertThat(shell("cat " + first.resultsDirectory() + "/starts")).isEqualTo("started\n");
    }

    @Test
    @Promise("TR-52")
    protected void aSecondSubmissionWithTheSameIdAndOtherWorkIsRefused() throws Exception {
        JobKey key = key();
        JobHandle first = backend().submit(job("echo first").build(), key);

        assertThatThrownBy(() -> backend().submit(job("echo second").build(), key))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("another command")
                .hasMessageContaining(key.value());
        assertThat(end(first).exitCode()).hasValue(0);
        assertThatThrownBy(() ->
                        backend().submit(job("echo first").spec(Map.of("lr", 2)).build(), key))
                .isInstanceOf(BackendException.Rejected.class);
        assertThat(backend().submit(job("echo first").build(), key)).isEqualTo(first);
    }

    /** What looks the same and is another submission is another job: of a build made anew under an old name and number. */
    @Test
    @Promise("TR-01")
    protected void anotherSubmissionOfTheSameJobNeverFindsTheEndedOne() throws Exception {
        JobSpec spec = job("echo started >>{results_dir}/starts").build();
        JobHandle first = submit(spec);
        end(first);
        JobHandle second = submit(spec);
        end(second);

        assertThat(second.nativeId()).isNotEqualTo(first.nativeId());
        assertThat(second.resultsDirectory()).isNotEqualTo(first.resultsDirectory());
        assertThat(shell("cat " + second.resultsDirectory() + "/starts")).isEqualTo("started\n");
    }

    @Test
    protected void aJobNobodyKnowsIsAbsentAndItsCancelIsFine() throws Exception {
        String none = everything() + "/none";
        JobHandle unknown = new JobHandle(
                target().name(), type().name(), key(), 1, unknownNativeId(), none, none, Instant.ofEpochSecond(1));
        JobHandle known = submit(job("true").build());
        end(known);

        assertThat(backend().poll(Set.of(unknown, known))).containsOnlyKeys(known);
        backend().cancel(unknown);
        assertThat(backend().read(Map.of(new StreamRef(unknown, Stream.OUT), Position.START)))
                .isEmpty();
    }

    @Test
    @Promise("JK-08")
    protected void aLiveJobIsListedWithAHandleThatEndsItAndAnEndedOneIsNot() throws Exception {
        LiveJobs jobs = (LiveJobs) backend();
        JobHandle ended = submit(job("true").build());
        end(ended);
        JobHandle job = submit(job("sleep 600").build());

        JobHandle listed =
                await().until(() -> listed(jobs, job), Optional::isPresent).orElseThrow();

        assertThat(listed.resultsDirectory()).isEqualTo(job.resultsDirectory());
        assertThat(listed.jobDirectory()).isEqualTo(job.jobDirectory());
        assertThat(listed.attempt()).isEqualTo(job.attempt());
        assertThat(listed(jobs, ended)).isEmpty();
        assertThat(jobs.live().gaps()).isEmpty();
        backend().cancel(listed);
        end(job);
        await().until(() -> listed(jobs, job).isEmpty());
    }

    private static Optional<JobHandle> listed(LiveJobs jobs, JobHandle wanted) throws BackendException {
        return jobs.live().jobs().stream()
                .map(LiveJobs.Found::job)
                .filter(job -> job.key().equals(wanted.key()) && job.nativeId().equals(wanted.nativeId()))
                .findFirst();
    }

    @Test
    protected void aRunningJobIsCancelledAndAnEndedOneMayBe() throws Exception {
        JobHandle job = submit(job("touch {results_dir}/up; sleep 600").build());
        waitForFile(job.resultsDirectory() + "/up");

        backend().cancel(job);
        JobStatus status = end(job);
        backend().cancel(job);

        assertThat(status.ending()).hasValue(Ending.CANCELLED);
        assertThat(look(job).ending()).hasValue(Ending.CANCELLED);
    }

    /** For backends that are {@link JointCancels}: whoever asked is noted by each job alone. */
    protected final void severalJobsAreCancelledTogether() throws Exception {
        JobHandle ended = submit(job("true").build());
        end(ended);
        JobHandle one = submit(job("touch {results_dir}/up; sleep 600").build());
        JobHandle other = submit(job("touch {results_dir}/up; sleep 600").build());
        waitForFile(one.resultsDirectory() + "/up");
        waitForFile(other.resultsDirectory() + "/up");

        Map<JobHandle, BackendException> refusals =
                ((JointCancels) backend()).cancelAll(Map.of(one, "anna", ended, "", other, ""));

        assertThat(refusals).isEmpty();
        assertThat(end(one).ending()).hasValue(Ending.CANCELLED);
        assertThat(end(other).ending()).hasValue(Ending.CANCELLED);
        assertThat(look(ended).ending()).hasValue(Ending.COMPLETED);
    }

    @Test
    protected void onlyNewBytesOfAStreamAreReadAndACutFileStartsAgain() throws Exception {
        JobHandle job = submit(job("echo one; while [ ! -e {results_dir}/go ]; do sleep 0.1; done; echo two")
                .build());
        StreamRef out = new StreamRef(job, Stream.OUT);
        Tail first = await(out, Position.START);
        shell("touch " + job.resultsDirectory() + "/go");
        end(job);
        Tail second = await(out, first.next());

        assertThat(first.bytes()).asString(UTF_8).isEqualTo("one\n");
        assertThat(second.bytes()).asString(UTF_8).isEqualTo("two\n");
        assertThat(backend().read(Map.of(out, second.next()))).isEmpty();
        if (outFile(job).isPresent()) {
            shell("echo new >" + outFile(job).get());
            Tail cut = await(out, second.next());
            assertThat(cut.restarted()).isTrue();
            assertThat(cut.bytes()).asString(UTF_8).isEqualTo("new\n");
        }
    }

    @Test
    protected void theNewestStatusJsonOfTheAttemptIsFollowed() throws Exception {
        JobHandle job = submit(job("mkdir -p {results_dir}/dino/train; echo '{\"status\": \"SUCCESS\"}'"
                        + " >{results_dir}/dino/train/status.json")
                .build());
        end(job);

        assertThat(await(new StreamRef(job, Stream.STATUS), Position.START).bytes())
                .asString(UTF_8)
                .isEqualTo("{\"status\": \"SUCCESS\"}\n");
    }

    @Test
    protected void logsStatusAndNamedFilesAreFetched() throws Exception {
        JobHandle job =
                submit(job("echo out; echo err >&2; cd {results_dir}; mkdir -p train; echo s >train/status.json;"
                                + " printf '\\000\\377' >train/m.pth; echo no >train/other; ln -s /etc/passwd train/link.pth")
                        .build());
        end(job);
        MemorySink sink = new MemorySink();

        backend().fetch(job, ArtifactPlan.of(List.of("train/*.pth")), sink);

        assertThat(sink.text("results/train/status.json")).isEqualTo("s\n");
        assertThat(sink.text("logs/main.out")).contains("out\n");
        assertThat(Objects.requireNonNull(sink.files.get("results/train/m.pth")).toByteArray())
                .containsExactly(0, 0xFF);
        assertThat(sink.files).doesNotContainKeys("results/train/other", "results/train/link.pth");
    }

    @Test
    protected void variablesArriveAsTheyAre() throws Exception {
        Map<String, String> nasty = new LinkedHashMap<>();
        nasty.put("A", "it's \"$HOME\" `id` $(id) \\ \\n");
        nasty.put("B", "two\nlines\n");
        nasty.put("C", "äöü ✓ | ; & * ? !");
        nasty.put("D", "");
        JobHandle job = submit(job("printf '%s|' \"$A\" \"$B\" \"$C\" \"$D\" >{results_dir}/env; echo \"$TAO_JOB_ID\"")
                .env(nasty)
                .build());
        end(job);

        assertThat(shell("cat " + job.resultsDirectory() + "/env")).isEqualTo(String.join("|", nasty.values()) + "|");
        assertThat(await(new StreamRef(job, Stream.OUT), Position.START).bytes())
                .asString(UTF_8)
                .isEqualTo(job.key() + "\n");
    }

    @Test
    protected void aSecretReachesTheCommandAndNoFile() throws Exception {
        JobSpec spec = job("printf %s \"$TOKEN\" | cksum >{results_dir}/sum")
                .secrets(Map.of("TOKEN", Secret.of(SECRET)))
                .build();
        JobHandle job = submit(spec);
        end(job);

        String sum = shell("printf %s '" + SECRET.replace("'", "'\\''") + "' | cksum");
        assertThat(shell("cat " + job.resultsDirectory() + "/sum")).isEqualTo(sum);
        assertThat(shell("grep -rlF s3cret- " + everything() + " || :")).isEmpty();
        for (Preview.Part part : type().preview(target(), spec, job.key()).parts()) {
            assertThat(part.text()).doesNotContain("s3cret");
        }
    }

    @Test
    @Promise("NS-25")
    protected void aFurtherAttemptKeepsTheResultsAndStartsOnce() throws Exception {
        JobSpec spec = job("echo $TOKEN $TAO_JOB_ID >>{results_dir}/runs; exit 9")
                .secrets(Map.of("TOKEN", Secret.of("first")))
                .build();
        JobHandle one = submit(spec);
        end(one);

        Map<String, Secret> secrets = Map.of("TOKEN", Secret.of("second"));
        JobHandle two = backend().resubmit(one, secrets, Set.of());
        JobHandle again = backend().resubmit(one, secrets, Set.of());
        end(two);

        assertThat(two.attempt()).isEqualTo(2);
        assertThat(two.key()).isEqualTo(one.key());
        assertThat(two.resultsDirectory()).isEqualTo(one.resultsDirectory());
        assertThat(two.nativeId()).isNotEqualTo(one.nativeId());
        assertThat(again).isEqualTo(two);
        assertThat(shell("cat " + one.resultsDirectory() + "/runs"))
                .isEqualTo("first " + one.key() + "\nsecond " + one.key() + "\n");
    }

    @Test
    protected void aCommandThatReadsStandardInputFindsItEmpty() throws Exception {
        JobHandle job = submit(job("cat; echo read").build());

        assertThat(end(job).exitCode()).hasValue(0);
    }

    /** A key that no other test uses. */
    protected JobKey key() {
        return JobKey.derive("contract", UUID.randomUUID().toString());
    }

    /** Submits under a fresh key. */
    protected JobHandle submit(JobSpec spec) throws BackendException {
        return backend().submit(spec, key());
    }

    /** Waits for the end of a job. */
    protected JobStatus end(JobHandle job) {
        return await().until(() -> look(job), status -> status.state() == JobState.ENDED);
    }

    /** One look at a job, which must be known. */
    protected JobStatus look(JobHandle job) throws BackendException {
        return backend().poll(Set.of(job)).getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "ABSENT"));
    }

    /** Waits for bytes of a stream, or for its start anew; a log may also go on with lines of other streams alone. */
    protected Tail await(StreamRef stream, Position from) {
        AtomicReference<Position> at = new AtomicReference<>(from);
        return await().until(() -> read(stream, at), Optional::isPresent).orElseThrow();
    }

    private Optional<Tail> read(StreamRef stream, AtomicReference<Position> at) throws BackendException {
        Optional<Tail> tail =
                Optional.ofNullable(backend().read(Map.of(stream, at.get())).get(stream));
        tail.ifPresent(found -> at.set(found.next()));
        return tail.filter(found -> found.bytes().length > 0 || found.restarted());
    }

    /** Waits until a job has made a file. */
    protected void waitForFile(String path) {
        await().until(() -> shell("[ -e " + path + " ] && echo there || :").equals("there\n"));
    }

    private ConditionFactory await() {
        return Awaitility.await().atMost(patience()).pollInterval(Duration.ofMillis(100));
    }
}
