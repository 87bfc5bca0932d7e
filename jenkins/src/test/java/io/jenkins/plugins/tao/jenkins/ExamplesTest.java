package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import groovy.lang.GroovyShell;
import hudson.FilePath;
import hudson.Launcher;
import hudson.model.BooleanParameterValue;
import hudson.model.ParametersAction;
import hudson.model.Result;
import hudson.model.Run;
import hudson.model.StringParameterValue;
import hudson.model.TaskListener;
import hudson.scm.NullSCM;
import hudson.scm.SCMRevisionState;
import io.jenkins.plugins.tao.jenkins.config.LeptonTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jenkinsci.plugins.pipeline.modeldefinition.parser.Converter;
import org.jenkinsci.plugins.workflow.cps.CpsFlowDefinition;
import org.jenkinsci.plugins.workflow.cps.CpsScmFlowDefinition;
import org.jenkinsci.plugins.workflow.job.WorkflowJob;
import org.jenkinsci.plugins.workflow.job.WorkflowRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

/** The examples of the documentation run as they stand; DocsTest looks that each of them is here. */
@WithJenkins
class ExamplesTest {
    private static final Path ROOT = Path.of("..");
    private static final Path EXAMPLES = ROOT.resolve("docs/examples");

    @TempDir
    private Path directory;

    private JenkinsRule jenkins;
    private Lab lab;

    @BeforeEach
    void start(JenkinsRule rule) {
        jenkins = rule;
        lab = Lab.withTarget(rule, directory);
    }

    private static String example(String name) throws Exception {
        return Files.readString(EXAMPLES.resolve(name + ".Jenkinsfile"));
    }

    @Test
    void theScriptedOneReadsItsResult() throws Exception {
        WorkflowRun build = lab.run(example("scripted"), Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("epoch 3 of 3", "mAP 0.61 after ");
        assertThat(build.getArtifactManager().root().list("**/model.pth", null, true)).hasSize(1);
    }

    @Test
    void theDeclarativeOneGoesThroughItsStages() throws Exception {
        WorkflowRun build = lab.run(example("declarative"), Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("The evaluation ended as failed, exit code 1");
        assertThat(build.getArtifactManager().root().list("**/model.pth", null, true)).hasSize(1);
    }

    @Test
    void theSweepFindsTheBest() throws Exception {
        WorkflowRun build = lab.run(example("sweep"), Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).containsPattern("best: sweep-0-1-\\w+ with mAP 0\\.1,");
    }

    @Test
    void theNightlyOneTrainsItsModelsFromItsCheckoutAndKeepsThem() throws Exception {
        WorkflowJob job = jenkins.createProject(WorkflowJob.class, "nightly");
        job.setDefinition(new CpsScmFlowDefinition(new Checkout(), "docs/examples/nightly.Jenkinsfile"));

        WorkflowRun build = lab.ended(job.scheduleBuild2(0).waitForStart(), Result.SUCCESS);

        assertThat(build.getArtifactManager().root().list("**/model_epoch_007_*.pth", null, true)).hasSize(3);
        assertThat(build.getDescription()).contains("val_acc_1", "val_miou", "val/abs_rel");
    }

    /** The checkout of a build: the nightly example, as it lies in this repository. */
    public static final class Checkout extends NullSCM {
        @Override
        public void checkout(
                Run<?, ?> build, Launcher launcher, FilePath to, TaskListener log, File changes, SCMRevisionState since)
                throws IOException, InterruptedException {
            new FilePath(ROOT.toFile()).copyRecursiveTo("docs/examples/nightly*,docs/examples/nightly/*", to);
        }
    }

    @Test
    void theResumingOneWaitsForOrEndsTheJobOfAnotherBuild() throws Exception {
        WorkflowRun first = lab.run(
                "echo taoSubmit(target: 'local', command: 'echo it is me').token; echo taoSubmit(target: 'local', command: 'sleep 600').token",
                Result.SUCCESS);
        List<String> tokens = JenkinsRule.getLog(first).lines().filter(line -> line.startsWith("tao1:")).toList();
        WorkflowJob job = jenkins.createProject(WorkflowJob.class, "resume");
        job.setDefinition(new CpsFlowDefinition(example("resume"), true));

        WorkflowRun waited = lab.ended(build(job, tokens.get(0), false), Result.SUCCESS);
        WorkflowRun cancelled = lab.ended(build(job, tokens.get(1), true), Result.SUCCESS);

        assertThat(JenkinsRule.getLog(waited)).contains("it is me");
        assertThat(JenkinsRule.getLog(cancelled)).contains("asked for the end of", "cancelled");
    }

    private static WorkflowRun build(WorkflowJob job, String token, boolean cancel) throws Exception {
        // the parameters are known to Jenkins from the first build on; before, it keeps those that it is told to
        System.setProperty("hudson.model.ParametersAction.keepUndefinedParameters", "true");
        return job.scheduleBuild2(
                        0,
                        new ParametersAction(
                                new StringParameterValue("TOKEN", token), new BooleanParameterValue("CANCEL", cancel)))
                .waitForStart();
    }

    @Test
    void theProjectsOwnJenkinsfileIsADeclarativePipeline() throws Exception {
        assertThat(Converter.scriptToPipelineDef(Files.readString(ROOT.resolve("Jenkinsfile"))))
                .isNotNull();
    }

    /** They need the command line on an agent and a box; here they are read as Pipelines. */
    @Test
    void thoseThatLookAfterABoxAreDeclarativePipelines() throws Exception {
        assertThat(Converter.scriptToPipelineDef(example("release"))).isNotNull();
        assertThat(Converter.scriptToPipelineDef(example("remind"))).isNotNull();
    }

    /** There is no Lepton here: the service takes no token, which is the last that a job can be told before it is sent. */
    @Test
    void theOneForLeptonIsCheckedByTheService() throws Exception {
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
        service.start();
        try {
            lab.secret("lepton-token", "tok-1");
            lab.secret("wandb", "wandb-1");
            LeptonTargetConfiguration cloud = new LeptonTargetConfiguration("cloud", "vision", "lepton-token");
            cloud.setUrl("http://127.0.0.1:" + service.getAddress().getPort());
            TaoGlobalConfiguration.get().setTargets(List.of(cloud));

            WorkflowRun build = lab.run(example("lepton"), Result.FAILURE);

            assertThat(JenkinsRule.getLog(build))
                    .contains("submitting dino-coco-", "preflight of cloud:", "HTTP 401", "Make a new one in the dashboard")
                    .doesNotContain("tok-1", "\tat io.jenkins");
        } finally {
            service.stop(0);
        }
    }

    /** Its second job asks for a GPU target that no rehearsal has; here it is read as a Pipeline. */
    @Test
    void theChainIsAPipeline() throws Exception {
        assertThat(new GroovyShell().parse(example("chain"))).isNotNull();
    }
}
