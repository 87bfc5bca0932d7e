package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.record.ARun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateVerbsTest {
    @TempDir
    private Path directory;

    private Bench bench;

    @BeforeEach
    void aFolderOfRuns() throws IOException {
        bench = new Bench(directory);
        bench.env.put("USER", "ana");
        RunHistory history = new RunHistory(directory.resolve("tao-artifacts"));
        double[] values = {0.411, 0.413, 0.412, 0.410, 0.414, 0.412, 0.411, 0.413, 0.402, 0.401};
        for (int i = 0; i < values.length; i++) {
            history.add(ARun.of(i + 1)
                    .metric("val_mAP50", 0.1, values[i])
                    .text("origin", "code", i < 8 ? "aaaa" : "bbbb")
                    .record());
        }
    }

    @Test
    @Promise({"NV-25", "NV-19", "NV-20"})
    void theNewestNightIsJudgedWithWhatChangedSinceTheLastGoodOne() {
        assertThat(bench.tao("gate", "--gate", "kpi: val_mAP50")).isEqualTo(5);

        assertThat(bench.out())
                .contains("gates of #10: FAILURE")
                .contains("Regression since #9 (last good #8): val_mAP50 0.401, usual 0.412")
                .contains("changed between #8 and #10:")
                .containsPattern("commit +aaaa +bbbb");
    }

    @Test
    @Promise("NV-25")
    void exitCodesTellPassUnstableAndNoVerdict() {
        assertThat(bench.tao("gate", "8", "--gate", "kpi: val_mAP50, atLeast: 0.4"))
                .isZero();
        assertThat(bench.tao("gate", "--gate", "kpi: val_mAP50, atLeast: 0.5, effect: unstable"))
                .isEqualTo(6);
        assertThat(bench.tao("gate", "2", "--gate", "kpi: val_mAP50")).isZero();
        assertThat(bench.tao("gate", "2", "--gate", "kpi: val_mAP50", "--need-verdict"))
                .isEqualTo(7);
        assertThat(bench.tao("gate", "--gate", "kpi: val_mAP50, atleast: 0.5")).isEqualTo(2);
        assertThat(bench.err())
                .contains("unknown key 'atleast'. Did you mean 'atLeast'? Known keys: atLeast, atMost, by");
        assertThat(bench.tao("gate", "--gate", "kpi: val_mAP50, atLeast 0.5")).isEqualTo(2);
        assertThat(bench.err()).contains("unknown key 'atLeast 0.5'. Did you mean 'atLeast'?");
        assertThat(bench.tao("gate")).isEqualTo(2);
        assertThat(bench.err()).contains("No gate is asked of #10", "The run reported: val_mAP50");
    }

    @Test
    void silenceIsNoSuccess() {
        assertThat(bench.tao("gate", "8", "--gate", "kpi: val_mAP5", "--format", "json"))
                .isEqualTo(6);
        assertThat(bench.out()).contains("#8 reported no 'val_mAP5'. Nearest of what it reported: val_mAP50.");
        assertThat(bench.tao("gate", "8", "--gate", "kpi: val_mAP5, atLeast: 0.4"))
                .isEqualTo(5);
        assertThat(bench.tao("gate", "2", "--gate", "kpi: val_mAP50, needVerdict: true"))
                .isEqualTo(6);
        assertThat(bench.tao(
                        "gate",
                        "2",
                        "--need-verdict",
                        "--gate",
                        "kpi: val_mAP50",
                        "--gate",
                        "kpi: val_mAP50, atLeast: 0.4"))
                .isEqualTo(7);
    }

    @Test
    void halfALastLineIsALostRunAndNoOtherIsJudgedInItsPlace() throws IOException {
        Path history = directory.resolve("tao-artifacts/history.jsonl");
        Files.writeString(history, "{\"schema\":1,\"id\":\"train-11\",\"ori", StandardOpenOption.APPEND);

        assertThat(bench.tao("gate", "--gate", "kpi: val_mAP50, atLeast: 0.4")).isEqualTo(2);
        assertThat(bench.err()).contains("Not judged: the last line of", "history.jsonl is cut, so a run is lost.");
        assertThat(bench.tao("gate", "10", "--gate", "kpi: val_mAP50, atLeast: 0.4"))
                .isZero();
        assertThat(bench.err()).contains("history.jsonl is cut, so a run is lost.");
    }

    @Test
    void aVerdictThatCannotBeWrittenIsNoSuccess() throws IOException {
        Files.createDirectory(directory.resolve("tao-artifacts/verdicts.jsonl"));

        assertThat(bench.tao("gate", "8", "--gate", "kpi: val_mAP50, atLeast: 0.4"))
                .isEqualTo(8);
        assertThat(bench.err()).contains("tao: the verdict is not kept in");
        assertThat(bench.tao("gate", "8", "--gate", "kpi: val_mAP50, atLeast: 0.5"))
                .isEqualTo(5);
    }

    @Test
    void aNightOfTwoTrainingsHasAnAnswerForEach() throws IOException {
        new RunHistory(directory.resolve("tao-artifacts"))
                .add(ARun.of(10, 2)
                        .text("work", "network", "rtdetr")
                        .metric("val_mAP50", 0.9)
                        .record());

        assertThat(bench.tao("gate", "10", "--gate", "kpi: val_mAP50, atLeast: 0.5", "--junit", "two.xml"))
                .isEqualTo(5);

        assertThat(bench.out())
                .contains("FAILURE  dino train: val_mAP50 at least 0.5", "pass  rtdetr train: val_mAP50 at least 0.5");
        assertThat(directory.resolve("two.xml"))
                .content()
                .contains(
                        "name=\"dino train: val_mAP50 at least 0.5\"", "name=\"rtdetr train: val_mAP50 at least 0.5\"");
    }

    @Test
    @Promise({"NV-22", "NV-24"})
    void aVerdictIsATestReportAndComesBackInTheDigest() throws IOException {
        bench.tao("gate", "--gate", "kpi: val_mAP50", "--junit", "reports/gates.xml");

        assertThat(directory.resolve("reports/gates.xml"))
                .content()
                .contains(
                        "classname=\"tao.nightly.gates\" name=\"val_mAP50 as usual\"><failure message=\"Regression since #9");
        assertThat(bench.tao("digest", "10")).isZero();
        assertThat(bench.out()).contains("run #10: 1 training worse", "ran: 1 job: 1 succeeded", "GPU hours: 8.00");
        assertThat(bench.tao("digest", "10", "--format", "html")).isZero();
        assertThat(bench.out()).startsWith("<h2>run #10: 1 training worse, 1 job succeeded</h2>");
        assertThat(bench.tao("digest", "--within", "1h")).isZero();
        assertThat(bench.out()).contains("nothing left a record");
    }

    @Test
    @Promise("NV-19")
    void aFailedGateSaysWhetherOtherJobsOfTheTargetGotWorseToo() throws IOException {
        assertThat(bench.tao("gate", "--gate", "kpi: val_mAP50")).isEqualTo(5);
        assertThat(bench.out()).doesNotContain("within 12 hours");
        RunHistory history = new RunHistory(directory.resolve("tao-artifacts"));
        for (int night = 1; night <= 10; night++) {
            history.add(ARun.of(night, 1)
                    .text("work", "network", "ocrnet")
                    .metric("val_mAP50", 0.41 + night % 3 * 0.001)
                    .record());
        }

        assertThat(bench.tao("gate", "train-10", "--gate", "kpi: val_mAP50")).isEqualTo(5);

        assertThat(bench.out()).contains("0 of 1 other job on this target got worse within 12 hours of it.");
    }

    @Test
    @Promise({"NV-23", "NV-25"})
    void historyIsATableInFourForms() {
        assertThat(bench.tao("history", "--kpi", "val_mAP50", "--last", "2", "--format", "csv"))
                .isZero();
        assertThat(bench.out().lines())
                .containsExactly(
                        "run,id,submitted,outcome,gates,queue s,run s,GPU hours,code,val_mAP50",
                        "#9,train-9,2026-01-10T01:00:00Z,succeeded,,60,3600,8,bbbb,0.402",
                        "#10,train-10,2026-01-11T01:00:00Z,succeeded,,60,3600,8,bbbb,0.401");
        assertThat(bench.tao("history", "--format", "json")).isZero();
        assertThat(bench.out())
                .contains("\"run\" : \"#10\"", "\"runSeconds\" : 3600.0", "\"gpuHours\" : 8.0", "\"val_mAP50\" : 0.401")
                .doesNotContain("queue s");
        assertThat(bench.tao("history", "--format", "markdown")).isZero();
        assertThat(bench.out()).contains("| #10 | train-10 |");
        assertThat(bench.tao("history")).isZero();
        assertThat(bench.out()).contains("#10");
    }

    @Test
    void historyNamesTheRunsThatAGateFoundBad() {
        bench.tao("gate", "8", "--gate", "kpi: val_mAP50, atLeast: 0.4");
        bench.tao("gate", "9", "--gate", "kpi: val_mAP50, atLeast: 0.5, effect: unstable");
        bench.tao("gate", "--gate", "kpi: val_mAP50, atLeast: 0.4", "--gate", "kpi: val_mAP50, atLeast: 0.5");

        assertThat(bench.tao("history", "--last", "3", "--format", "csv")).isZero();
        assertThat(bench.out())
                .contains(
                        ",succeeded,pass,60,", ",succeeded,regression (unstable),", ",succeeded,regression (failure),");
        assertThat(bench.tao("history", "--last", "1", "--json")).isZero();
        assertThat(bench.out())
                .containsSubsequence(
                        "\"gates\" : [ {",
                        "at least 0.4\"",
                        "\"PASS\"",
                        "\"NOTE\"",
                        "at least 0.5\"",
                        "\"REGRESSION\"",
                        "\"FAILURE\"");
        assertThat(bench.tao("history")).isZero();
        assertThat(bench.out()).contains("regression (failure)").doesNotContain("\u001b");
        bench.live();
        assertThat(bench.tao("history", "--last", "3")).isZero();
        assertThat(bench.out().lines().skip(1).map(line -> line.substring(0, 5)))
                .containsExactly("#8   ", "\u001b[33m", "\u001b[31m");
    }

    @Test
    void aMetricThatNoRunReportedIsNamed() {
        assertThat(bench.tao("history", "--kpi", "val_mAP5", "--kpi", "duration"))
                .isZero();
        assertThat(bench.err())
                .isEqualTo("tao: none of these runs reported 'val_mAP5'. Did you mean 'val_mAP50'? Known metrics:"
                        + " duration, epochTime, gpuHours, memory, queueWait, throughput, val_mAP50.\n");
    }

    @Test
    void aFolderWithoutRunsIsNamed() {
        assertThat(bench.tao("history", "--archive-dir", "none")).isZero();
        assertThat(bench.out()).isEmpty();
        assertThat(bench.err())
                .isEqualTo("tao: There is no record of a run in " + directory.resolve("none")
                        + ". 'tao run' leaves one.\n");
        assertThat(bench.tao("history", "--archive-dir", "none", "--json")).isZero();
        assertThat(bench.out()).isEqualTo("[ ]\n");
    }

    @Test
    @Promise({"NV-13", "NV-25"})
    void twoRunsAreComparedInWords() throws IOException {
        RunHistory history = new RunHistory(directory.resolve("tao-artifacts"));
        for (int seed = 1; seed <= 4; seed++) {
            history.add(
                    ARun.of(20, seed).metric("val_mAP50", 0.40 + seed / 1000.0).record());
            history.add(
                    ARun.of(21, seed).metric("val_mAP50", 0.42 + seed / 1000.0).record());
        }

        assertThat(bench.tao("compare", "20", "21")).isZero();
        assertThat(bench.out())
                .contains("#20 and #21 are comparable")
                .contains("better, hardly by chance: 0.02 ± 0.0022 (4 runs each)");
        assertThat(bench.tao("compare", "1", "2")).isZero();
        assertThat(bench.out()).contains("one run each does not exclude chance");
    }

    @Test
    @Promise({"NV-18", "NV-25"})
    void aBlessedRunIsABaselineForGates() {
        assertThat(bench.tao("bless", "8", "--why", "shipped", "--name", "v1")).isZero();
        assertThat(bench.out()).isEqualTo("#8 (train-8) is baseline 'v1', blessed by ana\n");

        assertThat(bench.tao("gate", "--gate", "kpi: val_mAP50, noWorseThan: baseline v1, by: 1%"))
                .isEqualTo(5);
        assertThat(bench.out())
                .contains(
                        "val_mAP50 0.401 is 2.9 % below baseline 'v1' (#8, blessed by ana) with 0.413, below the limit 0.409.");
        assertThat(bench.tao("bless", "8", "--why", " ")).isEqualTo(2);
        assertThat(bench.tao("bless", "nothing", "--why", "x")).isEqualTo(2);
        assertThat(bench.tao("bless", "8", "--why", "x", "--baselines", "repo/good.jsonl"))
                .isZero();
        assertThat(directory.resolve("repo/good.jsonl")).isRegularFile();
    }

    @Test
    @Promise({"NV-01", "NV-02", "NV-17"})
    void aRunLeavesItsRecordAndItsVerdict() throws IOException {
        bench.write("train.yaml", """
                target: fake
                command: exit 0
                gates:
                  - {kpi: duration, atMost: 86400}
                  - {kpi: val_mAP50, atLeast: 0.4, effect: unstable}
                """);

        assertThat(bench.tao("run", "train.yaml", "--id", "train")).isEqualTo(5);

        Path folder = directory.resolve("tao-artifacts/train");
        assertThat(folder.resolve("record.json")).content().contains("\"schema\" : 1", "\"word\" : \"succeeded\"");
        assertThat(folder.resolve("series.csv")).content().startsWith("metric,epoch,step,value");
        assertThat(folder.resolve("verdict.json")).content().contains("FAILED");
        assertThat(bench.err() + bench.out()).contains("Failed: train reported no 'val_mAP50'");
        assertThat(Files.readString(directory.resolve("tao-artifacts/history.jsonl")))
                .contains("\"id\":\"train\"");
        assertThat(bench.tao("gate", "train")).isEqualTo(5);
    }

    @Test
    void aGateOfAJobFileThatIsWrittenWrongIsRefusedBeforeAnythingIsSent() {
        bench.write("train.yaml", "target: fake\ncommand: x\ngates: [{kpi: a, atLeast: high}]\n");

        assertThat(bench.tao("run", "train.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("train.yaml:3:", "atLeast must be a number, was 'high'.");
    }

    @Test
    void calibrateSuggestsGatesThatAJobFileTakes() throws IOException {
        assertThat(bench.tao("calibrate", "8")).isZero();
        String said = bench.out();
        assertThat(said)
                .contains("dino train, val_mAP50 (higher is better): usual 0.412, spread of one run 0.0013 (8 runs)");
        bench.write("train.yaml", "target: fake\ncommand: exit 0\n" + said.substring(said.indexOf("gates:\n")));

        assertThat(bench.tao("run", "train.yaml", "--id", "train")).isEqualTo(6);

        assertThat(directory.resolve("tao-artifacts/train/gates.json"))
                .content()
                .contains("\"noise\" : \"0.0013\"", "\"direction\" : \"higher\"", "\"effect\" : \"unstable\"");
        assertThat(bench.tao("calibrate", "8", "--format", "json")).isZero();
        assertThat(bench.out()).contains("\"foundInOneRun\" : 0.00", "\"noise\" : \"0.0013\"");
    }

    @Test
    void aJobWhoseGatedMetricIsNoNumberIsEndedWhileItRunsAndItsGateSaysFailed() {
        Bench whole = new Bench(directory, BackendTypes.load());
        whole.write(
                "tao-targets.yaml",
                "targets: {fast: {backend: simulated, baseDirectory: " + directory + "/sim, speed: 200}}\n");
        whole.write("nan.yaml", """
                target: fast
                command: dino train -e {config_path}
                endEarly: NaN
                gates: [{kpi: val_mAP50}]
                options: {queue: 1s, epochs: 900, epochTime: 60s, failure: nan, failAt: 1, kpis: {val_mAP50: 0.4}}
                """);

        assertThat(whole.tao("run", "nan.yaml", "--id", "nan", "--interval", "1s"))
                .isEqualTo(1);
        assertThat(whole.out())
                .contains(
                        "ended early: val_mAP50 was not a number in 3 values. It is ended now.",
                        "failed, ran",
                        "**Cause**: ENDED_EARLY");
        assertThat(whole.tao("gate", "nan")).isEqualTo(5);
        assertThat(whole.out()).contains("Failed: nan was ended early: val_mAP50 was not a number in 3 values.");
    }

    @Test
    void calibrateNamesTheMetricsThereAreAndTheRunsThatAreLacking() {
        assertThat(bench.tao("calibrate", "--kpi", "val_map")).isEqualTo(2);
        assertThat(bench.err()).contains("has a value of 'val_map'. #10 reported: val_mAP50.");
        assertThat(bench.tao("calibrate", "3", "--kpi", "val_mAP50")).isZero();
        assertThat(bench.out()).contains("no gate from 3 comparable runs; 2 more comparable runs are needed.");
        assertThat(bench.out()).doesNotContain("gates:");
    }

    @Test
    @Promise("NV-25")
    void aNumberThatBeginsAgainMinutesLaterMeansTheNewRun() throws IOException {
        Path folder = directory.resolve("again");
        RunHistory history = new RunHistory(folder);
        double[] values = {0.41, 0.41, 0.41, 0.05};
        for (int i = 0; i < values.length; i++) {
            String hour = "2026-02-01T01:0" + 2 * i;
            history.add(ARun.of(i == 3 ? 2 : i + 1)
                    .top("id", "run-" + i)
                    .metric("val_mAP50", values[i])
                    .text("times", "submittedAt", hour + ":00Z")
                    .text("times", "endedAt", hour + ":30Z")
                    .record());
        }

        assertThat(bench.tao("gate", "2", "--archive-dir", folder.toString(), "--gate", "kpi: val_mAP50, atLeast: 0.2"))
                .isEqualTo(5);
        assertThat(bench.out()).contains("val_mAP50 0.05 is below the required 0.2");
    }
}
