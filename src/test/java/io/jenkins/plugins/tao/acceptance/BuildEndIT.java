package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each job of a build has an owner when the build ends. */
@NeedsJenkins
class BuildEndIT {
    @TempDir
    private static Path home;

    @TempDir
    private Path directory;

    private static JenkinsProcess process;
    private static JenkinsClient jenkins;

    @BeforeAll
    static void start() throws IOException {
        process = JenkinsProcess.in(home);
        jenkins = process.start();
        jenkins.target(home.resolve("tao"));
    }

    @AfterAll
    static void stop() {
        process.close();
    }

    @Test
    @Promise("TR-30")
    void theJobsOfABuildThatFailsAreCancelledThoughNoStepWaitedForThem() throws IOException {
        LocalJob job = new LocalJob(directory);

        Build build = jenkins.start("fails", job.submit("") + "; input 'Waits for its abort'; error 'x'");
        job.runs();
        build.says("Waits for its abort"); // the job may run before the step that submits it ends
        build.abort();

        build.ends("ABORTED");
        job.ends();
        assertThat(build.log()).contains("the build ends before its jobs; to be cancelled: local/");
    }

    @Test
    @Promise("TR-30")
    void aJobThatIsToOutliveItsBuildGoesOnAndTheLogHasItsToken() throws IOException {
        LocalJob job = new LocalJob(directory);

        Build build = jenkins.start("detaches", job.submit(", onAbort: 'detach'") + "; error 'x'");

        build.ends("FAILURE");
        job.runs();
        assertThat(job.lives()).isTrue();
        assertThat(build.log()).contains("continues; taoWait watches it again with tao1:local:");
        job.goesOn();
        job.ends();
    }

    @Test
    @Promise("TR-30")
    void aJobOfAGoodBuildGoesOnAndTheLogHasItsToken() throws IOException {
        LocalJob job = new LocalJob(directory);

        Build build = jenkins.start("succeeds", job.submit(""));

        build.ends("SUCCESS");
        job.runs();
        assertThat(build.log()).contains("continues; taoWait watches it again with tao1:local:");
        job.goesOn();
        job.ends();
    }
}
