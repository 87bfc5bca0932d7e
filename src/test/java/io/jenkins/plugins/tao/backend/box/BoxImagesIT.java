package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs in containers, by a runtime that keeps what it knows below the home of its user. */
@NeedsRig("box")
final class BoxImagesIT {
    private static final String DOCKER = "/box/.machine/docker";

    private BoxStage box;

    @BeforeEach
    void open() {
        BoxRig.assumeUp();
        box = new BoxStage(3);
    }

    @AfterEach
    void close() throws Exception {
        if (box != null) {
            box.shell("rm -f " + DOCKER + "/no-daemon " + DOCKER + "/hold-pull");
            box.close();
        }
    }

    @Test
    void theRuntimeHasTheHomeOfItsUserAndTheContainerOneOfItsOwn() throws Exception {
        JobHandle job = box.submit(
                "home", BoxStage.job("echo \"$HOME $USER $LOGNAME\"", 0).image("i:1"));
        JobHandle own =
                box.submit("own", BoxStage.job("echo \"$HOME\"", 0).image("i:1").env(Map.of("HOME", "/srv/home")));
        box.end(job);
        box.end(own);

        assertThat(box.text(job, Stream.OUT)).isEqualTo("/tmp tao tao\n");
        assertThat(box.text(own, Stream.OUT)).isEqualTo("/srv/home\n");
        assertThat(box.shell("docker inspect -f '{{.State.Status}}' " + job.key() + "; docker inspect -f"
                        + " '{{.State.Status}}' " + own.key()))
                .isEqualTo("exited\nexited\n");
    }

    @Test
    void aClientWithoutItsDaemonDoesNotPassTheCheck() throws Exception {
        box.shell("mkdir -p " + DOCKER + "; : >" + DOCKER + "/no-daemon");

        Report report =
                box.backend.preflight(BoxStage.job("true", 0).image("i:1").build());

        assertThat(report.failed()).isTrue();
        assertThat(report.checks().toString()).contains("'docker' does not work for this user");
    }

    @Test
    void aJobThatAsksForNoGpuSeesNone() throws Exception {
        JobHandle plain = box.submit(
                "plain", io.jenkins.plugins.tao.job.JobSpec.of("echo \"[${CUDA_VISIBLE_DEVICES-all}] {num_gpus}\""));
        JobHandle contained = box.submit(
                "contained",
                io.jenkins.plugins.tao.job.JobSpec.of("echo \"[$NVIDIA_VISIBLE_DEVICES] {num_gpus}\"")
                        .image("i:1"));
        box.end(plain);
        box.end(contained);

        assertThat(box.text(plain, Stream.OUT)).isEqualTo("[] 0\n");
        assertThat(box.text(contained, Stream.OUT)).isEqualTo("[void] 0\n");
    }

    @Test
    void anImageIsPulledBeforeAGpuIsTakenAndBeforeTheTimeRuns() throws Exception {
        box.shell("mkdir -p " + DOCKER + "; : >" + DOCKER + "/hold-pull");
        String image = "registry/tao-" + box.key("x") + ":1";

        JobHandle job = box.submit("pull", BoxStage.job("true", 1).image(image));
        JobStatus pulling = box.until(job, "PREPARING");
        box.waitForFile(BoxLayout.attempt(job) + "/stage");
        org.awaitility.Awaitility.await()
                .until(() -> box.look(job).reason().orElse(""), reason -> reason.equals("pulls " + image));
        String taken = box.shell("ls " + box.target.baseDirectory() + "/gpus/held " + BoxLayout.attempt(job)
                + "/started 2>/dev/null || :");
        box.shell("rm -f " + DOCKER + "/hold-pull");

        assertThat(box.end(job).exitCode()).hasValue(0);
        assertThat(pulling.state()).isEqualTo(JobState.RUNNING);
        assertThat(taken).isEmpty();
    }

    @Test
    void aContainerThatWasKilledForItsMemoryIsToldAsThatWithoutItsWrapperToo() throws Exception {
        JobHandle job = box.submit(
                "oom", BoxStage.job("touch {results_dir}/up; exec sleep 600", 0).image("i:1"));
        box.waitForFile(job.resultsDirectory() + "/up");
        box.waitForFile(BoxLayout.attempt(job) + "/container");
        box.shell("kill -s KILL -- -" + box.wrapper(job));
        box.until(job, "ORPHANED");

        box.shell("c=~/.local/share/containers/" + job.key() + "; : >$c/oom; kill -s KILL -- -$(cat $c/pid)");
        JobStatus end = box.end(job);

        assertThat(end.ending()).hasValue(Ending.OUT_OF_MEMORY);
        assertThat(end.exitCode()).hasValue(137);
        assertThat(end.reason().orElse("")).contains("OOMKilled");
    }
}
