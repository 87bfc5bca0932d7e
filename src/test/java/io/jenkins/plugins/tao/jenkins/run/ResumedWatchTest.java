package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.cloudbees.plugins.credentials.CredentialsProvider;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A watch that goes on after a restart, in a Jenkins whose target may be missing by then. */
@Promise("TR-31")
class ResumedWatchTest {
    private static final JobHandle JOB = SimulatedCluster.handle(1, Instant.EPOCH);

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new LiveBuilds(), new CancelRequests(), new TaoRunActions());
        build = jenkins.build("train");
        jenkins.cluster().set(JOB, JobStatus.live(JobState.RUNNING, "RUNNING"));
        jenkins.configured(false);
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @Test
    void itWaitsForATargetThatIsMissingAndTheLogHasTheTokenOnce() {
        JobWatch watch = resume();

        jenkins.ticker().advance(Duration.ofMinutes(10));

        assertThat(build.log())
                .containsOnlyOnce("sim/1 cannot be watched: There is no TAO target 'sim'.")
                .contains("The job's token is " + JOB.token());
        assertThat(watch.result()).isNotDone();
        assertThat(watch.describe()).contains("cannot be watched: There is no TAO target 'sim'.");
    }

    @Test
    @Promise("JK-12")
    void theAdministratorsPageAndThePageOfTheBuildSayThatItWaits() {
        TaoRunAction.of(build).add(JobRecord.takenUp(JOB));
        JobWatch watch = resume();

        assertThat(WatchedJobs.blockedTargets()).containsExactly("sim");
        assertThat(TaoRunAction.of(build).job("job-1").orElseThrow().getDetail())
                .startsWith("cannot be watched: There is no TAO target 'sim'.");

        jenkins.configured(true);
        jenkins.ticker().advance(Duration.ofSeconds(15));
        await().until(() -> WatchedJobs.blockedTargets().isEmpty());
        watch.stop();
    }

    @Test
    @Promise("JK-12")
    void theBuildLogSaysOnceThatTheTargetOfAWatchedJobWasRemoved() {
        jenkins.configured(true);
        JobWatch watch = resume();
        AdminScene scene = new AdminScene();

        scene.saved(new RemovedTargets());
        assertThat(build.log()).doesNotContain("configured any more");

        jenkins.configured(false);
        scene.saved(new RemovedTargets());
        scene.saved(new RemovedTargets());
        assertThat(build.log()).containsOnlyOnce("the target sim is not configured any more; sim/1 continues");

        jenkins.configured(true);
        scene.saved(new RemovedTargets());
        assertThat(build.log()).containsOnlyOnce("the target sim is configured again");
        watch.stop();
    }

    @Test
    void itGoesOnWhenTheTargetIsBack() {
        JobWatch watch = resume();
        jenkins.configured(true);

        jenkins.ticker().advance(Duration.ofSeconds(15));

        await().until(() -> build.log().contains("sim/1 is watched again")
                && jenkins.cluster().polls() > 0);
        assertThat(watch.result()).isNotDone();
        watch.stop();
    }

    @Test
    void aJobWhoseSecretIsGoneIsNotWatchedUnmasked() {
        jenkins.configured(true);
        TaoRunAction.of(build).add(JobRecord.intended(JOB.key(), "sim", Map.of("NGC_KEY", "ngc"), false));
        JobWatch watch = resume();

        assertThat(build.log()).containsOnlyOnce("sim/1 cannot be watched: There is no credential 'ngc'");

        CredentialsProvider.put("", "ngc", "nvapi-0123456789");
        jenkins.ticker().advance(Duration.ofSeconds(15));

        await().until(() -> build.log().contains("sim/1 is watched again"));
        watch.stop();
    }

    @Test
    void theJobIsCancelledOnceTheTargetIsBackWhereTheBuildIsAbortedBefore() {
        JobWatch watch = resume();

        assertThat(watch.abort("anna")).isDone();
        jenkins.configured(true);
        jenkins.ticker().advance(Duration.ofMinutes(5));

        await().until(() -> jenkins.cluster().cancelled().contains(JOB));
        assertThat(build.log()).contains("sim/1 is to end: anna").doesNotContain("is watched again");
    }

    private JobWatch resume() {
        WatchTerms terms = new WatchTerms(ArtifactPlan.of(List.of()), WatchPlan.defaults(), true);
        return WatchRun.resume(new BuildScope(build, build.listener()), terms, JOB);
    }
}
