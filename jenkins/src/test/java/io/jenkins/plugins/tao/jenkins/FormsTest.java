package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import hudson.model.FreeStyleProject;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.jenkins.config.JobOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.KubernetesOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.KubernetesTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SlurmOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.ProxyJumpConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SlurmTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SshOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SshTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.freestyle.TaoBuilder;
import io.jenkins.plugins.tao.jenkins.step.CancelStep;
import io.jenkins.plugins.tao.jenkins.step.FollowStep;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import io.jenkins.plugins.tao.jenkins.step.WaitStep;
import java.util.List;
import org.jenkinsci.plugins.workflow.cps.SnippetizerTester;
import org.jenkinsci.plugins.workflow.steps.StepConfigTester;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

/** What is entered in a form is what is there when the form is opened again, field by field. */
@WithJenkins
class FormsTest {
    private JenkinsRule jenkins;

    @BeforeEach
    void start(JenkinsRule rule) {
        jenkins = rule;
        TaoGlobalConfiguration.get()
                .setTargets(List.of(new LocalTargetConfiguration("other", "/o"), new LocalTargetConfiguration("local", "/x")));
    }

    @Test
    void targetsSurviveTheSystemPageAndARead() throws Exception {
        SlurmTargetConfiguration slurm = new SlurmTargetConfiguration(
                "dgx", "login1.example, login2.example:2222", "", "login1.example ssh-ed25519 AAAA", "/lustre/tao");
        slurm.setSharedRoots("/lustre\n/home");
        slurm.setPartitions("polar, batch");
        slurm.setAccount("vision");
        slurm.setContainerMounts("/lustre:/lustre");
        slurm.setMaxGpusPerNode("8");
        slurm.setTime("4h");
        slurm.setRequeue("false");
        slurm.setLauncher("apptainer");
        slurm.setAgent("/run/agent");
        slurm.setUser("tao");
        slurm.setCluster("east");
        slurm.setKeepStaged("60d");
        ProxyJumpConfiguration jump = new ProxyJumpConfiguration("gate.example");
        jump.setPort("2222");
        jump.setUser("ci");
        slurm.setProxyJump(jump);
        LocalTargetConfiguration here = new LocalTargetConfiguration("here", "/var/tao");
        here.setMaxJobs("2");
        List<TargetConfiguration> given = List.of(slurm, box(), here);
        TaoGlobalConfiguration.get().setTargets(given);

        jenkins.configRoundtrip();

        assertThat(TaoGlobalConfiguration.get().getTargets())
                .usingRecursiveComparison()
                .isEqualTo(given);
        assertThat(new TaoGlobalConfiguration().getTargets())
                .usingRecursiveComparison()
                .isEqualTo(given);
    }

    private static SshTargetConfiguration box() {
        SshTargetConfiguration box =
                new SshTargetConfiguration("gpubox", "gpu.example:2222", "", "gpu.example ssh-ed25519 AAAA", "/data/tao");
        box.setDataDirectory("/data/sets");
        box.setDurableDirectory("/data/keep");
        box.setScratchDirectory("/scratch");
        box.setHfHome("/data/hf");
        box.setCredentialFile("/home/tao/.credentials");
        box.setHfEndpoint("https://hf-mirror.com");
        box.setHfTransfer("true");
        box.setProxyHook(". /etc/network_turbo");
        box.setDownloadStall("30s");
        box.setLease("spot");
        box.setRuntime("podman");
        box.setDetach("tmux");
        box.setMaxJobs("1");
        box.setLeastDiskGib("50");
        box.setLeastInodes("100000");
        box.setMeanUptime("3h");
        box.setContainerMounts("/nas:/nas:ro");
        box.setStopCommand("sudo poweroff");
        return box;
    }

    @Test
    void theFormOfTaoSubmitKeepsTheOptionsOfABox() throws Exception {
        SubmitStep step = new SubmitStep("local", "true");
        SshOptionsConfiguration options = new SshOptionsConfiguration();
        options.setGrace("10s");
        options.setOnReboot("fail");
        options.setWhenBusy("refuse");
        options.setGpuCheck("false");
        options.setDetach("tmux");
        options.setShmSize("16g");
        options.setContainerArgs("--network=none");
        options.setSmoke("true");
        options.setDownloads("a: https://example.com/a");
        options.setPackages("torch==2.5.1");
        options.setCode("net");
        options.setCheckpointCost("30s");
        options.setCleanScratch("true");
        step.setOptions(options);

        jenkins.assertEqualDataBoundBeans(step, new StepConfigTester(jenkins).configRoundTrip(step));
    }

    @Test
    void everyFieldOfEveryTargetSurvivesTheSystemPageAndARead() throws Exception {
        List<TargetConfiguration> given = Filled.all(TargetConfiguration.class);
        assertThat(given).hasSizeGreaterThan(5).hasAtLeastOneElementOfType(KubernetesTargetConfiguration.class);
        TaoGlobalConfiguration.get().setTargets(given);

        jenkins.configRoundtrip();

        assertThat(TaoGlobalConfiguration.get().getTargets())
                .usingRecursiveComparison()
                .isEqualTo(given);
        assertThat(new TaoGlobalConfiguration().getTargets())
                .usingRecursiveComparison()
                .isEqualTo(given);
    }

    @Test
    void everyOptionOfEveryBackendSurvivesTheFormOfTaoSubmit() throws Exception {
        List<JobOptionsConfiguration> all = Filled.all(JobOptionsConfiguration.class);
        assertThat(all).hasSizeGreaterThan(4).hasAtLeastOneElementOfType(KubernetesOptionsConfiguration.class);
        for (JobOptionsConfiguration options : all) {
            SubmitStep step = new SubmitStep("local", "true");
            step.setOptions(options);

            SubmitStep back = new StepConfigTester(jenkins).configRoundTrip(step);

            assertThat(back.getOptions())
                    .as(options.getClass().getSimpleName())
                    .usingRecursiveComparison()
                    .isEqualTo(options);
        }
    }

    @Test
    void theOptionsOfKubernetesAreWrittenAsAPipelineHasThem() throws Exception {
        KubernetesOptionsConfiguration options = new KubernetesOptionsConfiguration();
        options.setMemory("64Gi");
        options.setStartDeadline("30m");
        SubmitStep step = new SubmitStep("local", "true");
        step.setOptions(options);

        new SnippetizerTester(jenkins)
                .assertRoundTrip(
                        step,
                        "taoSubmit command: 'true', options: kubernetes(memory: '64Gi', startDeadline: '30m'), target: 'local'");
    }

    @Test
    void theLastTargetCanBeRemovedOnTheSystemPage() throws Exception {
        TaoGlobalConfiguration.get().setTargets(List.of());

        jenkins.configRoundtrip();

        assertThat(TaoGlobalConfiguration.get().getTargets()).isEmpty();
    }

    @Test
    void theFormOfTaoSubmitKeepsEveryField() throws Exception {
        SubmitStep step = submission();

        SubmitStep back = new StepConfigTester(jenkins).configRoundTrip(step);

        jenkins.assertEqualDataBoundBeans(step, back);
    }

    @Test
    void theFormOfTaoSubmitKeepsThatThereAreNoOptions() throws Exception {
        SubmitStep back = new StepConfigTester(jenkins).configRoundTrip(new SubmitStep("local", "true"));

        assertThat(back.getOptions()).isNull();
        jenkins.assertEqualDataBoundBeans(new SubmitStep("local", "true"), back);
    }

    @Test
    void theFormOfTaoWaitKeepsEveryField() throws Exception {
        WaitStep step = new WaitStep("tao1:one\ntao1:two");
        step.setArchive("train/*.pth");
        step.setFailOnError(false);
        step.setGiveUpAfter("2d");
        step.setList(true);
        step.setLog(false);
        step.setOnAbort("detach");
        step.setTakeOver(true);
        step.setRetries("3");

        jenkins.assertEqualDataBoundBeans(step, new StepConfigTester(jenkins).configRoundTrip(step));
    }

    @Test
    void theFormOfTaoCancelKeepsItsJob() throws Exception {
        CancelStep step = new CancelStep("tao1:one");
        step.setTakeOver(true);

        CancelStep back = new StepConfigTester(jenkins).configRoundTrip(step);

        assertThat(back.getJob()).isEqualTo("tao1:one");
        assertThat(back.isTakeOver()).isTrue();
    }

    @Test
    void theFreestyleFormKeepsEveryField() throws Exception {
        TaoBuilder builder = new TaoBuilder(submission());
        builder.setArchive("train/*.pth");
        builder.setFailOnError(false);
        builder.setGiveUpAfter("2d");
        builder.setLog(false);
        builder.setRetries("3");
        FreeStyleProject project = jenkins.createFreeStyleProject();
        project.getBuildersList().add(builder);

        FreeStyleProject back = jenkins.configRoundtrip(project);

        jenkins.assertEqualDataBoundBeans(builder, back.getBuildersList().get(TaoBuilder.class));
    }

    @Test
    void theSnippetGeneratorWritesWhatAPersonWould() throws Exception {
        SnippetizerTester snippets = new SnippetizerTester(jenkins);
        SubmitStep submission = new SubmitStep("local", "true");
        submission.setGpus("8");
        submission.setEnv("A: \"1\"");
        SlurmOptionsConfiguration slurm = new SlurmOptionsConfiguration();
        slurm.setPartition("polar");
        submission.setOptions(slurm);
        WaitStep watch = new WaitStep("tao1:one");
        watch.setOnAbort("detach");

        snippets.assertRoundTrip(
                submission,
                "taoSubmit command: 'true', env: [A: '1'], gpus: '8', options: slurm(partition: 'polar'), target: 'local'");
        snippets.assertRoundTrip(new WaitStep("tao1:one"), "taoWait 'tao1:one'");
        snippets.assertRoundTrip(new FollowStep("tao1:one"), "taoFollow('tao1:one') {\n    // some block\n}");
        snippets.assertRoundTrip(watch, "taoWait job: 'tao1:one', onAbort: 'detach'");
        snippets.assertRoundTrip(new CancelStep("tao1:one"), "taoCancel 'tao1:one'");
    }

    @Test
    void whatANewUserLeavesEmptyIsToldBesideTheField() {
        TaoGlobalConfiguration.get().setTargets(List.of());
        SubmitStep.DescriptorImpl form = jenkins.jenkins.getDescriptorByType(SubmitStep.DescriptorImpl.class);

        assertThat(form.doCheckTarget(null, "").getMessage()).startsWith("Choose a target");
        assertThat(form.doCheckCommand(" \n").getMessage()).startsWith("Give the command that the job runs");
        assertThat(form.doCheckTarget(null, "local").kind).isEqualTo(FormValidation.Kind.OK);
        assertThat(form.doCheckCommand("true").kind).isEqualTo(FormValidation.Kind.OK);
    }

    @Test
    void aFormWhoseTargetsAreNotListedYetShowsNoError() {
        SubmitStep.DescriptorImpl form = jenkins.jenkins.getDescriptorByType(SubmitStep.DescriptorImpl.class);

        assertThat(form.doCheckTarget(null, "").kind).isEqualTo(FormValidation.Kind.OK);
    }

    @Test
    void theReferenceOfTheStepsCanBeMade() throws Exception {
        SnippetizerTester.assertDocGeneration(SubmitStep.class);
        SnippetizerTester.assertDocGeneration(WaitStep.class);
        SnippetizerTester.assertDocGeneration(FollowStep.class);
        SnippetizerTester.assertDocGeneration(CancelStep.class);
        SnippetizerTester.assertDocGeneration(TaoBuilder.class);
    }

    private static SubmitStep submission() {
        SubmitStep step = new SubmitStep("local", "echo 1\necho 2");
        step.setName("n");
        step.setImage("image:1");
        step.setGpus("8");
        step.setNodes("2");
        step.setCpus("16");
        step.setTimeLimit("4h");
        step.setEnv("A: '1'");
        step.setSecrets("KEY: id");
        step.setInputs("/a\n/b");
        step.setOutputs("/workspace/out=s3://bucket/out");
        step.setSpec("train:\n  epochs: 3");
        step.setResultsDir("/results");
        SlurmOptionsConfiguration options = new SlurmOptionsConfiguration();
        options.setPartition("polar");
        options.setExclusive("true");
        options.setRequeue("false");
        options.setContainerMounts("/a:/a\n/b:/b");
        options.setSbatch("--x=1\n--y=2");
        options.setCheckpointTime("5m");
        options.setDatasets("train=/lustre/coco/train");
        options.setLauncher("pyxis");
        step.setOptions(options);
        return step;
    }
}
