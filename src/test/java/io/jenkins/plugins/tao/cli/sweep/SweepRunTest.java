package io.jenkins.plugins.tao.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.cli.Bench;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.sweep.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sweep in a terminal: one wait for all cells, some at a time. */
class SweepRunTest {
    private static final String JOB = "target: fake\ncommand: exit 0\nspec: {train: {seed: 7}}\n";

    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void aBench() {
        bench = new Bench(directory);
    }

    private Path records() {
        return directory.resolve("home/.local/state/tao-run");
    }

    private long jobsUnderWay() {
        try (Stream<Path> files = Files.list(records())) {
            List<Path> all = new ArrayList<>(
                    files.filter(file -> file.toString().endsWith(".json")).toList());
            return all.stream()
                    .map(SweepRunTest::text)
                    .filter(text -> !text.contains("\"succeeded\"") && !text.contains("\"failed\""))
                    .count();
        } catch (IOException e) {
            return 0;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    @Promise({"NS-07", "NS-09"})
    void runSendsSomeCellsAtATimeWaitsForAllAndPrintsOneTableWithTheBest() {
        bench.write(
                "sweep.yaml",
                JOB + "matrix: {train.seed: 0..3, env.CURVE: ['0.1 0.3', '0.2 0.4']}\n"
                        + "maxParallel: 2\nbest: max val_acc\n");
        List<Long> before = new CopyOnWriteArrayList<>();
        bench.backend().willBeSeenBySubmit(key -> before.add(jobsUnderWay()));

        assertThat(bench.tao("run", "sweep.yaml", "--id", "study"))
                .as(bench.err())
                .isZero();

        assertThat(bench.backend().submitted()).hasSize(8);
        assertThat(before).hasSize(8).allMatch(others -> others <= 1);
        assertThat(bench.out())
                .containsPattern("cell +train.seed +env.CURVE +outcome +val_acc +job")
                .containsPattern("\\* +0 +0.2 0.4 +succeeded +0.400000 +fake/")
                .contains("the best cell is ", ": train.seed=0, env.CURVE=0.2 0.4");
    }

    @Test
    @Promise("NS-09")
    void theTableIsThereAsTextCsvJsonAndMarkdown() {
        bench.write("sweep.yaml", JOB + "matrix: {train.seed: 0..1, env.CURVE: ['0.5']}\nbest: max val_acc\n");
        bench.tao("run", "sweep.yaml", "--id", "study");
        String id = new Cell(Map.of("train.seed", "1", "env.CURVE", "0.5")).id();

        assertThat(bench.tao("sweep", "study")).isZero();
        assertThat(bench.out()).contains("train.seed").contains(id + "   1");
        assertThat(bench.tao("sweep", "study", "--format", "csv")).isZero();
        assertThat(bench.out())
                .startsWith("cell,best,train.seed,env.CURVE,outcome,val_acc,job,note\r\n")
                .contains(id + ",,1,0.5,succeeded,0.500000,fake/");
        assertThat(bench.tao("sweep", "study", "--format", "json")).isZero();
        assertThat(bench.out()).contains("\"cell\" : \"" + id + "\"", "\"val_acc\" : 0.5");
        assertThat(bench.tao("sweep", "study", "--format", "markdown")).isZero();
        assertThat(bench.out()).contains("| " + id + " |  | 1 | 0.5 | succeeded |");
        assertThat(bench.tao("sweep", "other")).isEqualTo(2);
        assertThat(bench.err()).contains("No sweep 'other' is known here.");
    }

    @Test
    @Promise("NS-09")
    void onlyTheCellsThatFailedAreRunAgain() {
        bench.write("sweep.yaml", JOB + "matrix: {env.EXIT: [0, 7], train.seed: 0..1}\n");

        assertThat(bench.tao("run", "sweep.yaml", "--id", "study")).isEqualTo(1);
        assertThat(bench.out()).contains("2 of 4 cells did not succeed; to run them alone: tao retry study");
        assertThat(bench.tao("run", "sweep.yaml", "--id", "study")).isEqualTo(1);
        assertThat(bench.backend().submitted()).hasSize(4);

        assertThat(bench.tao("retry", "study")).isEqualTo(1);

        assertThat(bench.backend().submitted()).hasSize(6);
        assertThat(bench.backend().submitted().subList(4, 6))
                .extracting(JobSpec::env)
                .containsOnly(Map.of("EXIT", "7"));
        String failed = new Cell(Map.of("env.EXIT", "7", "train.seed", "0")).id();
        assertThat(bench.out()).contains("study-" + failed + "-2 is the cell");
    }

    @Test
    @Promise("NS-07")
    void aSweepWhoseProcessWasKilledIsTakenUpAndNoCellIsStartedTwice() throws IOException {
        bench.write("sweep.yaml", JOB + "matrix: {train.seed: 0..5}\nmaxParallel: 2\n");
        assertThat(bench.tao("submit", "sweep.yaml", "--id", "study")).isZero();
        assertThat(bench.out().lines()).hasSize(2);
        assertThat(bench.err()).contains("at most 2 of the 6 cells run at a time", "'tao wait study'");
        String first = new Cell(Map.of("train.seed", "0")).id();
        Files.move(records().resolve("study-" + first + ".json"), records().resolve("lost"));

        assertThat(bench.tao("wait", "study")).as(bench.err()).isZero();

        assertThat(bench.backend().submitted()).hasSize(6);
        assertThat(bench.out()).doesNotContain("not started");
        assertThat(bench.tao("wait", "study")).isZero();
        assertThat(bench.tao("run", "sweep.yaml", "--id", "study")).isZero();
        assertThat(bench.backend().submitted()).hasSize(6);
    }

    @Test
    @Promise("NS-07")
    void aCellThatCameHomeBeforeTheProcessCouldNoteItIsNotWatchedAgain() throws IOException {
        bench.write("sweep.yaml", JOB + "matrix: {env.CURVE: ['0.5']}\n");
        bench.tao("run", "sweep.yaml", "--id", "study");
        Path kept = records().resolve("sweeps/study.json");
        String whole = Files.readString(kept);
        Files.writeString(kept, whole.substring(0, whole.indexOf("\"ends\"")) + "\"ends\": {}}");

        assertThat(bench.tao("wait", "study", "--json")).as(bench.err()).isZero();

        assertThat(bench.out())
                .contains("\"event\":\"sweep\"", "\"val_acc\":0.5", "\"outcome\":\"succeeded\"")
                .doesNotContain("\"event\":\"ended\"");
        assertThat(Files.readString(kept)).contains("\"outcome\" : \"succeeded\"");
    }

    @Test
    @Promise("NS-07")
    void eachEventOfASweepNamesItsJob() {
        bench.write("sweep.yaml", JOB + "matrix: {train.seed: 0..1}\n");

        assertThat(bench.tao("run", "sweep.yaml", "--id", "study", "--json")).isZero();

        assertThat(bench.out().lines()).allMatch(line -> line.contains("\"id\":\"study"));
    }

    @Test
    @Promise("NS-07")
    void aSweepThatHasGrownStartsTheNewCellsAlone() {
        bench.write("sweep.yaml", JOB + "matrix: {train.seed: 0..1}\n");
        assertThat(bench.tao("run", "sweep.yaml", "--id", "study")).isZero();
        bench.write("sweep.yaml", JOB + "matrix: {train.seed: 0..2}\n");

        assertThat(bench.tao("run", "sweep.yaml", "--id", "study")).isZero();

        assertThat(bench.backend().submitted()).hasSize(3);
    }

    @Test
    @Promise("NS-10")
    void aHopelessCellIsEndedEarlyByItsRuleAfterTheOrderWasKept() throws IOException {
        bench.write("sweep.yaml", JOB + """
                matrix: {env.CURVE: ['0.5 0.6 0.7', '0.4 0.5 0.6', '0.6 0.7 0.8', '0.1 0.1 0.2 stay', '0.5 0.6 0.9']}
                maxParallel: 1
                best: max val_acc
                endEarly: median of val_acc after 2 epochs
                """);
        String hopeless = new Cell(Map.of("env.CURVE", "0.1 0.1 0.2 stay")).id();
        List<String> kept = new CopyOnWriteArrayList<>();
        bench.backend().willBeSeenByCancel(job -> kept.add(text(records().resolve("sweeps/study.json"))));

        assertThat(bench.tao("run", "sweep.yaml", "--id", "study"))
                .as(bench.out())
                .isZero();

        String why = "rule median at epoch 2: its best val_acc, 0.20000, is below 0.70000, the median of 3 other cells";
        assertThat(kept).hasSize(1).allSatisfy(text -> assertThat(text).contains("\"" + hopeless + "\" : \"" + why));
        assertThat(bench.out())
                .contains("study-" + hopeless + " is ended early by " + why)
                .containsPattern(hopeless + " +0.1 0.1 0.2 stay +ended early")
                .contains(hopeless + " ended early by " + why)
                .doesNotContain("did not succeed");
        assertThat(bench.tao("retry", "study")).isZero();
        assertThat(bench.backend().submitted()).hasSize(5);
    }

    @Test
    @Promise("NS-10")
    void anOrderThatWasKeptBeforeTheProcessWasKilledIsGivenByTheNext() throws IOException {
        bench.write("sweep.yaml", JOB + "matrix: {env.CURVE: ['0.1 stay']}\n");
        bench.tao("submit", "sweep.yaml", "--id", "study");
        Path kept = records().resolve("sweeps/study.json");
        String cell = new Cell(Map.of("env.CURVE", "0.1 stay")).id();
        Files.writeString(
                kept,
                Files.readString(kept)
                        .replace("\"early\" : { }", "\"early\" : { \"" + cell + "\" : \"rule NaN at epoch 3: x\" }"));

        assertThat(bench.tao("wait", "study")).as(bench.err()).isZero();

        assertThat(bench.backend().cancelled()).hasSize(1);
        assertThat(bench.out()).contains(cell + " ended early by rule NaN at epoch 3: x");
    }

    @Test
    @Promise("NS-09")
    void groupGatesJudgeTheSeedsOfACellTogetherAndGatesEachCellAlone() {
        bench.write("sweep.yaml", JOB + """
                matrix: {env.CURVE: ['0.5', '0.3'], train.seed: 0..2}
                groupGates: [{kpi: val_acc, atLeast: 0.4}]
                """);

        assertThat(bench.tao("run", "sweep.yaml", "--id", "study"))
                .as(bench.out())
                .isEqualTo(5);
        assertThat(bench.out())
                .containsSubsequence(
                        "the 3 cells of env.CURVE=0.5:",
                        "gates of study: pass",
                        "the 3 cells of env.CURVE=0.3:",
                        "gates of study: FAILURE");

        bench.write("alone.yaml", JOB + """
                matrix: {env.CURVE: ['0.5', '0.3'], train.seed: 0..1}
                gates: [{kpi: val_acc, atLeast: 0.4, effect: unstable}]
                """);
        assertThat(bench.tao("run", "alone.yaml", "--id", "alone")).isEqualTo(6);
        assertThat(bench.out().split("gates of alone: pass", -1)).hasSize(3);
        assertThat(bench.out().split("gates of alone: UNSTABLE", -1)).hasSize(3);
    }

    @Test
    @Promise("NS-07")
    void cancelEndsTheCellsThatRunAndNoOtherIsStarted() {
        bench.write("sweep.yaml", JOB + "matrix: {env.CURVE: ['0.1 stay', '0.2 stay', '0.3']}\nmaxParallel: 1\n");
        bench.tao("submit", "sweep.yaml", "--id", "study");

        assertThat(bench.tao("cancel", "study")).as(bench.err()).isZero();
        assertThat(bench.tao("wait", "study")).isEqualTo(4);

        assertThat(bench.backend().cancelled()).hasSize(1);
        assertThat(bench.backend().submitted()).hasSize(1);
        assertThat(bench.out()).contains("not started");
    }

    @Test
    @Timeout(120)
    @Promise("NS-07")
    void aCellThatIsOnItsWayWhenTheSweepIsStoppedIsEndedToo() throws IOException {
        bench.write("sweep.yaml", JOB + "matrix: {env.CURVE: ['0.1 stay', '0.3']}\nmaxParallel: 1\n");
        Files.createDirectories(records().resolve("sweeps"));
        bench.backend().willBeSeenBySubmit(key -> write(records().resolve("sweeps/study.stop"), "tao cancel\n"));

        assertThat(bench.tao("run", "sweep.yaml", "--id", "study")).isEqualTo(4);

        assertThat(bench.backend().submitted()).hasSize(1);
        assertThat(bench.backend().cancelled()).hasSize(1);
    }

    @Test
    @Promise("NS-09")
    void aGroupIsNotJudgedWithoutAWordWhereTheRecordOfACellCannotBeRead() throws IOException {
        bench.write(
                "sweep.yaml",
                JOB + "matrix: {env.CURVE: ['0.5'], train.seed: 0..1}\n"
                        + "groupGates: [{kpi: val_acc, atLeast: 0.4}]\n");
        assertThat(bench.tao("run", "sweep.yaml", "--id", "study")).isZero();
        String cell = new Cell(Map.of("env.CURVE", "0.5", "train.seed", "1")).id();
        Files.writeString(directory.resolve("tao-artifacts/study-" + cell + "/record.json"), "half");

        assertThat(bench.tao("wait", "study")).isZero();

        assertThat(bench.out()).contains("groups are judged without study-" + cell + ": there is no record of it");
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    @Promise("NS-07")
    void whatIsWrongOfASweepIsToldBeforeAnythingIsSent() {
        refused("matrix: {train.seed: 0..999999}\n", "has 1000000 values, and a sweep has at most 1000 cells");
        refused("matrix: {train.seed: [1, 1]}\n", "names a value twice");
        refused("matrix: {train.seed: 0..1}\nmaxParallel: 0\n", ":5:14: maxParallel must be at least 1, was 0");
        refused("matrix: {train.seed: 0..1}\nendEarly: halving of val_acc after 2 epochs\n", "endEarly knows 'median");
        refused(
                "matrix: {train.seed: 0..1}\nendEarly: median of odd after 2 epochs\n",
                "better high or low is not known");
        refused("matrix: {train.seed: 0..1}\nrepeats: [train.sed]\n", "repeats names 'train.sed'");
        refused("matrix: {train.seed: 0..1}\nbest: most val_acc\n", "best must be 'max METRIC' or 'min METRIC'");
        refused("matrix: {train.seed: 0..1}\ngroupGates: [{kip: x}]\n", "unknown key 'kip'. Did you mean 'kpi'?");
        refused("matrix: {train.seed: 0..1, enw.A: [1]}\n", ":4:35: the spec has no 'enw.A'. Did you mean 'env.A'?");
        refused("maxParallel: 2\n", "'maxParallel' belongs to a sweep, and the file has no 'matrix'");
        assertThat(records().resolve("sweeps/study.json")).doesNotExist();
    }

    private void refused(String more, String why) {
        bench.write("sweep.yaml", JOB + more);

        assertThat(bench.tao("run", "sweep.yaml", "--id", "study")).isEqualTo(2);
        assertThat(bench.err()).contains(why);
        assertThat(bench.backend().submitted()).isEmpty();
    }
}
