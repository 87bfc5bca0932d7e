package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.BuildFolder;
import io.jenkins.plugins.tao.jenkins.page.JobCard;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.report.FailureCard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One job watched for one build. */
class WatchRunTest {
    private static final JobHandle JOB = SimulatedCluster.handle(1, Instant.EPOCH);
    private static final JobStatus PENDING = JobStatus.live(JobState.PENDING, "PENDING");
    private static final JobStatus RUNNING = JobStatus.live(JobState.RUNNING, "RUNNING");
    private static final JobStatus CANCELLED = JobStatus.ended(Ending.CANCELLED, "CANCELLED");

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new LiveBuilds(), new CancelRequests(), new TaoRunActions());
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @Test
    @Promise("TR-77")
    void ofAJobThatWasCancelledWhileItWaitedNoFilesAreAskedFor() {
        JobWatch watch = watched(PENDING);

        cancel(watch);

        assertThat(watch.result().join().getStatus()).isEqualTo("ABORTED");
        assertThat(jenkins.cluster().fetches()).isZero();
    }

    @Test
    void ofAJobThatRanTheFilesAreAskedForThoughItWasCancelled() {
        JobWatch watch = watched(RUNNING);

        cancel(watch);

        assertThat(watch.result().join().getStatus()).isEqualTo("ABORTED");
        assertThat(jenkins.cluster().fetches()).isEqualTo(1);
    }

    @Test
    void ofAJobThatMayHaveRunBeforeARestartTheFilesAreAskedFor() {
        JobWatch first = watched(PENDING);
        MemoryFile memory = new MemoryFile(build, JOB.key().value(), () -> {});
        await().until(() -> memory.load().isPresent());
        first.stop();
        JobWatch again = watched(PENDING);

        cancel(again);

        assertThat(again.result().join().getStatus()).isEqualTo("ABORTED");
        assertThat(jenkins.cluster().fetches()).isEqualTo(1);
    }

    @Test
    @Promise("TR-39")
    void eachStateIsToldToTheStepThatShowsItInTheGraph() {
        jenkins.cluster().set(JOB, PENDING);
        JobWatch watch = watch();
        Set<String> labels = ConcurrentHashMap.newKeySet();
        watch.onMove(() -> labels.add(watch.label()));

        jenkins.cluster().set(JOB, RUNNING);

        await().until(() -> labels.contains("sim/1 RUNNING"));
        watch.stop();
    }

    private JobWatch watched(JobStatus status) {
        jenkins.cluster().set(JOB, status);
        JobWatch watch = watch();
        await().until(() -> watch.label().equals("sim/1 " + status.nativeState()));
        return watch;
    }

    @Test
    @Promise("NV-32")
    void whatTheTargetFoundAfterAFailureIsOnTheCardInTheLogAndBesideTheRecord() {
        jenkins.cluster().finds(new Diagnosis("The node is out of memory.", "Ask for another node.", List.of()));
        JobWatch watch = watched(RUNNING);

        jenkins.cluster()
                .set(JOB, JobStatus.ended(Ending.NODE_FAILURE, "NODE_FAIL").withExitCode(1));

        assertThat(watch.result().join().getStatus()).isEqualTo("FAILURE");
        assertThat(build.log())
                .contains("**Why**: A node failed. The node is out of memory.", "**Next step**: Ask for another node.");
        assertThat(BuildFolder.file(build, JOB.key().value(), "failure.md"))
                .content()
                .contains("**Next step**: Ask for another node.");
    }

    @Test
    @Promise("NV-32")
    void thePagesOfTheJobAndOfTheBuildSayInPartsWhatTheLogAndTheArtifactSay() throws IOException {
        JobWatch watch = watched(RUNNING);
        jenkins.cluster()
                .set(JOB, JobStatus.ended(Ending.NODE_FAILURE, "NODE_FAIL").withExitCode(1));
        watch.result().join();
        Path text = BuildFolder.file(build, JOB.key().value(), "failure.md");
        TaoRunAction page = TaoRunAction.of(build);

        JobCard card = Objects.requireNonNull(
                Objects.requireNonNull(page.getJob(JOB.key().value())).getCard());

        assertThat(card.getText()).isEqualTo(Files.readString(text));
        assertThat(card.getText().lines())
                .allSatisfy(line -> assertThat(build.log()).contains(line));
        FailureCard parts = Objects.requireNonNull(card.getParts());
        assertThat(List.of(parts.getTitle(), parts.getNext(), parts.getCause(), parts.getWhy(), parts.getTried()))
                .allSatisfy(part -> assertThat(part).isNotBlank())
                .allSatisfy(part -> assertThat(card.getText()).contains(part));
        assertThat(page.getCards()).extracting(JobCard::getText).containsExactly(card.getText());

        Files.delete(BuildFolder.file(build, JOB.key().value(), "record.json"));
        assertThat(page.getCards()).extracting(JobCard::getParts).containsOnlyNulls();
    }

    private JobWatch watch() {
        WatchTerms terms =
                new WatchTerms(ArtifactPlan.of(List.of()), WatchPlan.defaults().withoutRetries(), true);
        return WatchRun.start(new BuildScope(build, build.listener()), terms, JOB);
    }

    private void cancel(JobWatch watch) {
        var unused = watch.abort("anna");
        await().until(() -> jenkins.cluster().cancelled().contains(JOB));
        jenkins.cluster().set(JOB, CANCELLED);
    }
}
