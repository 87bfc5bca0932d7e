package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import hudson.model.FreeStyleBuild;
import hudson.model.FreeStyleProject;
import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.freestyle.TaoBuilder;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

@WithJenkins
class FreestyleTest {
    @TempDir
    private Path directory;

    private JenkinsRule jenkins;

    @BeforeEach
    void start(JenkinsRule rule) {
        jenkins = rule;
        Lab.withTarget(rule, directory);
    }

    private FreeStyleProject project(String command) throws Exception {
        FreeStyleProject project = jenkins.createFreeStyleProject("free");
        project.getBuildersList().add(new TaoBuilder(new SubmitStep("local", command)));
        return project;
    }

    @Test
    void theBuildStepRunsAndArchivesAJob() throws Exception {
        FreeStyleBuild build = jenkins.buildAndAssertSuccess(project("echo from freestyle"));

        assertThat(JenkinsRule.getLog(build)).contains("from freestyle");
        assertThat(build.getArtifactManager().root().list("tao/*/logs/**", null, true)).isNotEmpty();
    }

    @Test
    void aFailedJobFailsTheBuildInOneLine() throws Exception {
        FreeStyleBuild build = jenkins.buildAndAssertStatus(Result.FAILURE, project("exit 5"));

        assertThat(JenkinsRule.getLog(build)).contains("exit code 5").doesNotContain("\tat io.jenkins");
    }

    @Test
    void aWordOfTheWatchThatIsWrongStartsNoJob() throws Exception {
        FreeStyleProject project = jenkins.createFreeStyleProject("free");
        TaoBuilder builder = new TaoBuilder(new SubmitStep("local", ": >" + directory + "/runs"));
        project.getBuildersList().add(builder);

        builder.setGiveUpAfter("soon");
        FreeStyleBuild soon = jenkins.buildAndAssertStatus(Result.FAILURE, project);
        builder.setGiveUpAfter("");
        builder.setArchive("/results/x/*.pth");
        FreeStyleBuild outside = jenkins.buildAndAssertStatus(Result.FAILURE, project);

        assertThat(JenkinsRule.getLog(soon)).contains("giveUpAfter must be").doesNotContain("submitting");
        assertThat(JenkinsRule.getLog(outside)).contains("archive: '/results/x/*.pth'").doesNotContain("submitting");
        assertThat(directory.resolve("runs")).doesNotExist();
    }

    @Test
    void twoOfTheseStepsInOneBuildRunTwoJobs() throws Exception {
        FreeStyleProject project = project("echo one");
        project.getBuildersList().add(new TaoBuilder(new SubmitStep("local", "echo two")));

        FreeStyleBuild build = jenkins.buildAndAssertSuccess(project);

        assertThat(JenkinsRule.getLog(build)).contains("one\n", "two\n");
    }

    @Test
    void anAbortedBuildCancelsItsJob() throws Exception {
        FreeStyleBuild build = project(": >" + directory + "/runs; sleep 300; : >" + directory + "/went-on")
                .scheduleBuild2(0)
                .waitForStart();
        Lab.await(directory.resolve("runs"));

        build.doStop();

        jenkins.assertBuildStatus(Result.ABORTED, jenkins.waitForCompletion(build));
        assertThat(JenkinsRule.getLog(build)).containsPattern("CANCELLED|is cancelled, because the build was aborted");
        assertThat(directory.resolve("went-on")).doesNotExist();
    }

    @Test
    void aTargetThatIsSilentLongerThanAnAbortedBuildWaitsIsAskedForTheEndAllTheSame() throws Exception {
        SlowTarget.configure(directory, "nowhere");
        FreeStyleProject project = jenkins.createFreeStyleProject("free");
        project.getBuildersList()
                .add(new TaoBuilder(new SubmitStep("slow", "echo $$ >" + directory + "/pid; : >" + directory
                        + "/runs; while :; do sleep 0.2; done")));
        FreeStyleBuild build = project.scheduleBuild2(0).waitForStart();
        Lab.await(directory.resolve("runs"));
        Awaitility.await().atMost(Lab.PATIENCE).until(() -> JenkinsRule.getLog(build).contains("RUNNING"));
        ProcessHandle job = ProcessHandle.of(Long.parseLong(
                        Files.readString(directory.resolve("pid")).strip()))
                .orElseThrow();
        Files.createFile(directory.resolve("silent"));

        build.doStop();
        jenkins.assertBuildStatus(Result.ABORTED, jenkins.waitForCompletion(build));
        assertThat(job.isAlive()).isTrue();
        Files.delete(directory.resolve("silent"));

        Awaitility.await().atMost(Lab.PATIENCE).until(() -> !job.isAlive());
        assertThat(JenkinsRule.getLog(build)).contains("slow is asked for it until it confirms");
    }
}
