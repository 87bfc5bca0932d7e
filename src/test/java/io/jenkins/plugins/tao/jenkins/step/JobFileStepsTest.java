package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hudson.model.Result;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import io.jenkins.plugins.tao.jenkins.run.JobRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.record.ARun;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The job file of a terminal in a Pipeline; its jobs run on this machine. */
class JobFileStepsTest {
    /** Reports its seed as a metric, once it is let go. */
    private static final String TRAIN = """
            echo run >> "$RUNS"; cp "$1" "$TAO_RESULTS_DIR/spec.yaml"; env | grep '^OWN' | sort > "$TAO_RESULTS_DIR/own"
            [ -z "$HELD" ] || until [ -e "$RUNS.released" ]; do sleep 0.05; done
            seed=$(sed -n 's/.*seed: //p' "$1")
            echo "{\\"date\\":\\"1/1/2026\\",\\"time\\":\\"10:00:00\\",\\"status\\":\\"SUCCESS\\",\\"kpi\\":{\\"acc\\":0.$seed}}" \
                > "$TAO_RESULTS_DIR/status.json"
            """;

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final JobStatus DONE =
            JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0);

    @TempDir
    private Path directory;

    private Path workspace;
    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() throws IOException {
        workspace = Files.createDirectories(directory.resolve("workspace"));
        Files.writeString(workspace.resolve("train.sh"), TRAIN);
        jenkins = FakeJenkins.in(
                directory.resolve("home"),
                new LiveBuilds(),
                new OpenBuilds(),
                new StateSaves(),
                new CancelRequests(),
                new TaoRunActions());
        TaoGlobalConfiguration.get()
                .setTargets(List.of(new LocalTargetConfiguration(
                        "here", directory.resolve("base").toString())));
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private void file(String more) throws IOException {
        Files.writeString(
                workspace.resolve("nightly.yaml"),
                """
                target: here
                name: nightly
                command: bash %s {config_path}
                time: 1h30m
                env: {RUNS: "%s", OWN: 1.10}
                spec: {train: {seed: 5, lr: 1e-4, name: "12"}}
                """.formatted(workspace.resolve("train.sh"), directory.resolve("runs")) + more);
    }

    private static RunStep step() {
        RunStep step = new RunStep(null, null);
        step.setFile("nightly.yaml");
        step.setInterval("1s");
        return step;
    }

    private StepProbe run(RunStep step) throws Exception {
        StepProbe probe = new StepProbe(build, workspace);
        probe.start(step);
        return probe;
    }

    private long runs() throws IOException {
        Path file = directory.resolve("runs");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    private static List<String> left(TaoResult result, String file) throws IOException {
        return Files.readAllLines(Path.of(result.getResultsDir()).resolve(file));
    }

    private JobRequest asked(TaoResult result) throws IOException {
        return JobRequests.of(build, JobHandle.parse(result.getToken()));
    }

    @Test
    @Promise("JK-13")
    void theFileOfATerminalIsAJobOfThePipelineAndEachValueKeepsItsType() throws Exception {
        file("archive: [spec.yaml]\noptions: {grace: 7s}\nretryBudget: 2h\n");

        TaoResult result = (TaoResult) run(step()).answer();

        assertThat(result.isSuccess()).isTrue();
        assertThat(result.getId()).startsWith("nightly-");
        assertThat(left(result, "own")).containsExactly("OWN=1.10");
        assertThat(left(result, "spec.yaml"))
                .contains("  seed: 5")
                .anyMatch(line -> line.contains("lr: 1.0E-4"))
                .anyMatch(line -> line.matches("  name: [\"']12[\"']"));
        assertThat(asked(result).getTimeLimit()).isEqualTo("5400s");
        assertThat(asked(result).getRetryBudget()).isEqualTo("2h");
        assertThat(asked(result).getOptions()).isNotNull();
        assertThat(build.getRootDir().toPath()).satisfies(folder -> {
            try (var files = Files.walk(folder)) {
                assertThat(files).anyMatch(path -> path.endsWith("spec.yaml"));
            }
        });
    }

    @Test
    @Promise("JK-13")
    void whatTheStepSaysItselfWinsAndItsEntriesJoinThoseOfTheFile() throws Exception {
        file("secrets: {HF: env:HF}\nresume: never\n");
        RunStep step = step();
        step.setName("mine");
        step.setEnv("OWN_TOO: '2'");
        step.setSet("{train.seed: 6}");
        step.setTimeLimit("10m");
        step.setSecrets("{HF: none}");
        StepProbe missing = run(step);
        assertThat(missing.failure())
                .as("the credential of the step is asked for")
                .hasMessageContaining("'none'");
        file("");
        step.setSecrets("");

        TaoResult result = (TaoResult) run(step).answer();

        assertThat(result.getId()).startsWith("mine-");
        assertThat(left(result, "own")).containsExactly("OWN=1.10", "OWN_TOO=2");
        assertThat(left(result, "spec.yaml")).contains("  seed: 6");
        assertThat(asked(result).getTimeLimit()).isEqualTo("10m");
        assertThat(step.getCommand()).as("the step stays as it is").isEmpty();
    }

    @Test
    @Promise("JK-13")
    void itsGatesJudgeTheJobOneAfterTheOtherAndThoseThatFailedFailTheStep() throws Exception {
        file("gates:\n  - {kpi: acc, atLeast: 0.4}\n  - {kpi: acc, atMost: 0.1, effect: unstable}\n");
        assertThat(((TaoResult) run(step()).answer()).isSuccess()).isTrue();
        assertThat(build.getResult()).isEqualTo(Result.UNSTABLE);
        assertThat(TaoRunAction.of(build).getGates()).hasSize(2);

        file("gates:\n  - {kpi: acc, atLeast: 0.9}\n  - {kpi: acc, atLeast: 0.8}\n  - {kpi: acc, atLeast: 0.1}\n");
        assertThat(run(step()).failure())
                .isInstanceOf(GateFailed.class)
                .hasMessageContaining("0.9")
                .hasMessageContaining("0.8");
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    @Promise("NV-15")
    void aGateOfTheFileRunsASuspectJobOnceMoreBeforeItFails() throws Exception {
        for (int night = 1; night <= 12; night++) {
            JobHistory.of(build.getParent())
                    .add(ARun.of(night)
                            .metric("val_mAP", 0.418 + night % 4 * 0.001)
                            .without("machines", "gpuType")
                            .without("work", "specHash")
                            .text("times", "submittedAt", "1969-12-%02dT01:00:00Z".formatted(night))
                            .record());
        }
        jenkins.configured(true);
        Files.writeString(workspace.resolve("nightly.yaml"), """
                target: sim
                image: x:1
                gpus: 8
                command: dino train -e {config_path}
                spec: {train: {seed: 7, lr: 0.1}}
                gates: [{kpi: val_mAP, confirm: train.seed}]
                """);
        reaches(0.31);
        StepProbe probe = run(step());
        await().atMost(SOON).until(() -> submitted().size() == 1);
        jenkins.cluster().set(submitted().get(0), DONE);
        await().atMost(SOON).until(() -> submitted().size() == 2);
        reaches(0.32);
        jenkins.cluster().set(submitted().get(1), DONE);

        assertThat(probe.failure()).hasMessageContaining("the rerun gave 0.32 too");
        assertThat(build.log()).contains("a confirming run of ");
    }

    private void reaches(double value) {
        jenkins.cluster()
                .leave(
                        "results/train/status.json",
                        "{\"epoch\": 1, \"status\": \"RUNNING\", \"kpi\": {\"val_mAP\": \"" + value + "\"}}\n");
    }

    private List<JobHandle> submitted() {
        return build.log()
                .lines()
                .filter(line -> line.startsWith("[tao] token "))
                .map(line -> JobHandle.parse(line.substring("[tao] token ".length())))
                .toList();
    }

    @Test
    @Promise("NS-09")
    @SuppressWarnings("unchecked") // as a Pipeline sees it
    void aFileWithAMatrixIsASweepWithItsGatesOfGroupsAndOfEachCell() throws Exception {
        file("""
                matrix: {train.seed: 5..6, env.OWN: [2.10]}
                best: max acc
                maxParallel: 2
                groupGates: [{kpi: acc, atLeast: 0.4}]
                gates: [{kpi: acc, atLeast: 0.55}]
                """);
        StepProbe probe = run(step());

        assertThat(probe.failure()).isInstanceOf(GateFailed.class).hasMessageContaining("0.55");
        assertThat(build.log()).contains("2 cells, at most 2 at a time", "the best cell by max acc is ");
        assertThat(build.log()).contains("env.OWN=2.10");

        RunStep green = step();
        file("matrix: {train.seed: [5, 6]}\ngates: [{kpi: acc, atLeast: 0.4}]\n");
        Map<String, Object> answer = (Map<String, Object>) run(green).answer();
        assertThat(answer).containsEntry("success", true).containsKeys("cells", "best", "groups");
        assertThat((List<Object>) answer.get("cells")).hasSize(2);
    }

    @Test
    void aSweepStepTakesAFileAndOnlyTheCellsThatItNames() throws Exception {
        file("matrix: {train.seed: 5..7}\n");
        SweepStep step = new SweepStep(null, null);
        step.setFile("nightly.yaml");
        step.setInterval("1s");
        step.setCells("none");
        assertThat(run(step).failure()).hasMessageContaining("has no such cell");
        assertThat(runs()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gpu: 8                                | nightly.yaml:7:1: unknown key 'gpu'. Did you mean 'gpus'?
            nodes: two                            | nightly.yaml:7:8: 'nodes': expected a whole number, found 'two'.
            name: x                               | nightly.yaml:7:1: the key 'name' stands at nightly.yaml:2:1 already
            best: max acc                         | nightly.yaml:7:7: 'best' belongs to a sweep
            gates: [{kpi: acc, atleast: 1}]       | nightly.yaml:7:9: a gate has no key 'atleast'
            options: {queue: x}                   | nightly.yaml:7:11: unknown key 'queue'.
            options: 7                            | nightly.yaml:7:10: 'options' must hold keys and values
            archive: ../x                         | must lie below the results directory
            specFile: spec.yaml                   | the job has a spec and a specFile
            secrets: {HF: env:HF}                 | nightly.yaml:7:10: 'secrets': the secret 'HF' is found in a terminal alone. In Jenkins name a credential
            after: nightly-1                      | nightly.yaml:7:8: 'after': 'nightly-1' is known in a terminal alone. In Jenkins name the job by its token
            code: {git: g, commit: c, credential: env:X} | nightly.yaml:7:7: 'code': its credential is found in a terminal alone. In Jenkins give the commit in the step
            code: ../other                        | code is a path below the workspace
            targets: [a, b]                       | the job has a 'target' and 'targets'
            endEarly: soon                        | endEarly of a job must be
            matrix: {train.seed: 1..2000}         | a sweep has at most 1000 cells
            matrix: {train.sed: 1..2}             | did you mean 'train.seed'?
            """)
    @Promise("JK-13")
    void whatCannotBeIsRefusedInOneLineAndNothingIsSent(String line, String why) throws Exception {
        file(line + "\n");

        Throwable failure = run(step()).failure();

        assertThat(failure).isInstanceOf(hudson.AbortException.class).hasMessageContaining(why);
        assertThat(failure.getMessage()).doesNotContain("\n");
        assertThat(runs()).isZero();
        assertThat(directory.resolve("base")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "other.yaml, there is no file 'other.yaml' in the workspace",
        "../nightly.yaml, file is a path below the workspace",
        "/etc/passwd, file is a path below the workspace",
        "sub, the file 'sub' cannot be read"
    })
    void aFileThatIsNotInTheWorkspaceIsRefused(String name, String why) throws Exception {
        Files.createDirectories(workspace.resolve("sub"));
        file("");
        RunStep step = step();
        step.setFile(name);

        assertThat(run(step).failure())
                .isInstanceOf(hudson.AbortException.class)
                .hasMessageContaining(why);
        StepProbe outside = new StepProbe(build);
        outside.start(step());
        assertThat(outside.failure()).hasMessageContaining("put the step into node { … }");
    }

    @Test
    void aFileWithoutATargetTakesThatOfTheStepAndElseNamesWhatIsMissing() throws Exception {
        file("");
        Path path = workspace.resolve("nightly.yaml");
        Files.writeString(path, Files.readString(path).replace("target: here\n", ""));

        assertThat(run(step()).failure()).hasMessageContaining("the job names no target. Add 'target: NAME' here");
        RunStep here = new RunStep("here", null);
        here.setFile("nightly.yaml");
        assertThat(((TaoResult) run(here).answer()).isSuccess()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nightly", "hello", "fallback"})
    void theExamplesOfATerminalAreReadWhole(String name) throws Exception {
        RunStep step = new RunStep("here", null);
        step.setFile(name + ".yaml");
        String text = Files.readString(Path.of("docs/examples").resolve(step.getFile()));

        FiledJob job = FiledJob.read(step, text, new BuildScope(build, build.listener()));

        assertThat(job.step().getCommand()).isNotEmpty();
        assertThat(job.step().getFile()).isEmpty();
        assertThat(job.gates()).hasSize(text.contains("gates:") ? 2 : 0);
    }

    @Test
    void taoRetryRefusesAFile() {
        RetryStep retry = new RetryStep("token");
        retry.setFile("nightly.yaml");

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> new StepProbe(build).start(retry))
                .hasMessageContaining("run a file with taoRun");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "matrix: {train.seed: [5]}\n"})
    void afterARestartTheSameJobGoesOnAndItsGatesJudgeIt(String more) throws Exception {
        file(more + "gates: [{kpi: acc, atLeast: 0.9}]\n");
        RunStep step = step();
        step.setEnv("HELD: '1'");
        StepProbe probe = new StepProbe(build, workspace);
        JudgedExecution execution = (JudgedExecution) probe.start(step);
        await().atMost(SOON).until(() -> runs() == 1);
        byte[] saved = saved(execution);
        jenkins.restart();

        JudgedExecution again = read(saved);
        again.onResume();
        Files.createFile(directory.resolve("runs.released"));

        assertThat(probe.failure()).isInstanceOf(GateFailed.class).hasMessageContaining("0.9");
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void aGateThatWasSavedJudgesAgainAfterARestart() throws Exception {
        file("gates: [{kpi: acc, atLeast: 0.9}, {kpi: acc, atLeast: 0.8}]\n");
        StepProbe probe = new StepProbe(build, workspace);
        JudgedExecution execution = (JudgedExecution) probe.start(step());
        probe.failure();
        byte[] saved = saved(execution); // as it was when its last gate judged
        jenkins.restart();
        probe.forget();

        read(saved).onResume();

        assertThat(probe.failure()).hasMessageContaining("0.9").message().containsOnlyOnce("0.8");
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void anAbortCancelsTheJobAndJudgesNothing() throws Exception {
        file("gates: [{kpi: acc, atLeast: 0.9}]\n");
        RunStep step = step();
        step.setEnv("HELD: '1'");
        StepProbe probe = new StepProbe(build, workspace);
        JudgedExecution execution = (JudgedExecution) probe.start(step);
        await().atMost(SOON).until(() -> runs() == 1);

        execution.stop(new InterruptedException("aborted"));

        assertThat(probe.failure()).hasMessage("aborted");
        assertThat(build.log()).contains("cancelled: by an abort of the build");
        assertThat(TaoRunAction.of(build).getGates()).isEmpty();
    }

    private static byte[] saved(JudgedExecution execution) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(execution);
        }
        return bytes.toByteArray();
    }

    private static JudgedExecution read(byte[] saved) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(saved))) {
            return (JudgedExecution) in.readObject();
        }
    }
}
