package io.jenkins.plugins.tao.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.cli.Bench;
import io.jenkins.plugins.tao.history.Ledger;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostVerbTest {
    private static final String TARGETS = "targets: {fake: {backend: fake}}\n";

    @TempDir
    private Path directory;

    private Bench bench;

    @BeforeEach
    void aJob() {
        bench = new Bench(directory);
        bench.env.put("USER", "ana");
        bench.env.put("GIT_COMMIT", "cafe");
        bench.write("good.yaml", "target: fake\ncommand: exit 0\ngpus: 8\ntime: 2h\n");
        bench.write("plain.yaml", "target: fake\ncommand: exit 0\ngpus: 8\n");
    }

    @Test
    @Promise("NV-26")
    void runsOfAFolderAndOfTheLedgerAreAddedUpWithTheirPrices() throws IOException {
        RunHistory history = new RunHistory(directory.resolve("tao-artifacts"));
        history.add(ARun.of(1).top("target", "fake").record());
        history.add(ARun.of(40).top("target", "fake").record());
        bench.write("tao-targets.yaml", TARGETS + "prices: [{target: fake, perGpuHour: 2.5, currency: EUR}]\n");

        assertThat(bench.tao("cost", "--format", "csv")).isZero();
        assertThat(bench.out())
                .contains("fake,2026-01,1,0,8.00,0,60,60,0,20.00 EUR,0")
                .contains("fake,2026-02,1,0,8.00,0,60,60,0,20.00 EUR,0");
        assertThat(bench.tao("cost", "--since", "2026-02", "--by", "job")).isZero();
        assertThat(bench.out()).contains("1 run ended, 8.00 GPU-hours, 20.00 EUR.");
        assertThat(bench.tao("cost", "--format", "json")).isZero();
        assertThat(bench.out()).contains("\"EUR\" : 20.0");
        assertThat(bench.tao("cost", "--format", "markdown")).isZero();
        assertThat(bench.tao("cost", "--since", "soon")).isEqualTo(2);
        assertThat(bench.err())
                .contains(
                        "a day (2026-11-21) or a length of time such as 1d12h, 4h, 90m, 30s, 1-12:00:00, or a number");
        assertThat(bench.tao("cost", "--by", "team")).isEqualTo(2);
    }

    @Test
    @Promise("NV-26")
    void anUnsentJobCostsNothingAndOneWithoutEndIsCountedApart() {
        assertThat(bench.tao("submit", "plain.yaml", "--id", "one")).isZero();
        assertThat(bench.tao("cost")).isZero();
        assertThat(bench.out()).contains("0 runs ended, GPU-hours are not known. Not in the sums: 1 not ended yet.");

        assertThat(bench.tao("wait", "one")).isZero();
        assertThat(bench.tao("cost")).isZero();
        assertThat(bench.out()).contains("1 run ended").doesNotContain("not ended yet");
    }

    /** They are sent side by side. */
    @Test
    @Promise("NV-27")
    void jobsOfOneCommandSeeEachOtherInABudget() {
        bench.write("tao-targets.yaml", TARGETS + "budgets: [{target: fake, gpuHours: 20}]\n");
        bench.write("seeds.yaml", "target: fake\ncommand: exit 0\ngpus: 8\ntime: 2h\nmatrix: {env.SEED: 0..15}\n");

        assertThat(bench.tao("submit", "seeds.yaml")).isEqualTo(2);

        assertThat(bench.tao("list")).isZero();
        assertThat(bench.out().lines().filter(line -> line.contains("fake")).count())
                .isEqualTo(1);
    }

    @Test
    @Promise("NV-27")
    void aBudgetThatIsExceededRefusesTheJobBeforeItIsSent() {
        bench.write("tao-targets.yaml", TARGETS + "budgets: [{target: fake, gpuHours: 20}]\n");
        assertThat(bench.tao("submit", "good.yaml", "--id", "one")).isZero();

        assertThat(bench.tao("submit", "good.yaml", "--id", "two")).isEqualTo(2);

        assertThat(bench.err())
                .contains("budget: of 20.0 GPU-hours for target 'fake' in 2026-11, 0.0 are used, 16.0 are kept for jobs"
                        + " that have not ended, and this job asks for 16.0 (8 GPUs x 2h): 12.0 above")
                .contains("raise the budget: 'budgets' in");
        assertThat(bench.backend().submitted()).hasSize(1);
        assertThat(bench.tao("cost")).isZero();
        assertThat(bench.out()).contains("1 not ended yet");
    }

    @Test
    @Promise("NV-27")
    void whatARefusedJobAskedForIsFreeAgainAndAResentOneCountsOnce() {
        bench.backend().willRefuseSubmissions(new BackendException.Denied("No.", "Ask."));
        bench.write("tao-targets.yaml", TARGETS + "budgets: [{gpuHours: 20, above: refuse}]\n");
        assertThat(bench.tao("submit", "good.yaml", "--id", "one")).isEqualTo(2);

        bench = new Bench(directory);
        bench.write("tao-targets.yaml", TARGETS + "budgets: [{gpuHours: 20, above: refuse}]\n");
        assertThat(bench.tao("submit", "good.yaml", "--id", "two")).isZero();
        assertThat(bench.tao("submit", "good.yaml", "--id", "two")).isZero();
    }

    @Test
    void aBudgetThatIsWrittenWrongIsRefusedWithItsPlace() {
        bench.write("tao-targets.yaml", TARGETS + "budgets:\n  - {target: fake}\n");

        assertThat(bench.tao("submit", "good.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("tao-targets.yaml:3:5: a budget needs either gpuHours or money");
    }

    @Test
    @Promise("NV-01")
    void whatWasAskedAndTheCodeAreKeptFromSubmitToWait() throws IOException {
        bench.tao("submit", "plain.yaml", "--id", "one");
        bench.env.put("GIT_COMMIT", "beef");

        assertThat(bench.tao("wait", "one")).isZero();

        RunRecord record = RunRecord.parse(Files.readString(directory.resolve("tao-artifacts/one/record.json")));
        assertThat(record.text("origin/code")).contains("cafe");
        assertThat(record.text("machines/gpus")).contains("8");
        assertThat(directory.resolve("home/.local/state/tao-run/asked/one")).doesNotExist();
    }

    @Test
    @Promise("NV-31")
    void aSubmissionSaysHowLongEarlierJobsLikeItWaited() throws IOException {
        Ledger ledger = bench.surroundings().ledger();
        for (int night = 290; night < 300; night++) { // the bench stands in November
            ledger.add(ARun.of(night)
                    .top("target", "fake")
                    .number("times", "queueSeconds", 60L * night)
                    .record());
        }

        assertThat(bench.tao("submit", "good.yaml")).isZero();

        assertThat(bench.err())
                .contains("queue: of 10 earlier jobs with 8 GPUs on fake, half began within 4h54m and nine of ten");
    }
}
