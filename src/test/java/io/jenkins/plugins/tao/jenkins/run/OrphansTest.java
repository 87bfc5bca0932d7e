package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hudson.model.Result;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.HeardLog;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that live at a target and that no build looks after. */
@Promise("JK-08")
class OrphansTest {
    private static final JobHandle JOB = SimulatedCluster.handle(1, Instant.EPOCH);

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;
    private final Orphans orphans = new Orphans();

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(
                home, new LiveBuilds(), new OpenBuilds(), new CancelRequests(), new TaoRunActions(), orphans);
        build = jenkins.build("train");
        jenkins.cluster().set(JOB, JobStatus.live(JobState.RUNNING, "RUNNING"));
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @Test
    void aJobWhoseBuildWasDeletedIsAnOrphanAndAnAlarm() {
        LastBuilds.get().keep(JOB.key(), "sim", "deleted#7");

        orphans.search();

        Orphan orphan = orphans.all().get(0);
        assertThat(orphan.getKind()).isEqualTo(Orphan.Kind.GONE);
        assertThat(orphan.getBuild()).isEqualTo("deleted#7");
        assertThat(orphan.getToken()).isEqualTo(JOB.token());
        assertThat(orphans.alarms()).isEqualTo(1);
    }

    @Test
    void aJobThatABuildWaitsForIsNone() {
        WatchRun watch = WatchRun.start(scope(), terms(), JOB);
        await().until(() -> watch.label().equals("sim/1 RUNNING"));

        orphans.search();

        assertThat(orphans.all()).isEmpty();
        watch.stop();
    }

    @Test
    void aJobOfABuildThatRunsIsNoneThoughNothingWatchesItYet() {
        LastBuilds.get().keep(JOB.key(), "sim", "train#1");

        orphans.search();
        assertThat(orphans.all()).isEmpty();

        build.end(Result.FAILURE);
        orphans.search();
        assertThat(orphans.all()).extracting(Orphan::getKind).containsExactly(Orphan.Kind.UNWATCHED);
    }

    @Test
    void aJobThatItsBuildLeftOnPurposeIsListedAndNoAlarm() {
        LastBuilds.get().keep(JOB.key(), "sim", "train#1");
        TaoRunAction.of(build).add(JobRecord.takenUp(JOB).ownedBy(JobOwner.LEFT));
        build.end(Result.SUCCESS);

        orphans.search();

        assertThat(orphans.all()).extracting(Orphan::getKind).containsExactly(Orphan.Kind.LEFT);
        assertThat(orphans.alarms()).isZero();
    }

    @Test
    void aJobThatItsBuildGaveUpAsLostIsAnAlarmOnceItLivesAgain() {
        LastBuilds.get().keep(JOB.key(), "sim", "train#1");
        TaoRunAction.of(build).add(JobRecord.takenUp(JOB).now("LOST", "no word").ownedBy(JobOwner.LEFT));
        build.end(Result.FAILURE);

        orphans.search();

        assertThat(orphans.all()).extracting(Orphan::getKind).containsExactly(Orphan.Kind.UNWATCHED);
        assertThat(orphans.alarms()).isEqualTo(1);
    }

    @Test
    void aJobThatEndsWhileItsTargetIsSearchedIsNone() {
        jenkins.cluster().belongsTo(TaoRuntime.dispatcher().controller().id());
        WatchRun watch = WatchRun.start(scope(), terms(), JOB);
        await().until(() -> watch.label().equals("sim/1 RUNNING"));
        jenkins.cluster().duringLook(() -> {
            watch.stop();
            LastBuilds.get().drop(JOB.key());
        });

        orphans.search();

        assertThat(orphans.searches().get(0).isComplete()).isTrue();
        assertThat(OrphanRules.caredFor()).isEmpty();
        assertThat(orphans.all()).isEmpty();
    }

    @Test
    void aJobOfAnotherControllerIsNoneAndOneThatNobodyKnowsIsNoAlarm() {
        orphans.search();
        assertThat(orphans.all()).extracting(Orphan::getKind).containsExactly(Orphan.Kind.UNKNOWN);
        assertThat(orphans.alarms()).isZero();

        LastBuilds.get().keep(JOB.key(), "sim", "deleted#7");
        jenkins.cluster().belongsTo("jenkins-other");
        orphans.search();
        assertThat(orphans.all()).isEmpty();
    }

    @Test
    void aTargetThatCannotBeAskedIsUnknownAndKeepsWhatWasFoundBefore() {
        LastBuilds.get().keep(JOB.key(), "sim", "deleted#7");
        orphans.search();

        jenkins.cluster().fallSilent(new BackendException.Unreachable("no answer from sim.", "Wait."));
        orphans.search();

        assertThat(orphans.searches().get(0).isComplete()).isFalse();
        assertThat(orphans.searches().get(0).getUnknown()).contains("no answer from sim.");
        jenkins.ticker().advance(Duration.ofMinutes(2));
        assertThat(orphans.searches().get(0).getAge()).isEqualTo("2m ago");
        assertThat(orphans.all()).hasSize(1);
    }

    @Test
    void aListWithAGapForgetsNoJob() throws Exception {
        JobHandle other = SimulatedCluster.handle(2, Instant.EPOCH);
        LastBuilds.get().keep(other.key(), "sim", "deleted#8");
        Path note = home.resolve("tao/sent").resolve(other.key().value());
        Files.setLastModifiedTime(
                note, java.nio.file.attribute.FileTime.from(Instant.now().minus(Duration.ofDays(3))));

        jenkins.cluster().gap("a page of the list is missing");
        orphans.search();
        assertThat(orphans.searches().get(0).isComplete()).isFalse();
        assertThat(note).exists();
    }

    @Test
    void aCancelledOneIsAskedToEndUntilThatIsConfirmedAndIsNoOrphanMeanwhile() {
        LastBuilds.get().keep(JOB.key(), "sim", "deleted#7");
        orphans.search();

        orphans.cancel(orphans.find("job-1").orElseThrow(), "ana on the page TAO jobs");

        await().until(() -> jenkins.cluster().cancelled().contains(JOB));
        orphans.search();
        assertThat(orphans.all()).isEmpty();
        assertThat(home.resolve("tao-run").resolve("job-1.wish")).exists();
    }

    @Test
    void anIgnoredOneIsNoAlarmAlsoAfterARestart() {
        LastBuilds.get().keep(JOB.key(), "sim", "deleted#7");
        orphans.search();

        orphans.ignore(orphans.find("job-1").orElseThrow(), true);
        assertThat(orphans.alarms()).isZero();

        Orphans restarted = new Orphans();
        restarted.search();
        assertThat(restarted.all()).extracting(Orphan::isIgnored).containsExactly(true);
        assertThat(restarted.alarms()).isZero();

        restarted.ignore(restarted.find("job-1").orElseThrow(), false);
        assertThat(restarted.alarms()).isEqualTo(1);
    }

    @Test
    void anAdoptedOneIsWatchedToItsEndOnThePageOfABuildThatHasEnded() {
        orphans.search();
        Orphan orphan = orphans.find("job-1").orElseThrow();
        assertThatThrownBy(() -> orphans.adopt(orphan, "train#1")).hasMessageContaining("train#1 runs");
        assertThatThrownBy(() -> orphans.adopt(orphan, "none#3")).hasMessageContaining("no build 'none#3'");
        build.end(Result.SUCCESS);

        orphans.adopt(orphan, "train#1");

        await().until(() -> OrphanRules.caredFor().contains("job-1"));
        assertThat(orphans.all()).isEmpty();
        assertThat(OpenBuilds.get().all()).containsExactly("train#1");
        endsOnThePage(JOB);
        await().until(() -> OpenBuilds.get().all().isEmpty());
    }

    @Test
    void theEndOfOneAdoptedJobLeavesTheOtherOfTheSameBuildInCare() {
        JobHandle other = SimulatedCluster.handle(2, Instant.EPOCH);
        jenkins.cluster().set(other, JobStatus.live(JobState.RUNNING, "RUNNING"));
        build.end(Result.SUCCESS);
        orphans.search();
        orphans.adopt(orphans.find("job-1").orElseThrow(), "train#1");
        orphans.adopt(orphans.find("job-2").orElseThrow(), "train#1");
        await().until(() -> OrphanRules.caredFor().containsAll(List.of("job-1", "job-2")));

        endsOnThePage(JOB);
        await().during(Duration.ofMillis(300))
                .until(() -> OpenBuilds.get().all().equals(List.of("train#1")));

        endsOnThePage(other);
        await().until(() -> OpenBuilds.get().all().isEmpty());
    }

    @Test
    void aJobThatTheBuildHadTakenUpIsWatchedAlsoAfterARestartOnceItIsAdopted() {
        TaoRunAction.of(build).add(JobRecord.takenUp(JOB).now("LOST", "no word").ownedBy(JobOwner.LEFT));
        build.end(Result.FAILURE);
        orphans.search();
        orphans.adopt(orphans.find("job-1").orElseThrow(), "train#1");
        await().until(() -> OrphanRules.caredFor().contains("job-1"));

        stop();
        start();
        build.end(Result.FAILURE);
        assertThat(OrphanRules.caredFor()).isEmpty();
        try (HeardLog log = HeardLog.of(UnseenEnds.class)) {
            UnseenEnds.lookAfterAll();

            await().until(() -> OrphanRules.caredFor().contains("job-1"));
            assertThat(OpenBuilds.get().all()).containsExactly("train#1");
            endsOnThePage(JOB);
            await().until(() -> OpenBuilds.get().all().isEmpty());
            assertThat(log.text()).contains(JOB.token()).doesNotContain("[tao]"); // a line at each poll for days
        }
    }

    private void endsOnThePage(JobHandle job) {
        jenkins.cluster()
                .set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        await().until(() -> {
            jenkins.ticker().advance(Duration.ofMinutes(1));
            return TaoRunAction.of(build).job(job.key().value()).orElseThrow().owner() == JobOwner.ENDED;
        });
    }

    private static ConditionFactory await() {
        return Awaitility.await();
    }

    private BuildScope scope() {
        return new BuildScope(build, build.listener());
    }

    private static WatchTerms terms() {
        return new WatchTerms(ArtifactPlan.of(List.of()), WatchPlan.defaults(), false);
    }
}
