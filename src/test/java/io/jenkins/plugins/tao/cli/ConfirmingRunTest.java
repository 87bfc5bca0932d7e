package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A gate with confirm in a terminal: real jobs on this machine after twelve nights that were as usual. */
class ConfirmingRunTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    private Bench bench;
    private String confirm = "train.seed";

    @BeforeEach
    void twelveNights() throws IOException {
        bench = new Bench(directory, BackendTypes.load());
        bench.write("tao-targets.yaml", "targets: {here: {backend: local, baseDirectory: " + directory + "/tao}}\n");
        RunHistory history = new RunHistory(directory.resolve("tao-artifacts"));
        for (int night = 1; night <= 12; night++) {
            ARun run = ARun.of(night).metric("val_mAP", 0.418 + night % 4 * 0.001);
            for (String fact : List.of("network", "action", "specHash", "image")) {
                run.without("work", fact);
            }
            history.add(run.without("machines", "gpus")
                    .without("machines", "gpuType")
                    .record());
        }
    }

    /** A training that reaches these values with its own seed and with any other. */
    private void job(String own, String other, String more) throws IOException {
        bench.write("nightly.yaml", """
                name: nightly
                target: here
                gpus: 0
                command: |
                  v=%s; grep -q 'seed: 7$' {config_path} || v=%s
                  mkdir -p {results_dir}/train
                  echo '{"epoch": 1, "status": "RUNNING", "kpi": {"val_mAP": "'$v'"}}' > {results_dir}/train/status.json
                  echo '{"status": "SUCCESS", "message": "Train finished successfully."}' >> {results_dir}/train/status.json
                spec: {train: {seed: 7}}
                gates:
                  - {kpi: val_mAP, confirm: %s}
                %s
                """.formatted(own, other, confirm, more));
    }

    private List<RunRecord> confirming() throws IOException {
        return new RunHistory(directory.resolve("tao-artifacts"))
                .read().records().stream()
                        .filter(run -> run.origin().fact("confirms").isPresent())
                        .toList();
    }

    /** Records know whole seconds: the next run is a later one only in the next of them. */
    private void aGoodRun() {
        assertThat(tao("run", "nightly.yaml", "--interval", "1s")).isZero();
        long second = Instant.now().getEpochSecond();
        Awaitility.await().until(() -> Instant.now().getEpochSecond() > second);
    }

    private int tao(String... words) {
        return bench.tao(words);
    }

    @Test
    @Promise("NV-15")
    void aSuspectNightIsConfirmedBeforeTheRunEndsRed() throws Exception {
        job("0.31", "0.32", "");

        assertThat(tao("run", "nightly.yaml", "--interval", "1s"))
                .as(() -> bench.out() + bench.err())
                .isEqualTo(5);

        assertThat(bench.out()).contains("a confirming run with train.seed = ", "the rerun gave 0.32 too");
        assertThat(confirming())
                .singleElement()
                .satisfies(run -> assertThat(run.text("work/seed")).isNotEqualTo(Optional.of("7")));
    }

    @Test
    @Promise("NV-15")
    void oneThatIsAsUsualEndsGreenAndIsNotStartedTwice() throws Exception {
        job("0.31", "0.419", "");

        assertThat(tao("run", "nightly.yaml", "--interval", "1s"))
                .as(() -> bench.out() + bench.err())
                .isZero();
        String id = confirming().get(0).origin().fact("confirmedRun").orElseThrow();
        assertThat(tao("gate", id, "--confirm")).isZero();

        assertThat(confirming()).hasSize(1);
        assertThat(bench.out()).contains("pass (not confirmed)");
    }

    @Test
    @Promise("NV-15")
    void oneThatWasStartedIsNotStartedAgainAlthoughItsRecordIsGone() throws Exception {
        job("0.31", "0.32", "");
        assertThat(tao("run", "nightly.yaml", "--interval", "1s")).isEqualTo(5);
        RunRecord first = confirming().get(0);
        try (var files = Files.walk(directory.resolve("tao-artifacts").resolve(first.id()))) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        }
        Path history = directory.resolve("tao-artifacts/history.jsonl");
        Files.write(
                history,
                Files.readAllLines(history).stream()
                        .filter(line -> !line.contains(first.id()))
                        .toList());

        tao("gate", first.origin().fact("confirmedRun").orElseThrow(), "--confirm");

        try (var jobs = Files.list(directory.resolve("tao/jobs"))) {
            assertThat(jobs).hasSize(2);
        }
    }

    @Test
    void ofAPairTheLastGoodVersionThatIsGoodStillBlamesTheChange() throws Exception {
        confirm = "pair";
        job("0.419", "0.4185", "");
        aGoodRun();
        job("0.31", "0.32", "");

        assertThat(tao("run", "nightly.yaml", "--interval", "1s"))
                .as(() -> bench.out() + bench.err())
                .isEqualTo(5);

        assertThat(bench.out()).contains("the last good run, is run beside it", "0.32", "0.418");
        assertThat(confirming())
                .hasSize(2)
                .allSatisfy(run -> assertThat(run.text("work/seed")).isNotEqualTo(Optional.of("7")))
                .extracting(run -> run.origin().fact("beside").isPresent())
                .containsExactlyInAnyOrder(true, false);
    }

    @Test
    void ofAPairTheLastGoodVersionThatIsBadTooClearsTheChange() throws Exception {
        confirm = "pair train.seed";
        Path machine = bench.write("machine", "0.419");
        job("$(cat " + machine + ")", "$(cat " + machine + ")", "");
        aGoodRun();
        bench.write("machine", "0.31");

        assertThat(tao("run", "nightly.yaml", "--interval", "1s"))
                .as(() -> bench.out() + bench.err())
                .isZero();

        assertThat(bench.out()).contains("pass (not confirmed)");
        assertThat(confirming()).hasSize(2);
    }

    @Test
    void withoutAGoodRunThatCanBeRepeatedTheRerunDecidesAlone() throws Exception {
        confirm = "pair";
        job("0.31", "0.32", "");

        assertThat(tao("run", "nightly.yaml", "--interval", "1s")).isEqualTo(5);

        assertThat(bench.out()).contains("is not kept in");
        assertThat(confirming()).hasSize(1);
    }

    @Test
    void aNamedResultsDirectoryIsToldAndTheNightJudgedWithout() throws Exception {
        job("0.412", "0.32", "resultsDir: " + directory + "/mine");

        assertThat(tao("run", "nightly.yaml", "--interval", "1s"))
                .as(() -> bench.out() + bench.err())
                .isZero();

        assertThat(bench.out() + bench.err())
                .contains("no confirming run", "cannot share the results directory", "suspect");
    }
}
