package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobList;
import io.fabric8.mockwebserver.http.MockResponse;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import java.time.Instant;
import java.util.List;
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
}
