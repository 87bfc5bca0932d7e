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

/** The steps among those of Jenkins itself, on a target that plays jobs. */
@NeedsJenkins
class JenkinsStepsIT {
    private static final String RUN =
            "taoRun target: 'sim', command: 'dino train', retries: 0, options: simulated(epochs: 1";

    @TempDir
    private static Path home;

    private static JenkinsProcess process;
    private static JenkinsClient jenkins;

    @BeforeAll
    static void start() throws IOException {
        process = JenkinsProcess.in(home);
        jenkins = process.start();
        jenkins.targets("new io.jenkins.plugins.tao.jenkins.config.SimulatedTargetConfiguration('sim', '"
                + home.resolve("sim") + "').with { speed = '10'; it }");
    }

    @AfterAll
    static void stop() {
        process.close();
    }

    @Test
    @Promise("JK-13")
    void taoRunReturnsHowTheJobEnded() throws IOException {
        Build build = jenkins.start("runs", "def r = " + RUN + "); echo \"${r.status} ${r.kpis.val_mAP > 0}\"");

        build.ends("SUCCESS");
        assertThat(build.log()).contains("SUCCESS true");
    }

    @Test
    @NeedsJenkins(plugins = "pipeline-model-definition")
    @Promise("JK-13")
    void taoRunIsAStepOfDeclarativePipelinesWithoutANode() throws IOException {
        Build build = jenkins.start(
                "declarative",
                "pipeline { agent none; stages { stage('a') { steps { " + RUN.replace("0,", "'0',") + ") } } } }");

        build.ends("SUCCESS");
    }

    @Test
    @Promise("JK-17")
    void retryRepeatsAfterAFailureOfMachinesAndNotAfterOneOfTheProgram() throws IOException {
        Build build = jenkins.start("retries", """
                int tries = 0
                retry(count: 3, conditions: [taoInfrastructure()]) {
                    tries++
                    %s, failure: tries == 1 ? 'node_lost' : null)
                }
                echo "machines: ${tries}"
                tries = 0
                try {
                    retry(count: 3, conditions: [taoInfrastructure()]) {
                        tries++
                        %s, failure: 'exit')
                    }
                } catch (e) {
                    echo "program: ${tries}"
                }
                """.formatted(RUN, RUN));

        build.ends("SUCCESS");
        assertThat(build.log()).contains("machines: 2").contains("program: 1");
    }

    @Test
    @Promise("JK-17")
    void catchErrorAndWarnErrorGoOnAndShowTheMessageWithoutAStackTrace() throws IOException {
        Build build = jenkins.start(
                "goes-on",
                "catchError(buildResult: 'UNSTABLE') { " + RUN + ", failure: 'exit') }; warnError('warned') { " + RUN
                        + ", failure: 'exit') }; echo 'went on'");

        build.ends("UNSTABLE");
        assertThat(build.log())
                .contains("warned")
                .contains("went on")
                .contains("failed: PROGRAM")
                .doesNotContain("\tat ");
    }

    @Test
    @NeedsJenkins(plugins = "pipeline-milestone-step")
    @Promise("JK-17")
    void aTimeoutAndAFailedBranchCancelTheJobsOfTheirBlocks() throws IOException {
        Build build = jenkins.start("ends-early", """
                try { timeout(time: 40, unit: 'SECONDS') { %1$s, failure: 'never_starts') } } catch (e) { echo 'timed out' }
                milestone 1
                parallel failFast: true, waits: { %1$s, failure: 'never_starts') }, fails: { %1$s, failure: 'exit') }
                """.formatted(RUN));

        build.ends("FAILURE");
        assertThat(build.log())
                .contains("timed out")
                .contains("cancelled: by Timeout has been exceeded")
                .contains("cancelled: by Failed in branch fails");
    }

    @Test
    @NeedsJenkins(plugins = "lockable-resources")
    @Promise("JK-17")
    void aLockLetsOneJobAfterTheOtherThroughAndIsOpenAgainWhenAJobFailed() throws IOException {
        Build build = jenkins.start("locks", """
                int inside = 0
                int most = 0
                def one = { more ->
                    lock('gpu') {
                        inside++
                        most = Math.max(most, inside)
                        try { %1$s, failure: more) } finally { inside-- }
                    }
                }
                parallel a: { catchError(buildResult: 'SUCCESS') { one('exit') } }, b: { one(null) }, c: { one(null) }
                echo "at once ${most}"
                """.formatted(RUN));

        build.ends("SUCCESS");
        assertThat(build.log()).contains("at once 1").contains("failed: PROGRAM");
    }

    @Test
    @NeedsJenkins(plugins = "pipeline-milestone-step")
    @Promise("JK-17")
    void aLaterBuildThatPassesAMilestoneEndsTheEarlierOneAndItsJob() throws IOException {
        Build build = jenkins.start("passes", """
                milestone 1
                if (currentBuild.number == 1) { %1$s, failure: 'never_starts') }
                milestone 2
                """.formatted(RUN));
        build.says("PENDING");
        jenkins.post("job/passes/build?delay=0sec", "text/plain", "");

        build.ends("NOT_BUILT");
        assertThat(build.log()).contains("cancelled: by ");
    }

    @Test
    @Promise({"JK-14", "JK-15"})
    void whatIsAskedIsReturned() throws IOException {
        Build build = jenkins.start("asks", """
                def first = %1$s)
                echo "status ${taoStatus(first).state}"
                def report = taoPreflight(target: 'sim', command: 'dino train')
                echo "passed ${report.passed} ${report.checks*.verdict}"
                def preview = taoPreview(target: 'sim', command: 'dino train', spec: [lr: 0.2], options: simulated(epochs: 1))
                echo "changed ${preview.changes*.what} since ${preview.since}"
                """.formatted(RUN));

        build.ends("SUCCESS");
        assertThat(build.log()).contains("status ENDED").contains("passed true").contains("changed [spec lr] since #1");
    }

    @Test
    @Promise("JK-16")
    void whatFailedIsRunAgainAsItWasAskedForWithOtherResources() throws IOException {
        Build build = jenkins.start(
                "again",
                "def r = " + RUN + ", failure: 'exit'), failOnError: false, gpus: 2\n"
                        + "r = taoRetry(of: r, nodes: 2, options: simulated(epochs: 1))\necho \"again ${r.status}\"");

        build.ends("SUCCESS");
        assertThat(build.log()).contains("again SUCCESS");
    }
}
