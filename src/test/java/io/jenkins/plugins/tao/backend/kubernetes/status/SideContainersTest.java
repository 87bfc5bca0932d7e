package io.jenkins.plugins.tao.backend.kubernetes.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.kubernetes.ClusterTest;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesType;
import io.jenkins.plugins.tao.backend.kubernetes.Sample;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods with a container beside the command's that never ends. */
class SideContainersTest extends ClusterTest {
    private static JobSpec with(String command) {
        return Sample.job(command)
                .options(Records.of(KubernetesOptions.class, "labels", Map.of("simulate-injected", "proxy")))
                .build();
    }

    private JobHandle ended(String command, String id) throws Exception {
        JobHandle job = submit(with(command), id);
        await().until(() -> {
            watched(job);
            return cluster.admin().pods().inNamespace("tao-jobs").list().getItems().stream()
                    .map(PodView::new)
                    .anyMatch(PodView::commandEnded);
        });
        watched(job); // the look before may not have seen the end yet, and reading goes by the last look
        return job;
    }

    private int pods() {
        return cluster.admin().pods().inNamespace("tao-jobs").list().getItems().size();
    }

    @ParameterizedTest
    @ValueSource(strings = {"28", "36"})
    @Promise("TR-53")
    void theGpusOfAFinishedJobAreFreedOnceItsLogIsRead(String minor) throws Exception {
        reopen(minor);
        JobHandle job = ended("echo trained", "side");

        cluster.server().ahead(70);
        assertThat(watched(job).state()).isEqualTo(JobState.RUNNING);
        assertThat(watched(job).nativeState()).isEqualTo("Finishing");
        assertThat(pods()).isEqualTo(1);
        assertThat(out(job)).isEqualTo("trained\n");
        JobStatus end = until(job, JobState.ENDED);

        assertThat(end.ending()).hasValue(Ending.COMPLETED);
        assertThat(end.exitCode()).hasValue(0);
        await().until(() -> pods() == 0);
        await().until(() -> look(job).state() == JobState.ENDED);
        assertThat(look(job).exitCode()).hasValue(0);
        assertThat(backend.diagnose(job).summary()).startsWith("Complete");
    }

    @Test
    @Promise("TR-53")
    void anExitCodeIsNotLostWithThePods() throws Exception {
        JobHandle job = ended("echo broken; exit 7", "seven");

        cluster.server().ahead(70);
        out(job);
        JobStatus end = until(job, JobState.ENDED);

        await().until(() -> pods() == 0);
        assertThat(end.ending()).hasValue(Ending.FAILED);
        assertThat(look(job).exitCode()).hasValue(7);
        assertThat(look(job).reason().orElseThrow()).contains("its last line: broken");
    }

    @Test
    @Promise("TR-53")
    void theLastLinesTellTheCauseThoughThePodsAreGone() throws Exception {
        JobHandle job = ended("echo 'uncorrectable ECC error encountered'; exit 1", "ecc");
        StreamRef ref = new StreamRef(job, Stream.OUT);
        Tail tail =
                Objects.requireNonNull(backend.read(Map.of(ref, Position.START)).get(ref));

        cluster.server().ahead(70);
        until(job, JobState.ENDED);
        await().until(() -> pods() == 0);
        look(job);
        Position again = new Position(tail.next().file(), 0);

        assertThat(backend.read(Map.of(ref, again)).get(ref))
                .isNotNull()
                .satisfies(last -> assertThat(last.bytes()).asString(UTF_8).contains("ECC error"));
        assertThat(backend.read(Map.of(ref, tail.next()))).isEmpty();
    }

    @Test
    @Promise("TR-53")
    void aWatchThatBeginsAfterTheCommandHasEndedFreesTheGpusToo() throws Exception {
        JobHandle job = ended("echo trained", "late");
        cluster.server().ahead(70);
        backend.close();
        backend = new KubernetesType().open(Sample.target(cluster).build());

        assertThat(watched(job).nativeState()).isEqualTo("Finishing");
        assertThat(out(job)).isEqualTo("trained\n");
        assertThat(until(job, JobState.ENDED).exitCode()).hasValue(0);

        await().until(() -> pods() == 0);
    }

    @Test
    @Promise("TR-53")
    void aLogThatDoesNotComeHoldsNoGpuForLong() throws Exception {
        JobHandle job = ended("true", "unread");

        cluster.server().ahead(190);
        until(job, JobState.ENDED);

        await().until(() -> pods() == 0);
    }

    @Test
    @Promise("TR-53")
    void toLookAtAJobEndsNoPodOfIt() throws Exception {
        JobHandle job = submit(with("true"), "look");
        await().until(() -> cluster.admin().pods().inNamespace("tao-jobs").list().getItems().stream()
                .map(PodView::new)
                .anyMatch(PodView::commandEnded));

        cluster.server().ahead(190);
        JobStatus end = look(job);

        assertThat(end.exitCode()).hasValue(0);
        assertThat(end.notices().toString()).contains("side containers run on");
        assertThat(pods()).isEqualTo(1);
    }

    @Test
    @Promise("TR-53")
    void aJobThatMayNotBeEndedIsToldAndStillEnds() throws Exception {
        JobHandle job = ended("true", "refused");

        cluster.server().ahead(190);
        cluster.server().deny("patch batch/jobs");
        JobStatus end = until(job, JobState.ENDED);

        assertThat(end.exitCode()).hasValue(0);
        assertThat(end.notices().toString()).contains("could not be ended");
    }
}
