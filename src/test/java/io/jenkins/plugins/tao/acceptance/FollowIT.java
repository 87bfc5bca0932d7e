package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The block of taoFollow in a real Pipeline. */
@NeedsJenkins
class FollowIT {
    private static final String HEARD = "echo \"heard ${env.TAO_EVENT} ${env.TAO_NATIVE_ID} ${env.TAO_STATUS}\"";

    @TempDir
    private Path home;

    @TempDir
    private Path base;

    private JenkinsProcess process;
    private JenkinsClient jenkins;
    private LocalJob job;

    @BeforeEach
    void start() throws IOException {
        process = JenkinsProcess.in(home);
        jenkins = process.start();
        jenkins.target(base.resolve("jobs"));
        job = new LocalJob(base);
    }

    @AfterEach
    void stop() {
        process.close();
    }

    @Test
    @NeedsJenkins(plugins = "pipeline-model-definition")
    @Promise("JK-26")
    void theBlockRunsForEachEventInDeclarativePipelinesTooAndGoesOnAfterARestart() throws IOException {
        Build scripted = jenkins.start(
                "scripted",
                "def r = taoFollow(job: " + job.submit("") + ", interval: '1s') {\n" + HEARD
                        + "\nif (env.TAO_EVENT == 'RUNNING') { sleep 20 }\necho \"after ${env.TAO_EVENT}\"\n}\n"
                        + "echo \"returned ${r.status}\"");
        scripted.says("heard RUNNING");
        process.stop();
        job.goesOn();
        jenkins = process.start();
        scripted = scripted.in(jenkins);
        scripted.ends("SUCCESS");
        assertThat(scripted.log())
                .containsOnlyOnce("heard RUNNING")
                .containsOnlyOnce("heard ENDED")
                .contains("returned SUCCESS")
                .containsSubsequence("after RUNNING", "heard ENDED", "after ENDED", "returned SUCCESS");

        Build declarative = jenkins.start(
                "declarative",
                "pipeline { agent none; stages { stage('a') { steps { taoFollow(job: taoSubmit(target: 'local', command:"
                        + " 'true'), interval: '1s') { " + HEARD + " } } } } }");
        declarative.ends("SUCCESS");
        assertThat(declarative.log()).contains("heard ENDED");
    }

    @Test
    @Promise("JK-26")
    void aBlockThatFailsFailsTheBuildOnceTheJobHasEndedAndAnAbortEndsBoth() throws IOException {
        Build fails = jenkins.start(
                "fails",
                "taoFollow(job: taoSubmit(target: 'local', command: 'true'), interval: '1s') { error 'the chat is down' }");
        fails.ends("FAILURE");
        assertThat(fails.log()).contains("failed on ENDED of local/", "the chat is down", " succeeded ");

        Build aborted = jenkins.start(
                "aborted", "taoFollow(job: " + job.submit("") + ", interval: '1s') { echo 'in the block'; sleep 300 }");
        aborted.says("in the block");
        aborted.abort();
        aborted.ends("ABORTED");
        job.ends();
    }
}
