package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.jenkinsci.plugins.workflow.job.WorkflowRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

/** What goes wrong around a watch ends its step; no build waits for a result that cannot come. */
@WithJenkins
class WatchTest {
    @TempDir
    private Path directory;

    private JenkinsRule jenkins;
    private Lab lab;

    @BeforeEach
    void start(JenkinsRule rule) {
        jenkins = rule;
        lab = Lab.withTarget(rule, directory);
    }

    private String job() {
        return "taoSubmit(target: 'local', command: ': >" + directory + "/runs; while [ ! -e " + directory
                + "/go ]; do sleep 0.2; done; echo it went on')";
    }

    private static void ended(WorkflowRun build) {
        Awaitility.await("for the end of the build").atMost(Lab.PATIENCE).until(() -> !build.isBuilding());
    }

    private static String told(WorkflowRun build, String line) {
        return Awaitility.await("for '" + line + "'")
                .atMost(Lab.PATIENCE)
                .until(() -> JenkinsRule.getLog(build), log -> log.contains(line));
    }

    @Test
    void aPatternOutsideTheResultsFailsTheWaitAtOnce() throws Exception {
        WorkflowRun build = lab.start(
                "taoWait job: taoSubmit(target: 'local', command: 'true'), archive: '/results/x/*.pth'");

        ended(build);

        lab.ended(build, Result.FAILURE);
        assertThat(JenkinsRule.getLog(build)).contains("archive: '/results/x/*.pth' must lie below the results directory");
    }

    @Test
    void anEndThatCannotBeNotedEndsTheBuildAllTheSame() throws Exception {
        WorkflowRun build = lab.start("taoWait " + job());
        Lab.await(directory.resolve("runs"));
        told(build, "RUNNING");
        String id = build.getAction(TaoRunAction.class).getJobs().get(0).getId();
        Files.createDirectories(jenkins.jenkins.getRootDir().toPath().resolve("tao-run/" + id + ".wish/in-the-way"));

        Files.createFile(directory.resolve("go"));
        ended(build);

        lab.ended(build, Result.SUCCESS);
        assertThat(JenkinsRule.getLog(build)).contains("it went on");
    }

    @Test
    void theWatchesBesideOneThatCannotBeginEndWithTheStep() throws Exception {
        WorkflowRun build = lab.start("def job = " + job()
                + "; taoWait job: [job, job.token.replace('tao1:local:local:', 'tao1:local:gone:').replace('train-', 'other-')]");
        ended(build);
        lab.ended(build, Result.FAILURE);
        assertThat(JenkinsRule.getLog(build)).contains("There is no TAO target 'gone'", "the build ends before its jobs");

        Files.createFile(directory.resolve("go"));
        assertThat(JenkinsRule.getLog(build)).doesNotContain("it went on");
    }
}
