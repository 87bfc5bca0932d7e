package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
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
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.JenkinsSessionExtension;

/** The controller is restarted while a step is under way: the step goes on, and the job ran exactly once. */
class RestartTest {
    @RegisterExtension
    private final JenkinsSessionExtension sessions = new JenkinsSessionExtension();

    @TempDir
    private Path directory;

    private Path starts;
    private Path go;

    @BeforeEach
    void name() {
        starts = directory.resolve("starts");
        go = directory.resolve("go");
    }

    private String job(String more) {
        return "taoSubmit(target: 'local', command: 'echo started >>" + starts
                + "; echo before; while [ ! -e " + go + " ]; do sleep 0.2; done; echo after; echo key=${KEY:-none}.'" + more + ")";
    }

    @Test
    void aWaitGoesOnWhereItWas() throws Throwable {
        sessions.then(jenkins -> {
            WorkflowRun build = Lab.withTarget(jenkins, directory)
                    .start("def r = taoWait " + job("") + "; echo \"code ${r.exitCode}\"");
            Awaitility.await().atMost(Lab.PATIENCE).until(() -> JenkinsRule.getLog(build)
                    .contains("before\n"));
        });
        Files.createFile(go);
        sessions.then(jenkins -> {
            Lab lab = Lab.of(jenkins);
            WorkflowRun build = lab.ended(lab.firstBuild(), Result.SUCCESS);

            assertThat(JenkinsRule.getLog(build)).contains("after\n", "code 0").containsOnlyOnce("before\n");
            assertThat(build.getAction(TaoRunAction.class).getJobs()).hasSize(1);
            Lab.assertLines(starts, "started");
        });
    }

    @Test
    void aWaitWhoseTargetIsMissingAfterTheRestartGoesOnWhenItIsBack() throws Throwable {
        sessions.then(jenkins -> {
            WorkflowRun build = Lab.withTarget(jenkins, directory).start("taoWait " + job(""));
            Awaitility.await().atMost(Lab.PATIENCE).until(() -> JenkinsRule.getLog(build)
                    .contains("before\n"));
            TaoGlobalConfiguration.get().setTargets(List.of());
        });
        Files.createFile(go);
        sessions.then(jenkins -> {
            Lab lab = Lab.of(jenkins);
            WorkflowRun build = lab.firstBuild();
            Awaitility.await().atMost(Lab.PATIENCE).until(() -> JenkinsRule.getLog(build)
                    .contains("cannot be watched: There is no TAO target 'local'"));
            assertThat(JenkinsRule.getLog(build)).contains("The job's token is tao1:local:");

            Lab.withTarget(jenkins, directory);

            lab.ended(build, Result.SUCCESS);
            assertThat(JenkinsRule.getLog(build)).contains("after\n").containsOnlyOnce("before\n");
            Lab.assertLines(starts, "started");
        });
    }

    @Test
    void aWaitWithSecretsGoesOnAndMasksThemStill() throws Throwable {
        sessions.then(jenkins -> {
            Lab lab = Lab.withTarget(jenkins, directory);
            lab.secret("key", "hush-hush-4711");
            WorkflowRun build = lab.start("taoWait " + job(", secrets: [KEY: 'key']"));
            Awaitility.await().atMost(Lab.PATIENCE).until(() -> JenkinsRule.getLog(build)
                    .contains("before\n"));
        });
        Files.createFile(go);
        sessions.then(jenkins -> {
            Lab lab = Lab.of(jenkins);
            WorkflowRun build = lab.ended(lab.firstBuild(), Result.SUCCESS);

            assertThat(JenkinsRule.getLog(build)).contains("key=****.");
            Lab.assertLines(starts, "started");
        });
    }

    @Test
    void aJobTakenUpByItsTokenIsNotTriedAgainWithoutItsSecretsAfterARestart() throws Throwable {
        String command = "echo started >>" + starts + "; while [ ! -e " + go
                + " ]; do sleep 0.2; done; echo GPU has fallen off the bus; exit 1";
        sessions.then(jenkins -> {
            Lab lab = Lab.withTarget(jenkins, directory);
            lab.secret("key", "hush-hush-4711");
            WorkflowRun first = lab.run(
                    "echo taoSubmit(target: 'local', secrets: [KEY: 'key'], command: '" + command + "').token", Result.SUCCESS);
            String token = JenkinsRule.getLog(first).lines()
                    .filter(line -> line.startsWith("tao1:"))
                    .findFirst()
                    .orElseThrow();
            WorkflowJob second = jenkins.createProject(WorkflowJob.class, "second");
            second.setDefinition(new CpsFlowDefinition("taoWait '" + token + "'", true));
            WorkflowRun build = second.scheduleBuild2(0).waitForStart();
            Awaitility.await().atMost(Lab.PATIENCE).until(() -> JenkinsRule.getLog(build).contains("RUNNING"));
        });
        Files.createFile(go);
        sessions.then(jenkins -> {
            WorkflowRun build = jenkins.jenkins
                    .getItemByFullName("second", WorkflowJob.class)
                    .getBuildByNumber(1);
            jenkins.assertBuildStatus(Result.FAILURE, jenkins.waitForCompletion(build));

            assertThat(JenkinsRule.getLog(build)).contains("fallen off the bus");
            Lab.assertLines(starts, "started");
        });
    }

    @Test
    void aJobThatEndedWhileJenkinsWasDownIsTakenAsItEnded() throws Throwable {
        sessions.then(jenkins -> {
            WorkflowRun build = Lab.withTarget(jenkins, directory).start("taoWait " + job(""));
            Awaitility.await().atMost(Lab.PATIENCE).until(() -> JenkinsRule.getLog(build)
                    .contains("before\n"));
        });
        Files.createFile(go);
        Path exit = Lab.find(directory, "exit");
        sessions.then(jenkins -> {
            assertThat(exit).exists();
            Lab lab = Lab.of(jenkins);
            assertThat(JenkinsRule.getLog(lab.ended(lab.firstBuild(), Result.SUCCESS))).contains("after\n");
        });
    }

    @Test
    void aSubmissionThatWasNotSentYetIsSentAfterTheRestart() throws Throwable {
        submittedAcrossARestart("preflight");
    }

    @Test
    void aSubmissionWhoseAnswerWasNotHeardStartsNothingTwice() throws Throwable {
        submittedAcrossARestart("answer");
    }

    /**
     * Jenkins saves a Pipeline when all its branches rest: the second one does not until the job has been started, or for
     * three seconds. What were sent meanwhile a crash would send again.
     */
    @Test
    void nothingIsSentBeforeThePipelineIsSaved() throws Throwable {
        Files.createFile(go);
        String script = """
                import java.util.concurrent.locks.LockSupport

                @NonCPS
                def isSent() {
                    for (int i = 0; i < 30 && !new File('STARTS').exists(); i++) {
                        LockSupport.parkNanos(100_000_000L)
                    }
                    return new File('STARTS').exists()
                }
                parallel(a: { taoWait taoSubmit(target: 'local', command: 'echo started >>STARTS') }, b: { echo "sent ${isSent()}" })
                """.replace("STARTS", starts.toString());
        sessions.then(jenkins -> {
            Lab lab = Lab.withTarget(jenkins, directory);
            WorkflowJob job = jenkins.createProject(WorkflowJob.class, "train");
            job.setDefinition(new CpsFlowDefinition(script, false));

            WorkflowRun build = lab.ended(job.scheduleBuild2(0).waitForStart(), Result.SUCCESS);

            assertThat(JenkinsRule.getLog(build)).contains("sent false");
            Lab.assertLines(starts, "started");
        });
    }

    /** Nobody knows whether there is a job, and nobody wants it: the next Jenkins finds it by its key and ends it. */
    @Test
    void anAbortedSubmissionWithoutAnAnswerIsEndedAfterTheRestart() throws Throwable {
        Path pid = directory.resolve("pid");
        sessions.then(jenkins -> {
            SlowTarget.configure(directory, "answer");
            Lab lab = Lab.of(jenkins);
            WorkflowRun build = lab.start("taoSubmit(target: 'slow', command: 'echo \\$\\$ >" + pid + "; echo started >>"
                    + starts + "; exec sleep 600')");
            Lab.await(directory.resolve("stopped-at-answer"));

            build.doStop();

            lab.ended(build, Result.ABORTED);
            assertThat(JenkinsRule.getLog(build)).contains("no answer from slow yet");
        });
        long process = Long.parseLong(Files.readString(pid).strip());
        assertThat(ProcessHandle.of(process)).isPresent();
        sessions.then(jenkins -> {
            Awaitility.await().atMost(Lab.PATIENCE).until(() -> ProcessHandle.of(process)
                    .isEmpty());
            Path requests = jenkins.jenkins.getRootDir().toPath().resolve("tao-run");
            Awaitility.await().atMost(Lab.PATIENCE).until(() -> requests.toFile().list().length == 0);
            Lab.assertLines(starts, "started");
        });
    }

    private void submittedAcrossARestart(String stop) throws Throwable {
        Files.createFile(go);
        sessions.then(jenkins -> {
            SlowTarget.configure(directory, stop);
            Lab.of(jenkins).start("def job = taoSubmit(target: 'slow', command: 'echo started >>" + starts
                    + "'); echo \"native ${job.nativeId}\"; taoWait job");
            Lab.await(directory.resolve("stopped-at-" + stop));
        });
        assertThat(Files.exists(starts)).isEqualTo(stop.equals("answer"));
        sessions.then(jenkins -> {
            Lab lab = Lab.of(jenkins);
            WorkflowRun build = lab.ended(lab.firstBuild(), Result.SUCCESS);

            Lab.assertLines(starts, "started");
            assertThat(build.getAction(TaoRunAction.class).getJobs()).hasSize(1);
            assertThat(JenkinsRule.getLog(build)).containsOnlyOnce("native train-");
        });
    }
}
