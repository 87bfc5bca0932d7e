package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hudson.model.Result;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.record.ARun;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The job file of a terminal in a Pipeline. */
class JobFileStepsTest extends JobFileBench {
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
    @Promise("NS-09")
    void aFailedGateOfAGroupLetsTheGatesOfTheCellsJudgeToo() throws Exception {
        file("""
                matrix: {train.seed: 5..6}
                groupGates: [{kpi: acc, atLeast: 0.9}]
                gates: [{kpi: acc, atLeast: 0.55}, {kpi: acc, atMost: 0.1, effect: unstable}]
                """);

        Throwable failure = run(step()).failure();

        assertThat(failure)
                .isInstanceOf(GateFailed.class)
                .hasMessageContaining("all cells: ")
                .hasMessageContaining("0.9")
                .hasMessageContaining("0.55");
        assertThat(((GateFailed) failure).bad()).isTrue();
        assertThat(build.getResult()).isEqualTo(Result.UNSTABLE); // the failure of the step makes it worse
        assertThat(TaoRunAction.of(build).getGates()).hasSize(5);
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
