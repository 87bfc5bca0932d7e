package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.config.SimulatedOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SimulatedTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import java.nio.file.Path;
import java.util.List;
import org.jenkinsci.plugins.workflow.cps.SnippetizerTester;
import org.jenkinsci.plugins.workflow.job.WorkflowRun;
import org.jenkinsci.plugins.workflow.steps.StepConfigTester;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

/** A place that plays jobs, in a real Jenkins: forms, and a Pipeline whose job fails as planned. */
@WithJenkins
class SimulatedTest {
    @TempDir
    private Path directory;

    private JenkinsRule jenkins;

    @BeforeEach
    void start(JenkinsRule rule) {
        jenkins = rule;
        SimulatedTargetConfiguration target =
                new SimulatedTargetConfiguration("night", directory.resolve("sim").toString());
        target.setSpeed("100");
        target.setNodes("8");
        target.setSeed("3");
        TaoGlobalConfiguration.get().setTargets(List.of(target));
    }

    @Test
    void theTargetSurvivesTheSystemPage() throws Exception {
        List<TargetConfiguration> given = TaoGlobalConfiguration.get().getTargets();

        jenkins.configRoundtrip();

        assertThat(TaoGlobalConfiguration.get().getTargets())
                .usingRecursiveComparison()
                .isEqualTo(given);
    }

    @Test
    void theOptionsSurviveTheFormOfTaoSubmit() throws Exception {
        SubmitStep step = new SubmitStep("night", "true");
        SimulatedOptionsConfiguration options = new SimulatedOptionsConfiguration();
        options.setSeed("7");
        options.setEpochs("3");
        options.setKpis("val_mAP: 0.42");
        options.setFailure("nan");
        options.setFailAt("2");
        step.setOptions(options);

        SubmitStep back = new StepConfigTester(jenkins).configRoundTrip(step);

        jenkins.assertEqualDataBoundBeans(step, back);
        new SnippetizerTester(jenkins)
                .assertRoundTrip(
                        step,
                        "taoSubmit command: 'true', options: simulated(epochs: '3', failAt: '2', failure: 'nan', kpis: 'val_mAP:"
                                + " 0.42', seed: '7'), target: 'night'");
    }

    @Test
    void aPipelineReadsTheMetricsAndThePlannedFailure() throws Exception {
        WorkflowRun build = Lab.of(jenkins)
                .run(
                        "def ok = taoSubmit(target: 'night', command: 'dino train', options: simulated(seed: 7, kpis: [val_mAP:"
                                + " 0.42], noise: 0))\n"
                                + "echo \"mAP ${taoWait(job: ok).kpis.val_mAP}\"\n"
                                + "def bad = taoSubmit(target: 'night', command: 'dino train', options: simulated(failure:"
                                + " 'gpu_memory'))\n"
                                + "taoWait job: bad",
                        Result.FAILURE);

        assertThat(JenkinsRule.getLog(build))
                .contains("mAP 0.42\n", "CUDA out of memory", "The GPU's memory was too small");
    }
}
