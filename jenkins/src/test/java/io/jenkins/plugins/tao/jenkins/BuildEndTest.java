package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import hudson.model.FreeStyleProject;
import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.jenkinsci.plugins.workflow.cps.CpsFlowDefinition;
import org.jenkinsci.plugins.workflow.job.WorkflowJob;
import org.jenkinsci.plugins.workflow.job.WorkflowRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

/** Each job of a build has an owner when the build ends, and no build has the job of another one. */
@WithJenkins
class BuildEndTest {
    @TempDir
    private Path directory;

    private JenkinsRule jenkins;
    private Lab lab;

    @BeforeEach
    void start(JenkinsRule rule) {
        jenkins = rule;
        lab = Lab.withTarget(rule, directory);
    }

    private String job(String more) {
        return "taoSubmit(target: 'local', command: 'echo \\$\\$ >" + directory + "/pid; exec sleep 600'" + more + ")";
    }

    private boolean lives() throws Exception {
        Lab.await(directory.resolve("pid"));
        Awaitility.await().atMost(Lab.PATIENCE).until(() -> !Files.readString(directory.resolve("pid"))
                .isBlank());
        return ProcessHandle.of(Long.parseLong(
                        Files.readString(directory.resolve("pid")).strip()))
                .map(ProcessHandle::isAlive)
                .orElse(false);
    }

    private void ends() {
        Awaitility.await("for the end of the job").atMost(Lab.PATIENCE).until(() -> !lives());
    }

    @Test
    void theJobsOfABuildThatFailsAreCancelledThoughNoStepWaitedForThem() throws Exception {
        WorkflowRun build = lab.run(job("") + "; sleep 5; error 'another step failed'", Result.FAILURE);

        ends();
        assertThat(JenkinsRule.getLog(build)).contains("the build ends before its jobs; to be cancelled: local/train-");
    }

    @Test
    void aJobThatIsToSurviveItsBuildGoesOnAndTheLogNamesItsToken() throws Exception {
        WorkflowRun build = lab.run(job(", onAbort: 'detach'") + "; sleep 5; error 'x'", Result.FAILURE);

        assertThat(lives()).isTrue();
        assertThat(JenkinsRule.getLog(build)).contains("continues; taoWait watches it again with tao1:local:");
    }

    @Test
    void aJobOfAGoodBuildGoesOnWithAWord() throws Exception {
        WorkflowRun build = lab.run(job("") + "; sleep 5", Result.SUCCESS);

        assertThat(lives()).isTrue();
        assertThat(JenkinsRule.getLog(build)).contains("continues; taoWait watches it again with tao1:local:");
    }

    @Test
    void aFreestyleBuildLeavesNoFileBehindThatSaysItRuns() throws Exception {
        FreeStyleProject project = jenkins.createFreeStyleProject();
        project.getBuildersList()
                .add(new io.jenkins.plugins.tao.jenkins.freestyle.TaoBuilder(
                        new io.jenkins.plugins.tao.jenkins.step.SubmitStep("local", "true")));
        jenkins.buildAndAssertSuccess(project);

        assertThat(jenkins.jenkins.getRootDir().toPath().resolve("tao-run")).isEmptyDirectory();
    }

    @Test
    void aJobMadeAnewUnderItsOldNameNeverAdoptsTheOldJob() throws Exception {
        String script = "taoWait taoSubmit(target: 'local', command: 'echo started >>" + directory + "/starts')";
        WorkflowRun old = lab.run(script, Result.SUCCESS);
        String oldId = old.getAction(TaoRunAction.class).getJobs().get(0).getId();
        old.getParent().delete();
        WorkflowJob again = jenkins.createProject(WorkflowJob.class, "train");
        again.setDefinition(new CpsFlowDefinition(script, true));

        WorkflowRun build = jenkins.buildAndAssertSuccess(again);

        assertThat(build.getExternalizableId()).isEqualTo("train#1");
        assertThat(build.getAction(TaoRunAction.class).getJobs().get(0).getId()).isNotEqualTo(oldId);
        Lab.assertLines(directory.resolve("starts"), "started", "started");
    }

    @Test
    void thePageIsMadeFromTheBuildsOwnFilesAndNothingOfItIsInBuildXml() throws Exception {
        WorkflowRun build = lab.run("taoWait taoSubmit(target: 'local', command: 'true')", Result.SUCCESS);
        Path folder = build.getRootDir().toPath();

        assertThat(folder.resolve("tao/jobs.jsonl")).exists();
        assertThat(folder.resolve("build.xml")).content().doesNotContain("TaoRunAction");
        build.reload();
        assertThat(build.getAction(TaoRunAction.class).getJobs())
                .extracting(job -> job.getState())
                .isEqualTo(List.of("SUCCESS"));
    }
}
