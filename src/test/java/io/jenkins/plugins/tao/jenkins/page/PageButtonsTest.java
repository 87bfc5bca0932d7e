package io.jenkins.plugins.tao.jenkins.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hudson.model.Failure;
import hudson.model.Result;
import hudson.security.ACL;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.run.AdminScene;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.PageCancels;
import io.jenkins.plugins.tao.jenkins.run.PageRetries;
import io.jenkins.plugins.tao.jenkins.run.SubmissionId;
import io.jenkins.plugins.tao.jenkins.run.SubmitRun;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The buttons of a job's page: cancel and retry, and who may press them. */
class PageButtonsTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;
    private JobHandle job;

    @BeforeEach
    void aJobIsSubmitted() throws Exception {
        jenkins = FakeJenkins.in(
                home, new AdminScene().extensions(new TaoRunActions(), new PageCancels(), new PageRetries()));
        build = jenkins.build("train");
        SubmitStep step = new SubmitStep(FakeJenkins.TARGET, "train");
        step.setImage("tao:7");
        BuildScope scope = new BuildScope(build, build.listener());
        job = JobHandle.parse(SubmitRun.start(scope, step, SubmissionId.fresh(build), false, Optional.empty())
                .result()
                .get()
                .getToken());
        jenkins.cluster().set(job, JobStatus.live(JobState.RUNNING, "RUNNING"));
    }

    @AfterEach
    void stop() {
        ACL.deny(false);
        jenkins.close();
    }

    private JobPage page() {
        return Objects.requireNonNull(TaoRunAction.of(build).getJob(job.key().value()));
    }

    private void fails() {
        jenkins.cluster().set(job, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(1));
        TaoRunAction.of(build)
                .update(
                        job.key().value(),
                        record -> record.now("FAILURE", "exit code 1")
                                .knowing(Map.of(JobFacts.PHASE, "ENDED"))
                                .ownedBy(JobOwner.ENDED));
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    @Test
    @Promise("JK-02")
    void aJobIsCancelledFromItsPage() throws Exception {
        assertThat(page().isCancellable()).isTrue();
        assertThat(page().isRetriable()).isFalse();

        Answers.to(page()::doCancel, "");

        await().until(() -> jenkins.cluster().cancelled().contains(job));
        assertThat(page().isCancellable()).isFalse();
    }

    @Test
    @Promise("JK-07")
    void whoMayNotCancelOrBuildSeesNoButtonAndIsRefused() {
        ACL.deny(true);

        assertThat(page().isCancellable()).isFalse();
        assertThatThrownBy(() -> Answers.to(page()::doCancel, "")).isInstanceOf(SecurityException.class);
        fails();
        build.end(Result.FAILURE);
        assertThat(page().isRetriable()).isFalse();
        assertThatThrownBy(() -> Answers.to(page()::doRetry, "")).isInstanceOf(SecurityException.class);
        assertThat(jenkins.cluster().cancelled()).isEmpty();
        assertThat(jenkins.cluster().submissions()).isEqualTo(1);
    }

    @Test
    @Promise("JK-02")
    void aFailedJobOfABuildThatHasEndedRunsAgainAsAnotherJobOfItAndIsWatchedToItsEnd() throws Exception {
        fails();
        build.end(Result.FAILURE);

        Answers.to(page()::doRetry, "");

        await().until(() -> TaoRunAction.of(build).getJobs().stream()
                .filter(record -> !record.getId().equals(job.key().value()))
                .anyMatch(record -> record.handle().isPresent() && record.owner() == JobOwner.BUILD));
        assertThat(jenkins.cluster().submissions()).isEqualTo(2);
        JobRecord next = TaoRunAction.of(build).getJobs().get(1);
        JobPage again = Objects.requireNonNull(TaoRunAction.of(build).getJob(next.getId()));
        await().until(() -> "tao:7".equals(again.getAsked().get("image")));
        jenkins.cluster()
                .set(
                        next.handle().orElseThrow(),
                        JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        await().until(() -> TaoRunAction.of(build)
                .job(next.getId())
                .orElseThrow()
                .getState()
                .equals("SUCCESS"));
    }

    @Test
    @Promise("JK-02")
    void aJobOfARunningBuildIsLeftToItsPipeline() {
        fails();

        assertThat(page().isRetriable()).isFalse();
        assertThatThrownBy(() -> Answers.to(page()::doRetry, "")).isInstanceOf(Failure.class);
        assertThat(jenkins.cluster().submissions()).isEqualTo(1);
    }

    @Test
    @Promise("JK-02")
    void aRefusedTargetIsToldToWhoPressesRetry() {
        fails();
        build.end(Result.FAILURE);
        jenkins.configured(false);

        assertThatThrownBy(() -> Answers.to(page()::doRetry, "")).isInstanceOf(Failure.class);
        assertThat(jenkins.cluster().submissions()).isEqualTo(1);
    }
}
