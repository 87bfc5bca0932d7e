package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hudson.AbortException;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.AdminScene;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What steps around ours ask of it: {@code timeout}, {@code milestone} and a failed branch stop it, {@code catchError} and {@code lock} see its end. */
class StoppedStepsTest {
    private static final JobHandle JOB = SimulatedCluster.handle(1, Instant.EPOCH);
    private static final JobHandle OTHER = SimulatedCluster.handle(2, Instant.EPOCH);

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new AdminScene().extensions(new TaoRunActions()));
        build = jenkins.build("train");
        jenkins.cluster().set(JOB, JobStatus.live(JobState.RUNNING, "RUNNING"));
        jenkins.cluster().set(OTHER, JobStatus.live(JobState.RUNNING, "RUNNING"));
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @Test
    @Promise("JK-17")
    void aStepThatIsStoppedCancelsItsOwnJobAndEndsWithTheCauseOfTheStop() throws Exception {
        StepProbe stopped = new StepProbe(build);
        StepProbe other = new StepProbe(build);
        StepExecution execution = stopped.start(new WaitStep(JOB.token()));
        other.start(new WaitStep(OTHER.token()));
        Throwable timeout = new IllegalStateException("Timeout has been exceeded");

        execution.stop(timeout);
        await().until(() -> jenkins.cluster().cancelled().contains(JOB));
        jenkins.cluster().set(JOB, JobStatus.ended(Ending.CANCELLED, "CANCELLED"));

        assertThat(stopped.failure()).isSameAs(timeout);
        assertThat(jenkins.cluster().cancelled()).containsExactly(JOB);
        assertThat(other.isDone()).isFalse();
    }

    @Test
    @Promise("JK-17")
    void anAbortThatJenkinsTellsTwiceIsOneAndTheStepWaitsForTheEndOfItsJob() throws Exception {
        StepProbe stopped = new StepProbe(build);
        StepExecution execution = stopped.start(new WaitStep(JOB.token()));
        Throwable superseded = new IllegalStateException("Superseded by train#2");

        execution.stop(superseded);
        execution.stop(new IllegalStateException("Superseded by train#2"));

        await().until(() -> jenkins.cluster().cancelled().contains(JOB));
        assertThat(stopped.isDone()).isFalse();
        jenkins.cluster().set(JOB, JobStatus.ended(Ending.CANCELLED, "CANCELLED"));
        assertThat(stopped.failure()).isSameAs(superseded);
    }

    @Test
    @Promise("JK-17")
    void aSecondAbortLaterWaitsForTheJobNoLonger() throws Exception {
        StepProbe stopped = new StepProbe(build);
        StepExecution execution = stopped.start(new WaitStep(JOB.token()));
        Throwable second = new IllegalStateException("again");
        execution.stop(new IllegalStateException("by an operator"));
        await().until(() -> jenkins.cluster().cancelled().contains(JOB));

        jenkins.ticker().advance(Duration.ofSeconds(3));
        execution.stop(second);

        assertThat(stopped.failure()).isSameAs(second);
    }

    @Test
    @Promise("JK-17")
    void aStepWhoseJobFailedEndsWithAMessageForTheLogAndNoStackTrace() throws Exception {
        StepProbe probe = new StepProbe(build);
        probe.start(new WaitStep(JOB.token()));

        jenkins.cluster().set(JOB, JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(3));

        assertThat(probe.failure()).isInstanceOf(AbortException.class).hasMessageContaining("failed: PROGRAM");
    }
}
