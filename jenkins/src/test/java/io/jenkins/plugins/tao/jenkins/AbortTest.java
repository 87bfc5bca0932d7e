package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import hudson.model.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.jenkinsci.plugins.workflow.job.WorkflowRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

@WithJenkins
class AbortTest {
    @TempDir
    private Path directory;

    private String job() {
        return "taoSubmit(target: 'local', command: 'echo \\$\\$ >" + directory + "/pid; : >" + directory
                + "/runs; while [ ! -e " + directory + "/go ]; do sleep 0.2; done; echo it went on')";
    }

    private boolean lives() throws Exception {
        return ProcessHandle.of(Long.parseLong(
                        Files.readString(directory.resolve("pid")).strip()))
                .map(ProcessHandle::isAlive)
                .orElse(false);
    }

    @Test
    void anAbortedBuildCancelsItsJob(JenkinsRule jenkins) throws Exception {
        Lab lab = Lab.withTarget(jenkins, directory);
        WorkflowRun build = lab.start("taoWait " + job());
        Lab.await(directory.resolve("runs"));

        build.doStop();

        lab.ended(build, Result.ABORTED);
        assertThat(lives()).isFalse();
        assertThat(JenkinsRule.getLog(build)).doesNotContain("it went on").doesNotContain("\tat io.jenkins");
    }

    @Test
    void anAbortedBuildCanLeaveItsJobAloneAndAnotherTakesItUp(JenkinsRule jenkins) throws Exception {
        Lab lab = Lab.withTarget(jenkins, directory);
        WorkflowRun build = lab.start("taoWait job: " + job() + ", onAbort: 'detach'");
        Lab.await(directory.resolve("runs"));
        Awaitility.await().atMost(Lab.PATIENCE).until(() -> JenkinsRule.getLog(build).contains("RUNNING"));

        build.doStop();

        lab.ended(build, Result.ABORTED);
        assertThat(lives()).isTrue();
        String token = JenkinsRule.getLog(build).lines()
                .filter(line -> line.contains("continues; taoWait watches it again with "))
                .map(line -> line.substring(line.indexOf("tao1:")))
                .findFirst()
                .orElseThrow();
        Files.createFile(directory.resolve("go"));
        build.getParent().setDefinition(new org.jenkinsci.plugins.workflow.cps.CpsFlowDefinition(
                "echo taoWait('" + token + "').status", true));
        WorkflowRun second = jenkins.buildAndAssertSuccess(build.getParent());
        assertThat(JenkinsRule.getLog(second)).contains("it went on", "SUCCESS");
    }
}
