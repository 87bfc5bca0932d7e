package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import io.jenkins.plugins.tao.jenkins.run.JobRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.jenkins.run.TaoJob;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code taoSubmit} with several targets, after another job, and on targets with limits. */
class PlacedStepsTest {
    @TempDir
    private Path home;

    private final SimulatedCluster full = new SimulatedCluster();
    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new LiveBuilds(), new OpenBuilds(), new StateSaves(), new TaoRunActions());
        jenkins.cluster().also("full", full);
        TaoGlobalConfiguration.get().setTargets(List.of(new Entered("full"), new Entered(FakeJenkins.TARGET)));
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private static SubmitStep onBoth() {
        SubmitStep step = new SubmitStep("", "train");
        step.setTargets("full\n" + FakeJenkins.TARGET);
        return step;
    }

    @Test
    @Promise("NS-13")
    void aTargetThatRefusesLeavesTheJobToTheNext() throws Exception {
        full.fallSilent(new BackendException.Rejected("No room.", "Wait."));
        StepProbe probe = new StepProbe(build);
        probe.start(onBoth());

        TaoJob job = (TaoJob) probe.answer();

        assertThat(job.getTarget()).isEqualTo(FakeJenkins.TARGET);
        assertThat(job.getId()).endsWith("-t2");
        assertThat(full.submissions()).isZero();
        assertThat(build.log()).contains("full does not run the job: No room. Wait.");
    }

    @Test
    @Promise("NS-13")
    void whatAllTargetsRefuseFailsTheStepWithEachRefusal() throws Exception {
        full.fallSilent(new BackendException.Rejected("No room.", "Wait."));
        jenkins.cluster().fallSilent(new BackendException.Denied("No key.", "Add one."));
        StepProbe probe = new StepProbe(build);
        probe.start(onBoth());

        assertThat(probe.failure())
                .hasMessageContaining("None of 2 targets runs the job.")
                .hasMessageContaining("full: No room. Wait.")
                .hasMessageContaining("sim: No key. Add one.");
    }

    @Test
    @Promise("NS-13")
    void afterARestartTheJobIsLookedForWhereItWasSent() throws Exception {
        full.fallSilent(new BackendException.Rejected("No room.", "Wait."));
        StepProbe probe = new StepProbe(build);
        SubmitExecution execution = (SubmitExecution) probe.start(onBoth());
        probe.answer();
        full.answerAgain();
        int sent = full.submissions();

        execution.onResume(); // as the process that died before the step's answer was saved

        await().until(() -> build.log().contains("stays on sim"));
        assertThat(full.submissions())
                .as("the target that refused is not asked again")
                .isEqualTo(sent);
    }

    private JobHandle parent(JobStatus status) {
        JobHandle parent = SimulatedCluster.handle(7, Instant.EPOCH);
        jenkins.cluster().set(parent, status);
        return parent;
    }

    private SubmitStep after(JobHandle parent) {
        SubmitStep step = new SubmitStep(FakeJenkins.TARGET, "evaluate {parent.results}");
        step.setAfter(parent.token());
        return step;
    }

    @Test
    @Promise("NS-11")
    void aJobAfterOneThatSucceededIsSent() throws Exception {
        StepProbe probe = new StepProbe(build);
        probe.start(after(parent(JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0))));

        probe.answer();

        assertThat(jenkins.cluster().submissions()).isOne();
        assertThat(build.log()).contains("waits for sim/7 (job-7) to succeed");
    }

    @Test
    @Promise({"NS-12", "JK-16"})
    void whatIsRetriedTakesOverWhatItTookOverThen() throws Exception {
        StepProbe probe = new StepProbe(build);
        probe.start(after(parent(JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0))));
        String token = ((TaoJob) probe.answer()).getToken();

        JobRequest kept = JobRequests.of(build, JobHandle.parse(token).key());

        assertThat(kept.inherited()).isEqualTo(Map.of("results", "/results"));
        assertThat(new RetryStep(token).repeating(kept).inherited()).isEqualTo(Map.of("results", "/results"));
        assertThat(kept.getAfter()).isEmpty();
    }

    @Test
    @Promise("NS-11")
    void aJobAfterOneThatFailedIsNotSentAndTheStepSaysWhy() throws Exception {
        StepProbe probe = new StepProbe(build);
        probe.start(after(parent(JobStatus.ended(Ending.FAILED, "FAILED").withExitCode(3))));

        assertThat(probe.failure())
                .hasMessageContaining(
                        "Nothing was sent: the job job-7 (sim/7), after which this one was to run, ended as failed");
        assertThat(jenkins.cluster().submissions()).isZero();
    }

    @Test
    @Promise("NS-14")
    void aSecondJobWaitsForItsTurnWithoutAThread() throws Exception {
        TaoGlobalConfiguration.get().setLimits("- {target: sim, jobs: 1}");
        StepProbe first = new StepProbe(build);
        first.start(new SubmitStep(FakeJenkins.TARGET, "train"));
        JobHandle job = JobHandle.parse(((TaoJob) first.answer()).getToken());
        jenkins.cluster().set(job, JobStatus.live(io.jenkins.plugins.tao.job.JobState.RUNNING, "RUNNING"));
        StepProbe second = new StepProbe(build);
        second.start(new SubmitStep(FakeJenkins.TARGET, "train"));

        await().until(() -> build.log().contains("1st in the queue of target sim: 1 of 1 jobs there"));
        assertThat(second.isDone()).isFalse();
        jenkins.cluster().set(job, JobStatus.ended(Ending.COMPLETED, "COMPLETED"));
        await().until(() -> {
            jenkins.ticker().advance(Duration.ofSeconds(10));
            return second.isDone();
        });
        assertThat(jenkins.cluster().submissions()).isEqualTo(2);
    }

    @Test
    @Promise("NS-14")
    void aJobWaitsForTheShareOfItsFolderAndAJobOutsideDoesNot() throws Exception {
        TaoGlobalConfiguration.get().setLimits("- {target: sim, folder: vision, jobs: 1}");
        FakeBuild inside = jenkins.build("vision/train");
        StepProbe first = new StepProbe(inside);
        first.start(new SubmitStep(FakeJenkins.TARGET, "train"));
        JobHandle job = JobHandle.parse(((TaoJob) first.answer()).getToken());
        jenkins.cluster().set(job, JobStatus.live(io.jenkins.plugins.tao.job.JobState.RUNNING, "RUNNING"));

        StepProbe second = new StepProbe(inside);
        second.start(new SubmitStep(FakeJenkins.TARGET, "train"));
        StepProbe outside = new StepProbe(build);
        outside.start(new SubmitStep(FakeJenkins.TARGET, "train"));

        await().until(() -> inside.log().contains("folder vision: 1 of 1 jobs there"));
        outside.answer();
        assertThat(second.isDone()).isFalse();
    }

    /** A target as it is entered. */
    private static final class Entered extends TargetConfiguration {
        Entered(String name) {
            super(name);
        }

        @Override
        public Target toTarget(CredentialStore credentials) {
            return new SimulatedCluster.Place(getName(), Optional.empty());
        }

        @Override
        protected Class<SimulatedCluster.Place> type() {
            return SimulatedCluster.Place.class;
        }
    }
}
