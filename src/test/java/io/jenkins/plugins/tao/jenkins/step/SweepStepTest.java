package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.page.JobFacts;
import io.jenkins.plugins.tao.jenkins.page.JobRow;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps in a Pipeline; their jobs run on this machine. */
class SweepStepTest {
    /**
     * Counts how many of it run at a time, and reports a metric that depends on its seed. With {@code PAIR} it waits for
     * another one, {@code HELD} names a seed that waits for {@link #release} and {@code HANG} one that does not end.
     */
    private static final String TRAIN = """
            touch "$MARKS/$TAO_JOB_ID"; ls "$MARKS" | wc -l >> "$COUNTS"; sleep "${SLEEP:-0}"
            grep -q seed "$1" && seed=$(sed -n 's/.*seed: //p' "$1")
            [ -z "$PAIR" ] || until grep -q 2 "$COUNTS"; do sleep 0.05; done
            [ "$seed" != "${HELD:-none}" ] || until [ -e "$MARKS.released" ]; do sleep 0.05; done
            echo "{\\"date\\":\\"1/1/2026\\",\\"time\\":\\"10:00:00\\",\\"status\\":\\"SUCCESS\\",\\"kpi\\":{\\"acc\\":0.$seed}}" \
                > "$TAO_RESULTS_DIR/status.json"
            [ "$seed" = "${HANG:-none}" ] && sleep 600
            rm "$MARKS/$TAO_JOB_ID"; [ "$seed" != "${BAD:-none}" ]
            """;

    @TempDir
    private Path directory;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() throws IOException {
        Files.createDirectories(directory.resolve("marks"));
        Files.writeString(directory.resolve("train.sh"), TRAIN);
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

    @Test
    @Promise({"NS-07", "NS-09"})
    @SuppressWarnings("unchecked") // as a Pipeline sees it
    void aSweepRunsSomeCellsAtATimeAndReturnsATableWithTheBest() throws Exception {
        SweepStep step = step(Map.of(
                "lr", List.of(1e-3, 1e-4),
                "train.seed", IntStream.rangeClosed(3, 4).boxed().toList()));
        step.setMaxParallel("2");
        step.setBest("max acc");
        step.setEnv(step.getEnv() + "\nPAIR: '1'");
        StepProbe probe = new StepProbe(build);
        SweepExecution execution = (SweepExecution) probe.start(step);
        Awaitility.await().until(() -> execution.getStatus().startsWith("0 of 4 cells"));
        new ObjectOutputStream(new ByteArrayOutputStream())
                .writeObject(execution); // as Jenkins does with each running step

        Map<String, Object> answer = (Map<String, Object>) probe.answer();

        assertThat(answer).containsEntry("success", true).containsEntry("failed", List.of());
        assertThat((List<Map<String, Object>>) answer.get("cells"))
                .hasSize(4)
                .allSatisfy(cell -> assertThat(cell).containsEntry("outcome", "succeeded"))
                .extracting(cell -> cell.get("id"))
                .doesNotHaveDuplicates();
        assertThat((Map<String, Object>) answer.get("best"))
                .containsEntry("kpis", Map.of("acc", 0.4))
                .extractingByKey("values")
                .asString()
                .contains("train.seed=4");
        assertThat(TaoRunAction.of(build).getRows())
                .extracting(JobRow::getName)
                .allSatisfy(name -> assertThat(name).contains("lr=0.0", "train.seed="));
        assertThat(TaoRunAction.of(build).getJobs())
                .allSatisfy(job -> assertThat(job.getFacts()).containsEntry(JobFacts.SWEEP, "night"));
        assertThat(Files.readAllLines(directory.resolve("counts")))
                .hasSize(4)
                .allSatisfy(line -> assertThat(Integer.parseInt(line.strip())).isBetween(1, 2))
                .anySatisfy(line -> assertThat(line.strip()).isEqualTo("2"));
        assertThat(build.log())
                .contains("sweep night: 4 cells, at most 2 at a time")
                .contains("outcome")
                .contains("the best cell by max acc is ");
    }

    @Test
    @Promise("NS-09")
    @SuppressWarnings("unchecked") // as a Pipeline sees it
    void onlyTheFailedCellsAreRunAgainUnderTheSameIds() throws Exception {
        SweepStep step = step(Map.of("train.seed", "5..7"));
        step.setEnv(step.getEnv() + "\nBAD: '6'");
        step.setFailOnError(false);
        StepProbe first = new StepProbe(build);
        first.start(step);
        Map<String, Object> answer = (Map<String, Object>) first.answer();
        List<String> failed = Objects.requireNonNull((List<String>) answer.get("failed"));
        assertThat(answer).containsEntry("success", false);
        assertThat(failed).hasSize(1);
        assertThat(build.log()).contains("to run the failed cells alone: cells: '" + failed.get(0) + "'");

        SweepStep again = step(Map.of("train.seed", "5..7"));
        again.setCells(String.join(",", failed));
        StepProbe second = new StepProbe(build);
        second.start(again);

        assertThat((List<Map<String, Object>>) ((Map<String, Object>) second.answer()).get("cells"))
                .singleElement()
                .satisfies(cell -> assertThat(cell)
                        .containsEntry("id", failed.get(0))
                        .containsEntry("values", Map.of("train.seed", "6")));
        assertThat(Files.readAllLines(directory.resolve("counts"))).hasSize(4);
    }

    @Test
    @Promise("NS-10")
    @SuppressWarnings("unchecked") // as a Pipeline sees it
    void aHopelessCellIsEndedEarlyByItsRuleAndTheSweepSucceeds() throws Exception {
        SweepStep step = step(Map.of("train.seed", List.of(7, 8, 9, 1)));
        step.setMaxParallel("1");
        step.setEndEarly("median of acc after 1 epoch");
        step.setEnv(step.getEnv() + "\nHANG: '1'");
        StepProbe probe = new StepProbe(build);
        probe.start(step);

        Map<String, Object> answer = (Map<String, Object>) probe.answer();

        assertThat(answer).containsEntry("success", true).containsEntry("failed", List.of());
        assertThat((List<Map<String, Object>>) answer.get("cells"))
                .extracting(cell -> cell.get("outcome"))
                .containsExactly("succeeded", "succeeded", "succeeded", "ended early");
        assertThat(build.log())
                .contains("is ended early by rule median at epoch 0: its best acc, 0.10000, is below 0.80000")
                .contains("ended early by rule median at epoch 0");
    }

    @Test
    @Promise("NS-09")
    void groupGatesJudgeTheSeedsOfACellTogether() throws Exception {
        SweepStep good = step(Map.of("train.seed", "5..6"));
        good.setGroupGates("{kpi: acc, atLeast: 0.4}\n{kpi: acc, atLeast: 0.9, effect: unstable}");
        StepProbe first = new StepProbe(build);
        first.start(good);
        assertThat(String.valueOf(((Map<?, ?>) first.answer()).get("groups")))
                .contains("group=all cells", "answer=pass", "effect=UNSTABLE");
        assertThat(build.log()).contains("all 2 cells:");

        SweepStep bad = step(Map.of("train.seed", "5..6", "env.X", List.of("a")));
        bad.setGroupGates("{kpi: acc, atLeast: 0.9}");
        StepProbe second = new StepProbe(build);
        second.start(bad);
        assertThat(second.failure()).hasMessageContaining("env.X=a: ");
    }

    @Test
    @Promise("NS-09")
    void aSweepWithAFailedCellFailsAndNamesIt() throws Exception {
        SweepStep step = step(Map.of("train.seed", "5..6"));
        step.setEnv(step.getEnv() + "\nBAD: '6'");
        StepProbe probe = new StepProbe(build);
        probe.start(step);

        assertThat(probe.failure())
                .hasMessageContaining("1 of 2 cells did not succeed")
                .hasMessageContaining("train.seed=6: ");
    }

    @Test
    @Promise("NS-07")
    void whatIsWrongOfASweepIsToldBeforeAnythingIsSent() throws Exception {
        assertThatThrownBy(() -> new StepProbe(build).start(step(Map.of("train.seed", "0..999999"))))
                .hasMessage("the axis 'train.seed' has 1000000 values, and a sweep has at most 1000 cells");
        SweepStep shared = step(Map.of("train.seed", "0..1"));
        shared.setResultsDir("/results");
        assertThatThrownBy(() -> new StepProbe(build).start(shared))
                .hasMessageContaining("cannot share one resultsDir");
        SweepStep unknown = step(Map.of("train.seed", "0..1"));
        unknown.setCells("00000000");
        assertThatThrownBy(() -> new StepProbe(build).start(unknown)).hasMessageContaining("has no such cell");
        SweepStep odd = step(Map.of("train.seed", "0..1"));
        odd.setEndEarly("halving of acc");
        assertThatThrownBy(() -> new StepProbe(build).start(odd)).hasMessageContaining("endEarly knows 'median of");
        SweepStep none = step(Map.of("train.seed", "0..1"));
        none.setMaxParallel("0");
        assertThatThrownBy(() -> new StepProbe(build).start(none))
                .hasMessageContaining("maxParallel must be at least 1");
        SweepStep twice = step(Map.of("train.seed", List.of(1, 1)));
        assertThatThrownBy(() -> new StepProbe(build).start(twice)).hasMessageContaining("names a value twice");
        StepProbe slip = new StepProbe(build);
        slip.start(step(Map.of("train.sed", "0..1")));
        assertThat(slip.failure()).hasMessageContaining("did you mean 'train.seed'?");
        StepProbe part = new StepProbe(build);
        part.start(step(Map.of("enw.A", "0..1")));
        assertThat(part.failure()).hasMessageContaining("Did you mean 'env.A'?");
        assertThat(directory.resolve("base")).doesNotExist();
    }

    @Test
    @Promise("NS-07")
    void anAbortEndsTheCellsThatRunAndStartsNoOther() throws Exception {
        SweepStep step = step(Map.of("train.seed", "1..4"));
        step.setMaxParallel("1");
        step.setEnv(step.getEnv() + "\nSLEEP: '600'");
        StepProbe probe = new StepProbe(build);
        SweepExecution execution = (SweepExecution) probe.start(step);
        Awaitility.await().until(() -> Files.exists(directory.resolve("counts")));

        execution.stop(new InterruptedException("aborted"));

        assertThat(probe.failure()).hasMessage("aborted");
        try (Stream<String> lines = build.log().lines()) {
            assertThat(lines.filter(line -> line.contains(" submitted as "))).hasSize(1);
        }
    }

    @Test
    @Promise("NS-07")
    void anAbortOutlivesARestart() throws Exception {
        SweepStep step = step(Map.of("train.seed", "1..4"));
        step.setMaxParallel("1");
        step.setEnv(step.getEnv() + "\nSLEEP: '600'");
        StepProbe probe = new StepProbe(build);
        SweepExecution execution = (SweepExecution) probe.start(step);
        Awaitility.await().until(() -> Files.exists(directory.resolve("counts")));
        java.lang.reflect.Field stopped = SweepExecution.class.getDeclaredField("stopped");

        assertThat(java.lang.reflect.Modifier.isTransient(stopped.getModifiers()))
                .isFalse();
        stopped.setAccessible(true);
        stopped.set(execution, new InterruptedException("aborted before the restart"));
        jenkins.restart();
        execution.onResume();

        assertThat(probe.failure()).hasMessage("aborted before the restart");
        try (Stream<String> lines = build.log().lines()) {
            assertThat(lines.filter(line -> line.contains(" submitted as "))).hasSize(1);
        }
    }

    @Test
    @Promise("NS-07")
    void aSweepThatWasSavedGoesOnAfterARestartAndRunsNoCellTwice() throws Exception {
        SweepStep step = step(Map.of("train.seed", "5..7"));
        step.setMaxParallel("1");
        step.setEnv(step.getEnv() + "\nHELD: '6'");
        StepProbe probe = new StepProbe(build);
        SweepExecution execution = (SweepExecution) probe.start(step);
        Awaitility.await().until(() -> execution.getStatus().startsWith("1 of 3 cells"));
        Awaitility.await().until(() -> linesOf("counts") == 2);
        byte[] saved = saved(execution);
        jenkins.restart();

        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(saved))) {
            ((SweepExecution) in.readObject()).onResume();
        }
        release();

        assertThat(String.valueOf(((Map<?, ?>) probe.answer()).get("cells"))).contains("acc=0.5", "acc=0.6", "acc=0.7");
        assertThat(linesOf("counts")).isEqualTo(3);
    }

    @Test
    @Promise("NS-10")
    void noCellIsEndedEarlyWhereTheRecordsOfEarlierCellsCannotBeRead() throws Exception {
        SweepStep step = step(Map.of("train.seed", List.of(7, 8, 9, 1)));
        step.setMaxParallel("1");
        step.setEndEarly("median of acc after 1 epoch");
        step.setEnv(step.getEnv() + "\nHELD: '1'\nHANG: '1'");
        StepProbe probe = new StepProbe(build);
        SweepExecution execution = (SweepExecution) probe.start(step);
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> execution.getStatus().startsWith("3 of 4 cells"));
        Path history = build.getParent().getRootDir().toPath().resolve("tao/history.jsonl");
        Files.delete(history);
        Files.createDirectory(history);
        Field rules = SweepExecution.class.getDeclaredField("hopeless");
        rules.setAccessible(true);
        rules.set(execution, null); // as after a restart
        release();

        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> build.log().contains("no cell is ended early from now on"));
        execution.stop(new InterruptedException("enough"));
        assertThat(probe.failure()).hasMessage("enough");
    }

    private void release() throws IOException {
        Files.createFile(directory.resolve("marks.released"));
    }

    private long linesOf(String file) throws IOException {
        try (Stream<String> lines = Files.lines(directory.resolve(file))) {
            return lines.count();
        }
    }

    private static byte[] saved(SweepExecution execution) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(execution);
        }
        return bytes.toByteArray();
    }

    private SweepStep step(Map<String, Object> matrix) {
        SweepStep step = new SweepStep("here", "bash " + directory.resolve("train.sh") + " {config_path}");
        Map<String, Object> flat = new SweepStep.DescriptorImpl()
                .customInstantiate(Map.of(
                        "matrix", matrix,
                        "spec", Map.of("train", Map.of("seed", 0)),
                        "env",
                                Map.of(
                                        "MARKS",
                                        directory.resolve("marks").toString(),
                                        "COUNTS",
                                        directory.resolve("counts").toString())));
        step.setMatrix(String.valueOf(flat.get("matrix")));
        step.setSpec(String.valueOf(flat.get("spec")));
        step.setEnv(String.valueOf(flat.get("env")));
        step.setName("night");
        step.setInterval("1s");
        return step;
    }
}
