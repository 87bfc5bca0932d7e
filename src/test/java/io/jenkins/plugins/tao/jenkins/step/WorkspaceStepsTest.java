package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hudson.AbortException;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.code.Checkout;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import io.jenkins.plugins.tao.jenkins.run.JobRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.jenkins.run.TaoJob;
import io.jenkins.plugins.tao.job.JobHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that take their code and their spec from the workspace of the build; they run on this machine. */
class WorkspaceStepsTest {
    @TempDir
    private Path directory;

    private Path workspace;
    private Path base;
    private Checkout checkout;
    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() throws Exception {
        workspace = directory.resolve("workspace");
        base = directory.resolve("base");
        checkout = new Checkout(workspace)
                .file(
                        "train.sh",
                        "cat sub/hello.txt \"$1\" > \"$TAO_RESULTS_DIR/said\"; pwd >> \"$TAO_RESULTS_DIR/said\"\n")
                .file("sub/hello.txt", "hello from the commit\n")
                .file("data/big.bin", "not code\n")
                .file("specs/dino.yaml", "train: {num_epochs: 12, optim: {lr: 0.001}}\n")
                .file(".gitignore", "*.log\n")
                .file(".taoignore", "data/\n")
                .file("ignored.log", "not tracked\n");
        checkout.commit();
        jenkins = FakeJenkins.in(
                directory.resolve("home"),
                new LiveBuilds(),
                new OpenBuilds(),
                new StateSaves(),
                new CancelRequests(),
                new TaoRunActions());
        TaoGlobalConfiguration.get().setTargets(List.of(new LocalTargetConfiguration("here", base.toString())));
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @Test
    @Promise({"NS-01", "NS-04"})
    void theTrackedFilesOfTheWorkspaceAreWhereTheCommandStarts() throws Exception {
        SubmitStep step = new SubmitStep("here", "bash train.sh {config_path}");
        step.setCode(".");
        step.setSpecFile("specs/dino.yaml");
        step.setSet("{train.optim.lr: 1e-4}");

        JobHandle job = submitted(step);

        List<String> said = said(job);
        assertThat(said).first().isEqualTo("hello from the commit");
        assertThat(said).contains("  num_epochs: 12").anyMatch(line -> line.contains("lr: 1.0E-4"));
        Path code = Path.of(said.get(said.size() - 1));
        assertThat(code).isEqualTo(base.toRealPath().resolve("code").resolve(code.getFileName()));
        assertThat(code.resolve("sub/hello.txt")).hasContent("hello from the commit");
        assertThat(code.resolve("data")).doesNotExist();
        assertThat(code.resolve("ignored.log")).doesNotExist();
        assertThat(Files.getPosixFilePermissions(code.resolve("train.sh")).toString())
                .doesNotContain("WRITE");
        assertThat(build.log())
                .contains("the code (")
                .contains("commit " + checkout.git("rev-parse", "HEAD").strip())
                .contains(" bytes sent");
    }

    @Test
    @Promise("NS-01")
    void theSameCodeIsNotSentAgainAndTheRequestKeepsWhichItWas() throws Exception {
        SubmitStep step = new SubmitStep("here", "true");
        step.setCode(".");
        submitted(step);

        JobHandle second = submitted(step);

        assertThat(build.log().lines().filter(line -> line.contains("where it was already")))
                .hasSize(1);
        JobRequest kept = JobRequests.of(build, second.key());
        assertThat(kept.getCodeId()).hasSize(40);
        assertThat(base.resolve("code").resolve(kept.getCodeId())).isDirectory();
        assertThat(step.getCodeId())
                .as("the step of the configuration stays as it is")
                .isEmpty();
    }

    @Test
    @Promise("NS-03")
    void aCommitIsFetchedByTheJobWithoutAnyWorkspaceFile() throws Exception {
        String commit = checkout.git("rev-parse", "HEAD").strip();
        SubmitStep step = new SubmitStep("here", "cp sub/hello.txt \"$TAO_RESULTS_DIR/said\"");
        step.setCode("git: 'file://" + workspace + "'\ncommit: " + commit + "\n");

        JobHandle job = submitted(step);

        assertThat(step.needsWorkspace()).isFalse();
        assertThat(said(job)).containsExactly("hello from the commit");
        assertThat(base.resolve("code")).doesNotExist();
        assertThat(new RetryStep("token")
                        .repeating(JobRequests.of(build, job.key()))
                        .getCode())
                .isEqualTo(step.getCode());
    }

    @Test
    @Promise("NS-03")
    void aCommitThatIsNoneIsRefused() throws Exception {
        SubmitStep step = new SubmitStep("here", "true");
        step.setCode("git: 'https://git.example/x.git'\ncommit: main\n");
        assertThat(failure(step)).hasMessageContaining("'main' is not a commit");

        step.setCode("git: 'https://git.example/x.git'\nbranch: main\n");
        assertThat(failure(step)).hasMessageContaining("code has no key 'branch'");
    }

    @Test
    @Promise("JK-16")
    void aRetryThatNamesCodeRunsThatCodeAndAnotherKeepsTheCodeOfTheJob() throws Exception {
        SubmitStep step = new SubmitStep("here", "true");
        step.setCode(".");
        JobRequest kept = JobRequests.of(build, submitted(step).key());
        RetryStep retry = new RetryStep("token");

        assertThat(retry.repeating(kept).getCodeId()).isEqualTo(kept.getCodeId());

        retry.setCode("src");
        assertThat(retry.repeating(kept).getCode()).isEqualTo("src");
        assertThat(retry.repeating(kept).getCodeId()).isEmpty();
    }

    @Test
    @Promise("NS-02")
    void whatCannotBeSentIsRefusedBeforeAnythingIs() throws Exception {
        Files.createSymbolicLink(workspace.resolve("secrets"), Path.of("/etc/passwd"));
        checkout.commit();
        SubmitStep step = new SubmitStep("here", "true");
        step.setCode(".");

        assertThat(failure(step)).hasMessageContaining("the symbolic link 'secrets' leads to /etc/passwd, out of");
        assertThat(base.resolve("code")).doesNotExist();

        step.setCode("../..");
        assertThat(failure(step)).hasMessageContaining("code is a path below the workspace");
        StepProbe outside = new StepProbe(build);
        step.setCode(".");
        outside.start(step);
        assertThat(outside.failure()).hasMessageContaining("put the step into node { … }");
    }

    @Test
    @Promise("NS-05")
    void aSpecFileThatIsNotThereAndAPathThatIsASlipAreTold() throws Exception {
        SubmitStep step = new SubmitStep("here", "true");
        step.setSpecFile("specs/dyno.yaml");
        assertThat(failure(step)).hasMessageContaining("there is no file 'specs/dyno.yaml' in the workspace");

        step.setSpecFile("specs");
        assertThat(failure(step))
                .isInstanceOf(AbortException.class)
                .hasMessageContaining("the file 'specs' cannot be read");

        step.setSpecFile("specs/dino.yaml");
        step.setSet("{train.optm.lr: 1}");
        assertThat(failure(step)).hasMessageContaining("did you mean 'train.optim.lr'?");
        assertThat(base).doesNotExist();
    }

    @Test
    @Promise("NS-06")
    void theOptionsOfACommandComeFromAMap() throws Exception {
        SubmitStep step = new SubmitStep("here", "printf '%s|' {args} > \"$TAO_RESULTS_DIR/said\"");
        step.setArgs(String.valueOf(new SubmitStep.DescriptorImpl()
                .customInstantiate(Map.of("args", Map.of("data", "my $HOME 'x'")))
                .get("args")));

        assertThat(said(submitted(step))).containsExactly("--data=my $HOME 'x'|");
    }

    private JobHandle submitted(SubmitStep step) throws Exception {
        StepProbe probe = new StepProbe(build, workspace);
        probe.start(step);
        return JobHandle.parse(((TaoJob) probe.answer()).getToken());
    }

    private Throwable failure(SubmitStep step) throws Exception {
        StepProbe probe = new StepProbe(build, workspace);
        probe.start(step);
        return probe.failure();
    }

    private static List<String> said(JobHandle job) throws IOException {
        Path end = Path.of(job.jobDirectory()).resolve("attempt-1/exit");
        await().until(() -> Files.exists(end));
        return Files.readAllLines(Path.of(job.resultsDirectory()).resolve("said"));
    }
}
