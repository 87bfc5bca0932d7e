package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jenkins ends while a job runs and starts again: the job ran once, and the build goes on. */
@NeedsJenkins
class RestartIT {
    @TempDir
    private Path directory;

    private JenkinsProcess process;
    private JenkinsClient jenkins;
    private LocalJob job;

    @BeforeEach
    void start() throws IOException {
        process = JenkinsProcess.in(directory.resolve("home"));
        jenkins = process.start();
        jenkins.target(directory.resolve("tao"));
        job = new LocalJob(directory);
    }

    @AfterEach
    void stop() {
        process.close();
    }

    @Test
    @Promise("TR-31")
    void aWaitWhoseTargetIsMissingAfterACrashWaitsWithTheTokenAndGoesOnWhenItIsBack() throws IOException {
        Build build = jenkins.start("train", "taoWait " + job.submit(""));
        build.says("before\n");
        jenkins.targets("");
        process.kill();

        JenkinsClient next = process.start();
        Build resumed = build.in(next);
        resumed.says("cannot be watched: There is no TAO target 'local'");
        assertThat(resumed.log()).contains("The job's token is tao1:local:");
        next.target(directory.resolve("tao"));
        resumed.says("is watched again");
        job.goesOn();

        resumed.ends("SUCCESS");
        assertThat(resumed.log()).contains("after\n");
        assertThat(job.lives()).isFalse();
    }

    /** Jenkins itself ends a Pipeline whose saved program names classes of a plugin that is disabled. */
    @Test
    @Promise("TR-43")
    void aBuildIsReadableWhileThePluginIsDisabledAndItsJobIsTakenUpWhenItIsEnabled() throws IOException {
        Build build = jenkins.start("train", "taoWait " + job.submit(""));
        build.says("before\n");
        process.stop();
        Path disabled = process.home().resolve("plugins/tao-run.jpi.disabled");
        Files.createFile(disabled);

        JenkinsClient without = process.start();
        build.in(without).ends("FAILURE");
        assertThat(without.get("job/train/1/console")).contains("[tao] token tao1:local:");
        assertThat(job.lives()).isTrue();
        process.stop();
        Files.delete(disabled);

        Build again = build.in(process.start());
        await("for the page of the build")
                .atMost(Build.PATIENCE)
                .until(() -> again.page().contains("RUNNING"));
        job.goesOn();

        await("for the end of the job")
                .atMost(Build.PATIENCE)
                .until(() -> again.page().contains("SUCCESS"));
        await("for its files")
                .atMost(Build.PATIENCE)
                .until(() -> again.artifacts().contains("/record.json"));
        assertThat(job.lives()).isFalse();
    }
}
