package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.jenkins.run.TaoJob;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.RetryBudget;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Times and budgets that {@code taoSubmit} takes. */
class SubmitTermsTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(
                home, new LiveBuilds(), new OpenBuilds(), new StateSaves(), new CancelRequests(), new TaoRunActions());
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private JobHandle submitted(SubmitStep step) throws Exception {
        StepProbe probe = new StepProbe(build);
        probe.start(step);
        return JobHandle.parse(((TaoJob) probe.answer()).getToken());
    }

    @Test
    void aTimeWithoutAUnitIsTakenAsMinutesAndTheLogSaysSo() throws Exception {
        SubmitStep step = new SubmitStep(FakeJenkins.TARGET, "train");
        step.setTimeLimit("30");

        JobHandle job = submitted(step);

        assertThat(job.timeLimit()).hasValueSatisfying(time -> assertThat(time).hasMinutes(30));
        assertThat(build.log())
                .contains(
                        "WARNING: timeLimit: 30 has no unit and is taken as minutes. Write '30m', or '30h' for hours.");
    }

    @Test
    void theRetryBudgetOfTaoSubmitIsInTheTokenThatALaterWaitReads() throws Exception {
        SubmitStep step = new SubmitStep(FakeJenkins.TARGET, "train");
        step.setRetryBudget("20 GPU-hours");

        assertThat(submitted(step).retryBudget()).contains(new RetryBudget("20 GPU-hours"));
    }
}
