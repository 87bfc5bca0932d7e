package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hudson.model.Result;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;
import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The block of taoFollow; its runs are played. */
class EventBlocksTest {
    private static final JobHandle JOB = SimulatedCluster.handle(1, Instant.EPOCH);
    private static final JobStatus RUNNING = JobStatus.live(JobState.RUNNING, "RUNNING");
    private static final JobStatus DONE =
            JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0);

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;
    private PlayedBlocks blocks;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new LiveBuilds(), new CancelRequests(), new TaoRunActions());
        build = jenkins.build("train");
        blocks = new PlayedBlocks(new StepProbe(build));
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private static void eventually(ThrowingRunnable check) {
        await().untilAsserted(check);
    }

    private List<String> told() {
        return blocks.begun("TAO_EVENT");
    }

    /** The wait for a job that is in {@code state}. */
    private WaitExecution waiting(JobStatus state) {
        return waiting(state, new FollowStep(JOB.token()));
    }

    private WaitExecution waiting(JobStatus state, WaitStep step) {
        jenkins.cluster().set(JOB, state);
        step.setInterval("1s");
        WaitExecution wait = new WaitExecution(blocks, step);
        wait.start();
        return wait;
    }

    @Test
    @Promise("JK-26")
    void theBlockRunsForEachEventAndTheStepEndsAfterTheLastOne() throws Exception {
        waiting(JobStatus.live(JobState.PENDING, "PENDING"));
        jenkins.cluster().set(JOB, RUNNING);
        eventually(() -> assertThat(told()).containsExactly("RUNNING"));
        blocks.end(0, null);
        jenkins.cluster().set(JOB, DONE);
        eventually(() -> assertThat(told()).containsExactly("RUNNING", "ENDED"));

        assertThat(blocks.probe().isDone()).isFalse();
        blocks.end(1, null);

        assertThat(((TaoResult) blocks.probe().answer()).getStatus()).isEqualTo("SUCCESS");
        assertThat(blocks.begun("TAO_JOB_ID")).containsOnly(JOB.key().value());
        assertThat(blocks.begun("TAO_TARGET")).containsOnly(FakeJenkins.TARGET);
        assertThat(blocks.begun("TAO_STATUS")).containsExactly(null, "SUCCESS");
    }

    @Test
    @Promise("JK-26")
    void noTwoOfItsRunsAreUnderWayAtOnce() {
        waiting(RUNNING);
        eventually(() -> assertThat(told()).containsExactly("RUNNING"));
        jenkins.cluster().set(JOB, DONE);
        eventually(() -> assertThat(build.log()).contains("succeeded"));

        assertThat(told()).containsExactly("RUNNING");
        blocks.end(0, null);

        eventually(() -> assertThat(told()).containsExactly("RUNNING", "ENDED"));
    }

    @Test
    @Promise("JK-26")
    void aBlockThatFailsLeavesTheJobAloneAndFailsTheStepAtItsEnd() throws Exception {
        waiting(RUNNING);
        eventually(() -> assertThat(told()).containsExactly("RUNNING"));
        blocks.end(0, new IOException("the chat does not answer"));
        eventually(() -> assertThat(build.log()).contains("The job is left alone"));
        assertThat(blocks.probe().isDone()).isFalse();
        jenkins.cluster().set(JOB, DONE);
        eventually(() -> assertThat(told()).containsExactly("RUNNING", "ENDED"));
        blocks.end(1, null);

        assertThat(blocks.probe().failure())
                .hasMessage("the block of the step failed on RUNNING of sim/1: the chat does not answer");
    }

    @Test
    @Promise("JK-26")
    void anAbortOfTheBlockIsOneOfTheStepAndOfItsJob() {
        waiting(RUNNING);
        eventually(() -> assertThat(told()).containsExactly("RUNNING"));

        blocks.end(0, new InterruptedException("by an operator"));

        eventually(() -> assertThat(jenkins.cluster().cancelled()).contains(JOB));
        jenkins.cluster().set(JOB, JobStatus.ended(Ending.CANCELLED, "CANCELLED"));
        assertThat(blocks.probe().failure()).isInstanceOf(InterruptedException.class);
        assertThat(told()).containsExactly("RUNNING");
    }

    @Test
    @Promise("JK-26")
    void anAbortOfTheStepEndsItsBlock() {
        WaitStep step = new FollowStep(JOB.token());
        step.setOnAbort("detach");
        WaitExecution wait = waiting(RUNNING, step);
        eventually(() -> assertThat(told()).containsExactly("RUNNING"));

        wait.stop(new FlowInterruptedException(Result.ABORTED, true));

        assertThat(blocks.probe().failure()).isInstanceOf(FlowInterruptedException.class);
        assertThat(blocks.isOver(0)).isTrue();
    }

    @Test
    @Promise("JK-26")
    void afterARestartNoEventIsToldTwiceAndNoneIsLost() throws Exception {
        WaitExecution wait = waiting(RUNNING);
        eventually(() -> assertThat(told()).containsExactly("RUNNING"));
        jenkins.cluster().set(JOB, DONE);

        wait.onResume(); // the watch of the process before tells nobody any more, this one tells all anew

        eventually(() -> assertThat(build.log()).contains("succeeded"));
        assertThat(told()).containsExactly("RUNNING");
        blocks.end(0, null);
        eventually(() -> assertThat(told()).containsExactly("RUNNING", "ENDED"));
        blocks.end(1, null);
        assertThat(((TaoResult) blocks.probe().answer()).getStatus()).isEqualTo("SUCCESS");
        assertThat(told()).containsExactly("RUNNING", "ENDED");
    }
}
