package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobList;
import io.fabric8.mockwebserver.http.MockResponse;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.cli.output.DirectorySink;
import io.jenkins.plugins.tao.gate.Finding;
import io.jenkins.plugins.tao.gate.Gate;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.job.mask.Mask;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Tracker;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.monitor.WatchRecord;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What of a job has gone, or is about to go, when it is looked at again. */
class KubernetesLeavingTest extends ClusterTest {
    private io.fabric8.kubernetes.client.dsl.NonNamespaceOperation<
                    Job, JobList, io.fabric8.kubernetes.client.dsl.ScalableResource<Job>>
            jobs() {
        return cluster.admin().batch().v1().jobs().inNamespace("tao-jobs");
    }

    private static Job finalizers(Job job, List<String> names) {
        job.getMetadata().setFinalizers(names);
        return job;
    }

    @Test
    void aLogWhoseFrontTheNodeHasPutAwayIsNotTakenForTheWhole() throws Exception {
        JobHandle job = submit(Sample.job("true").build(), "front");
        until(job, JobState.ENDED);
        Instant first = Instant.now().plusSeconds(3600);
        String lines = (first + " " + "NCCL INFO ".repeat(20) + "\n").repeat(10_000);
        cluster.server()
                .logs((namespace, pod, query) ->
                        new MockResponse().setResponseCode(200).setBody(lines));
        Fetched files = new Fetched();

        backend.fetch(job, ArtifactPlan.of(List.of()), files);

        assertThat(files.names()).contains("logs/main.out");
        assertThat(files.skipped())
                .hasEntrySatisfying(
                        new org.assertj.core.api.Condition<>(
                                name -> name.startsWith("the front of logs/tao-front-"), "the front"),
                        new org.assertj.core.api.Condition<>(
                                why -> why.contains(first.toString()) && why.contains("followed.log"), "where it is"));
    }

    private static final String EVAL =
            "{\"status\":\"RUNNING\",\"message\":\"Eval metrics generated.\",\"kpi\":{\"val_mAP50\":%s}}";

    private static final String EPOCH =
            "{\"epoch\":%d,\"status\":\"RUNNING\",\"message\":\"Training loop in progress\"}";

    /** The last two of six epochs, as a node keeps them that has put the others away; the best was the third. */
    private static String rotated(String key) {
        Instant at = Instant.now().plusSeconds(3600);
        StringBuilder log = new StringBuilder((at + " " + "NCCL INFO ".repeat(20) + "\n").repeat(10_000));
        for (int epoch = 4; epoch < 6; epoch++) {
            for (String line : List.of(EVAL.formatted(epoch == 4 ? 0.57 : 0.56), EPOCH.formatted(epoch))) {
                log.append(at)
                        .append(" @tao[")
                        .append(key)
                        .append("] status ")
                        .append(line)
                        .append('\n');
            }
        }
        return log.toString();
    }

    private static Finding judged(RunRecord run, String reading) {
        Map<String, String> gate = Map.of("kpi", "val_mAP50", "read", reading, "atLeast", "0.55");
        return Gate.judge(List.of(GateText.parse(gate)), new Evidence(List.of(run), List.of()))
                .findings()
                .get(0);
    }

    private static JobEvent succeeded(JobHandle job) {
        return new JobEvent.Ended(new JobResult(
                job,
                new Outcome.Succeeded(),
                OptionalInt.of(0),
                Progress.NONE,
                Optional.empty(),
                Instant.now(),
                List.of(),
                List.of(),
                Set.of()));
    }

    @Test
    void aGateThatCountsAllValuesDoesNotTakeTheRestOfACutLogForTheWhole() throws Exception {
        JobHandle job = submit(Sample.job("true").build(), "cut");
        until(job, JobState.ENDED);
        cluster.server()
                .logs((namespace, pod, query) ->
                        new MockResponse().setResponseCode(200).setBody(rotated("cut")));
        Path home = temporary.resolve("home");
        DirectorySink sink = new DirectorySink(home, Mask.NONE);
        Journal journal = new Journal(home, Clock.systemUTC(), text -> text);
        journal.asked(Sample.job("true").build(), job);
        journal.on(succeeded(job));

        backend.fetch(job, ArtifactPlan.of(List.of()), sink);
        journal.left(job, sink.skipped());
        RunRecord record = journal.conclude(home).orElseThrow();

        assertThat(record.metric("val_mAP50").orElseThrow().highest()).hasValue(0.57);
        assertThat(record.text(RunRecord.FRONT).orElseThrow())
                .startsWith("the front of logs/tao-cut-")
                .contains("followed.log");
        assertThat(judged(record, "last").call()).isEqualTo(GateResult.PASS);
        assertThat(judged(record, "mean of last 2").call()).isEqualTo(GateResult.PASS);
        for (String reading : List.of("best", "epochs to 0.5", "divergence")) {
            assertThat(judged(record, reading).call()).as(reading).isEqualTo(GateResult.FAILED);
            assertThat(judged(record, reading).sentence()).contains("lacks its oldest values", "the front of logs/");
        }
        assertDeclared(record);
    }

    private static String lines(int from, int to) {
        StringBuilder lines = new StringBuilder();
        for (int epoch = from; epoch < to; epoch++) {
            String value = epoch == 3 ? "0.71" : epoch == 4 ? "0.57" : epoch == 5 ? "0.56" : "0.3";
            lines.append(EVAL.formatted(value))
                    .append('\n')
                    .append(EPOCH.formatted(epoch))
                    .append('\n');
        }
        return lines.toString();
    }

    /** A watch of the job that read these lines of its status; each call is another process. */
    private static void follow(Journal journal, JobHandle job, boolean fromStart, String... pieces) throws Exception {
        Instant now = Instant.now();
        WatchRecord record = WatchRecord.begin(job);
        Tracker tracker = new Tracker(record, WatchPlan.defaults(), now);
        List<JobEvent> events = new ArrayList<>();
        if (fromStart) {
            events.addAll(tracker.seen(JobStatus.live(JobState.PENDING, "Pending"), now));
        }
        events.addAll(tracker.seen(
                JobStatus.live(JobState.RUNNING, "Running")
                        .withTimes(Optional.of(now.minusSeconds(7200)), Optional.empty()),
                now));
        for (String piece : pieces) {
            events.addAll(tracker.read(Stream.STATUS, new Tail(piece.getBytes(UTF_8), Position.START, false, false)));
        }
        for (JobEvent event : events) {
            journal.on(event);
        }
    }

    private RunRecord cutAfterFollowing(String key, Boolean... fromStart) throws Exception {
        JobHandle job = submit(Sample.job("true").build(), key);
        until(job, JobState.ENDED);
        cluster.server()
                .logs((namespace, pod, query) ->
                        new MockResponse().setResponseCode(200).setBody(rotated(key)));
        Path home = temporary.resolve("home-" + key);
        DirectorySink sink = new DirectorySink(home, Mask.NONE);
        new Journal(home, Clock.systemUTC(), text -> text)
                .asked(Sample.job("true").build(), job);
        Journal journal = new Journal(home, Clock.systemUTC(), text -> text);
        for (boolean start : fromStart) {
            journal = new Journal(home, Clock.systemUTC(), text -> text);
            journal.watched(job);
            if (start) {
                follow(journal, job, true, lines(0, 2), lines(2, 3));
            } else {
                follow(journal, job, false, lines(2, 5));
            }
        }
        journal.on(succeeded(job));
        backend.fetch(job, ArtifactPlan.of(List.of()), sink);
        journal.left(job, sink.skipped());
        return journal.conclude(home).orElseThrow();
    }

    @Test
    void whatWasFollowedOfACutLogCountsInTheRecordAndForEveryGate() throws Exception {
        RunRecord record = cutAfterFollowing("seen", true, false);

        assertThat(record.text(RunRecord.FRONT)).isEmpty();
        assertThat(record.metric("val_mAP50").orElseThrow().count()).isEqualTo(6);
        assertThat(record.metric("val_mAP50").orElseThrow().highest()).hasValue(0.71);
        assertThat(record.metric("val_mAP50").orElseThrow().last()).isEqualTo(0.56);
        for (String reading : List.of("last", "best", "epochs to 0.5")) {
            assertThat(judged(record, reading).call()).as(reading).isNotEqualTo(GateResult.FAILED);
        }
        assertThat(record.metric("val_mAP50").orElseThrow().curve())
                .extracting(point -> point.epoch())
                .containsExactly(0.0, 1.0, 2.0, 3.0, 4.0, 5.0);
    }

    @Test
    void aGapBetweenWhatWasFollowedAndWhatIsThereIsStillSaid() throws Exception {
        RunRecord record = cutAfterFollowing("gap", true);

        assertThat(record.metric("val_mAP50").orElseThrow().count()).isEqualTo(5);
        assertThat(record.text(RunRecord.FRONT).orElseThrow()).startsWith("the front of logs/tao-gap-");
        assertThat(judged(record, "best").sentence()).contains("lacks its oldest values");
    }

    @Test
    void aWatchThatBeganLateMakesNoWholeOfACutLog() throws Exception {
        RunRecord record = cutAfterFollowing("late", false);

        assertThat(record.metric("val_mAP50").orElseThrow().highest()).hasValue(0.71);
        assertThat(record.text(RunRecord.FRONT)).isPresent();
    }

    @Test
    void ofAJobWhosePodsAreGoneTheFollowedValuesAreTheRecord() throws Exception {
        JobHandle job = submit(Sample.job("true").build(), "gone");
        Path home = temporary.resolve("home-gone");
        Journal journal = new Journal(home, Clock.systemUTC(), text -> text);
        journal.asked(Sample.job("true").build(), job);
        follow(journal, job, false, lines(3, 6));

        RunRecord record = journal.conclude(home).orElseThrow();

        assertThat(record.metric("val_mAP50").orElseThrow().count()).isEqualTo(3);
        assertThat(record.text(RunRecord.FRONT).orElseThrow()).contains("was not followed from its start");
        assertDeclared(record);
    }

    private static void assertDeclared(RunRecord record) throws Exception {
        try (InputStream schema = RunRecord.class.getResourceAsStream("run-record.schema.json")) {
            JsonNode properties = new JsonMapper().readTree(schema).path("properties");
            new JsonMapper()
                    .readTree(record.line())
                    .fieldNames()
                    .forEachRemaining(
                            key -> assertThat(properties.has(key)).as(key).isTrue());
        }
    }

    @Test
    void aJobThatIsBeingDeletedIsNotTakenForTheNextOfItsId() throws Exception {
        JobSpec spec = Sample.job("sleep 600").build();
        JobHandle first = submit(spec, "again");
        cluster.freeze();
        jobs().withName("tao-again").edit(job -> finalizers(job, List.of("foregroundDeletion")));
        jobs().withName("tao-again").delete();

        assertThatThrownBy(() -> submit(spec, "again"))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("is being deleted");
        jobs().withName("tao-again").edit(job -> finalizers(job, List.of()));
        JobHandle second = submit(spec, "again");

        assertThat(second.nativeId()).isEqualTo(first.nativeId());
        assertThat(cluster.job("tao-jobs", "tao-again").getMetadata().getDeletionTimestamp())
                .isNull();
    }

    @Test
    void aCancelSaysAtOnceWhichPodItWaitsForAndWhatKeepsThat() throws Exception {
        JobHandle job = submit(Sample.job("sleep 600").build(), "stuck");
        until(job, JobState.RUNNING);
        cluster.freeze();
        var pods = cluster.admin().pods().inNamespace("tao-jobs");
        String name = pods.list().getItems().get(0).getMetadata().getName();
        pods.withName(name).edit(held -> {
            held.getMetadata().setFinalizers(List.of("batch.kubernetes.io/job-tracking", "example.com/unmount"));
            return held;
        });

        backend.cancel(job);
        pods.withName(name).delete();
        JobStatus leaving = look(job);
        cluster.server().ahead(3600);
        JobStatus later = look(job);
        pods.withName(name).edit(held -> {
            held.getMetadata().setFinalizers(List.of());
            return held;
        });

        assertThat(leaving.nativeState()).isEqualTo("Terminating");
        assertThat(leaving.notices())
                .singleElement()
                .asString()
                .contains("its end waits for pod " + name + " on gpu-", ", at the latest until ")
                .endsWith("; the finalizer example.com/unmount keeps " + name + ".");
        assertThat(later.notices()).singleElement().asString().contains(", overdue since ");
    }
}
