package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Attributing;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Who ended a job, as one learns it who only watched. */
class CancelledByTest extends ClusterTest {
    private JobHandle running(String id) throws Exception {
        JobHandle job = submit(
                Sample.job("trap 'until [ -e " + temporary + "/go ]; do sleep 0.1; done; exit 1' TERM; echo up;"
                                + " while :; do sleep 0.1; done")
                        .build(),
                id);
        await().until(() -> out(job).contains("up"));
        until(job, JobState.RUNNING);
        return job;
    }

    private void mayGo() throws IOException {
        Files.createFile(temporary.resolve("go"));
    }

    private void cancelElsewhere(JobHandle job, String by) throws Exception {
        try (Backend other = new KubernetesType().open(Sample.target(cluster).build())) {
            other.poll(java.util.Set.of(job));
            ((Attributing) other).cancel(job, by);
        }
    }

    @Test
    @Promise("TR-36")
    void whoCancelledElsewhereIsReported() throws Exception {
        JobHandle job = running("asked");

        cancelElsewhere(job, "tao cancel of user \"ada\"");
        JobStatus leaving = look(job);
        cancelElsewhere(job, "a second one");
        mayGo();
        JobStatus end = until(job, JobState.ENDED);

        assertThat(leaving.nativeState()).isEqualTo("Terminating");
        assertThat(end.ending()).hasValue(Ending.CANCELLED);
        assertThat(end.reason()).hasValue("tao cancel of user \"ada\"");
    }

    @Test
    @Promise("TR-36")
    void aJobThatWasDeletedByHandSaysSo() throws Exception {
        JobHandle job = running("deleted");

        cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace("tao-jobs")
                .withName("tao-deleted")
                .delete();
        JobStatus end = until(job, JobState.ENDED);
        mayGo();

        assertThat(end.ending()).hasValue(Ending.CANCELLED);
        assertThat(end.reason().orElseThrow()).contains("somebody who deleted the Job, with kubectl");
    }

    @Test
    @Promise("TR-36")
    void anAccountThatMayNotNoteWhoAskedEndsTheJobAllTheSame() throws Exception {
        JobHandle job = running("unnoted");

        cluster.server().deny("patch batch/jobs");
        ((Attributing) backend).cancel(job, "ada");
        mayGo();

        assertThat(until(job, JobState.ENDED).ending()).hasValue(Ending.CANCELLED);
    }
}
