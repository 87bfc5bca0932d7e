package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobList;
import io.fabric8.mockwebserver.http.MockResponse;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
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
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
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
        journal.on(new JobEvent.Ended(new JobResult(
                job,
                new Outcome.Succeeded(),
                OptionalInt.of(0),
                Progress.NONE,
                Optional.empty(),
                Instant.now(),
                List.of(),
                List.of(),
                Set.of())));

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
