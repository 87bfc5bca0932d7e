package io.jenkins.plugins.tao.jenkins.freestyle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hudson.AbortException;
import hudson.FilePath;
import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.page.GateAnswer;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.jenkins.step.StepInBuild;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build step of freestyle jobs with gates and with a job file; its jobs run on this machine. */
class FreestyleGatesTest {
    private static final String REPORT =
            "echo '{\"date\":\"1/1/2026\",\"time\":\"10:00:00\",\"status\":\"SUCCESS\",\"kpi\":{\"val_mAP50\":0.42}}'"
                    + " > \"$TAO_RESULTS_DIR/status.json\"";

    @TempDir
    private Path directory;

    private Path workspace;
    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() throws IOException {
        workspace = Files.createDirectories(directory.resolve("workspace"));
        jenkins = FakeJenkins.in(
                directory.resolve("home"),
                new TaoRunActions(),
                new LiveBuilds(),
                new OpenBuilds(),
                new StateSaves(),
                new CancelRequests());
        TaoGlobalConfiguration.get()
                .setTargets(List.of(new LocalTargetConfiguration(
                        "here", directory.resolve("base").toString())));
        build = jenkins.build("nightly");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private void perform(TaoBuilder step) throws IOException, InterruptedException {
        step.setInterval("1s");
        step.run(new StepInBuild(build, build.listener(), new FilePath(workspace.toFile())));
    }

    private void judge(String gates) throws IOException, InterruptedException {
        TaoBuilder step = new TaoBuilder(new SubmitStep("here", REPORT));
        step.setGates(gates);
        perform(step);
    }

    @Test
    void gatesThatPassChangeNothing() throws Exception {
        judge("{kpi: val_mAP50, atLeast: 0.4}");

        assertThat(build.getResult()).isNull();
        assertThat(TaoRunAction.of(build).getGates())
                .extracting(GateAnswer::getAnswer)
                .containsExactly("pass");
    }

    @Test
    void allGatesJudgeAndThoseThatFailedFailTheBuild() {
        assertThatThrownBy(() -> judge("""
                        {kpi: val_mAP50, atLeast: 0.9}
                        {kpi: val_mAP50, atMost: 0.1, effect: unstable}
                        """)).isInstanceOf(AbortException.class).hasMessageContaining("0.42");

        assertThat(build.getResult()).isEqualTo(Result.UNSTABLE);
        assertThat(TaoRunAction.of(build).getGates()).hasSize(2);
    }

    @Test
    @SuppressWarnings("NullAway") // a form may leave the job out
    void aGateThatIsWrittenWrongIsRefusedBeforeAnythingRuns() {
        assertThatThrownBy(() -> judge("{kpi: val_mAP50, atleast: 0.4}"))
                .isInstanceOf(AbortException.class)
                .hasMessageContaining(
                        "a gate has no key 'atleast'. Did you mean 'atLeast'? Known keys: atLeast, atMost, by");
        assertThatThrownBy(() -> perform(new TaoBuilder(null))).hasMessageContaining("names no job");
        assertThat(directory.resolve("base")).doesNotExist();
    }

    @Test
    void aJobThatFailsFailsTheBuildAndIsNotJudged() {
        TaoBuilder step = new TaoBuilder(new SubmitStep("here", "exit 3"));
        step.setGates("{kpi: val_mAP50, atLeast: 0.4}");

        assertThatThrownBy(() -> perform(step))
                .isInstanceOf(AbortException.class)
                .hasMessageContaining("exit code 3");
        assertThat(TaoRunAction.of(build).getGates()).isEmpty();
    }

    @Test
    void aJobFileIsTheJobWithItsGatesAndWhatTheBuildStepSaysWins() throws Exception {
        Files.writeString(
                workspace.resolve("nightly.yaml"),
                "target: here\nname: of-file\ncommand: |\n  " + REPORT + "\ngates: [{kpi: val_mAP50, atLeast: 0.9}]\n");
        TaoBuilder step = new TaoBuilder(new SubmitStep("", ""));
        step.setFile("nightly.yaml");
        assertThatThrownBy(() -> perform(step))
                .isInstanceOf(AbortException.class)
                .hasMessageContaining("0.9");

        step.setGates("{kpi: val_mAP50, atLeast: 0.4}");
        perform(step);

        assertThat(build.log()).contains("submitting of-file-");
    }

    @Test
    void aJobFileWithAMatrixIsASweepOfTheBuild() throws Exception {
        Files.writeString(
                workspace.resolve("nightly.yaml"),
                "target: here\ncommand: |\n  " + REPORT + "\nmatrix: {env.SEED: 1..2}\n"
                        + "groupGates: [{kpi: val_mAP50, atLeast: 0.9}]\n");
        TaoBuilder step = new TaoBuilder(new SubmitStep("", ""));
        step.setFile("nightly.yaml");

        assertThatThrownBy(() -> perform(step))
                .isInstanceOf(AbortException.class)
                .hasMessageContaining("0.9");
        assertThat(build.log()).contains("2 cells, at most 2 at a time");
    }

    @Test
    void anAbortCancelsTheJobBeforeTheBuildEnds() throws Exception {
        TaoBuilder step = new TaoBuilder(new SubmitStep("here", "touch " + directory.resolve("runs") + "; sleep 600"));
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread executor = new Thread(() -> {
            try {
                perform(step);
                ended.complete(new AssertionError("it succeeded"));
            } catch (IOException | InterruptedException | RuntimeException e) {
                ended.complete(e);
            }
        });
        executor.start();
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(directory.resolve("runs")));

        executor.interrupt();

        assertThat(ended.get()).isInstanceOf(InterruptedException.class);
        assertThat(build.log()).contains("cancelled: by an abort of the build");
    }
}
