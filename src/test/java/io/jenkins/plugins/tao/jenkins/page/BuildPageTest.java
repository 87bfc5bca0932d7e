package io.jenkins.plugins.tao.jenkins.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import hudson.model.Result;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a build: what its rows say, and what a browser gets that asks again and again. */
class BuildPageTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;
    private TaoRunAction page;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new TaoRunActions());
        build = jenkins.build("train");
        page = TaoRunAction.of(build);
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private static JobHandle handle(int id) {
        return new JobHandle(
                "dgx",
                "slurm",
                new JobKey("train-" + id),
                2,
                "47" + id,
                "/j",
                "/r",
                Instant.parse("2026-01-31T12:00:00Z"));
    }

    private void running(int id) {
        page.add(JobRecord.takenUp(handle(id)));
        page.update(
                "train-" + id,
                job -> job.now(handle(id), "RUNNING", "")
                        .advanced("epoch 3/10")
                        .knowing(Map.of(
                                JobFacts.PHASE,
                                "RUNNING",
                                JobFacts.STARTED,
                                "2026-01-31T12:05:00Z",
                                JobFacts.NODES,
                                "gpu01,gpu02,gpu03",
                                JobFacts.FRACTION,
                                "0.300",
                                JobFacts.ETA,
                                "2026-01-31T14:00:00Z",
                                JobFacts.KPI + "val_mAP",
                                "0.7121")));
    }

    private void ended(int id) {
        page.update(
                "train-" + id,
                job -> job.now("FAILURE", "OUT_OF_MEMORY")
                        .knowing(Map.of(
                                JobFacts.PHASE, "ENDED",
                                JobFacts.ENDED, "2026-01-31T13:05:30Z",
                                JobFacts.EXIT_CODE, "137",
                                JobFacts.ETA, "",
                                JobFacts.GPU_SECONDS, "28800"))
                        .ownedBy(JobOwner.ENDED));
    }

    private JsonNode state() throws IOException {
        return new JsonMapper().readTree(Answers.to(page::doState, "").body());
    }

    @Test
    @Promise({"JK-01", "JK-06"})
    void aRowTellsAllThatIsKnownOfItsJobAndTheJsonTellsTheSame() throws IOException {
        running(1);

        JobRow row = page.getRows().get(0);
        assertThat(row.getKind()).isEqualTo("running");
        assertThat(row.getWait()).isEqualTo("5m");
        assertThat(row.getNodes()).isEqualTo("gpu01, gpu02 and 1 more");
        assertThat(row.getKpis()).isEqualTo("val_mAP 0.7121");
        assertThat(row.getRunsSince()).isEqualTo("2026-01-31T12:05:00Z");
        JsonNode json = state().path("jobs").path(0);
        assertThat(json.path("eta").asText()).isEqualTo("2026-01-31T14:00:00Z");
        assertThat(json.path("fraction").asText()).isEqualTo("0.300");
        assertThat(json.path("cells").path("attempt").asText()).isEqualTo("2");
        assertThat(json.path("cells").path("progress").asText()).isEqualTo("epoch 3/10");
        assertThat(json.path("cells").path("allNodes").asText()).isEqualTo("gpu01, gpu02, gpu03");
        assertThat(json.path("waitSeconds").asText()).isEqualTo("300");
        assertThat(json.has("runSeconds")).isFalse();

        ended(1);

        JobRow failed = page.getRows().get(0);
        assertThat(failed.getKind()).isEqualTo("failed");
        assertThat(failed.getRan()).isEqualTo("1h");
        assertThat(failed.getGpuHours()).isEqualTo("8.0");
        assertThat(failed.getExitCode()).isEqualTo("137");
        assertThat(failed.getEta()).isEmpty();
        assertThat(page.getTotals()).isEqualTo("1 job: 1 failed");
    }

    @Test
    @Promise("JK-01")
    void aCellOfASweepHasItsValuesAsNameTheEndOfItsIdAndTheNameOfItsSweep() throws IOException {
        running(1);
        page.update("train-1", job -> job.knowing(Map.of(JobFacts.CELL, "lr=0.1", JobFacts.SWEEP, "train")));
        running(2);

        assertThat(page.getRows()).extracting(JobRow::getName).containsExactly("lr=0.1", "train-2");
        assertThat(page.getRows()).extracting(JobRow::getShortId).containsExactly("1", "");
        assertThat(state().path("jobs").path(0).path("sweep").asText()).isEqualTo("train");
        assertThat(state().path("jobs").path(1).has("sweep")).isFalse();
    }

    @Test
    @Promise("JK-01")
    void thePageIsSentWithTheFirstRowsAndItsStateHasAll() throws IOException {
        IntStream.rangeClosed(1, 60).forEach(id -> page.add(JobRecord.takenUp(handle(id))));

        assertThat(page.getFirstRows()).hasSize(50);
        assertThat(state().path("jobs")).hasSize(60);
    }

    @Test
    @Promise({"JK-01", "JK-06"})
    void aBrowserThatHasTheNewestRowsGetsNoBodyAndAllLookersShareOneRendering() throws IOException {
        running(1);
        Answers first = Answers.to(page::doState, "");

        Answers again = Answers.to(page::doState, first.tag());

        assertThat(first.status()).isEqualTo(200);
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(page.states()).isSameAs(page.states());

        page.show("train-1", job -> job.advanced("epoch 4/10"));
        Answers changed = Answers.to(page::doState, first.tag());
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.body()).contains("epoch 4/10");
    }

    @Test
    @Promise("JK-01")
    void thePageAsksOnUntilTheBuildAndAllItsJobsHaveEnded() throws IOException {
        running(1);
        ended(1);
        assertThat(state().path("complete").asBoolean()).isFalse();

        build.end(Result.UNSTABLE);

        assertThat(state().path("complete").asBoolean()).isTrue();
    }

    @Test
    void progressThatIsOnlyShownIsSavedWithTheNextChange() throws IOException {
        running(1);
        Path file = build.getRootDir().toPath().resolve("tao/jobs.jsonl");
        long before = Files.size(file);
        page.show("train-1", job -> job.advanced("epoch 7/10").knowing(Map.of(JobFacts.FRACTION, "0.700")));
        assertThat(Files.size(file)).isEqualTo(before);

        page.update("train-1", job -> job.now("COMPLETING", ""));

        JobRecord read = new JobFile(() -> file).read().values().iterator().next();
        assertThat(read.getProgress()).isEqualTo("epoch 7/10");
        assertThat(read.getFacts())
                .containsEntry(JobFacts.FRACTION, "0.700")
                .containsEntry(JobFacts.ETA, "2026-01-31T14:00:00Z");
    }

    @Test
    void aFactThatIsKnownNoMoreIsGoneAfterItIsReadAgain() throws IOException {
        running(1);
        ended(1);

        JobRecord read = new JobFile(() -> build.getRootDir().toPath().resolve("tao/jobs.jsonl"))
                .read()
                .values()
                .iterator()
                .next();

        assertThat(read.getFacts()).doesNotContainKey(JobFacts.ETA).containsEntry(JobFacts.EXIT_CODE, "137");
    }

    @Test
    @Promise("JK-03")
    void theSummaryNamesWhatBrokeAndWhyAndWhatGatesSaid() {
        running(1);
        running(2);
        ended(1);
        page.judged(AnAnswer.of("val_mAP at least 0.42", "no verdict", "", ""), "");
        page.judged(AnAnswer.of("val_mAP at least 0.42", "regression", "", ""), "");
        page.judged(AnAnswer.of("val_loss as usual", "pass", "", ""), "");

        BuildSummary summary = TaoRunAction.of(build).getSummary();

        assertThat(summary.getHeadline()).isEqualTo("2 jobs: 1 running, 1 failed; 1 of 2 gates bad");
        assertThat(summary.getKind()).isEqualTo("failed");
        assertThat(summary.getRows()).extracting(JobRow::getId).containsExactly("train-1");
        assertThat(summary.words(summary.getRows().get(0))).isEqualTo("OUT_OF_MEMORY");
        assertThat(summary.getGates()).extracting(GateAnswer::getAnswer).containsExactly("regression");
        assertThat(summary.getPassed()).extracting(GateAnswer::getAnswer).containsExactly("pass");
        assertThat(summary.getPassedWords()).isEqualTo("1 gate passed");
        assertThat(summary.isQuiet()).isFalse();
    }

    @Test
    void theRemedyOfAFailedJobStandsWholeInTheSummary() {
        String remedy = "Use a smaller batch, gradient checkpointing or a larger GPU. "
                .repeat(6)
                .strip();
        running(1);
        page.update("train-1", job -> job.now("FAILURE", "GPU_MEMORY, " + remedy));

        BuildSummary summary = TaoRunAction.of(build).getSummary();

        assertThat(summary.words(summary.getRows().get(0))).isEqualTo("GPU_MEMORY, " + remedy);
    }

    @Test
    void theHeadlineCountsTrainingsWhereABuildHasSeveral() {
        running(1);
        page.judged(AnAnswer.of("dino: val_mAP as usual", "regression", "dino", ""), "");
        page.judged(AnAnswer.of("dino: val_loss as usual", "pass", "dino", ""), "");
        page.judged(AnAnswer.of("rtdetr: val_mAP as usual", "pass", "rtdetr", ""), "");

        assertThat(page.getSummary().getHeadline()).isEqualTo("1 job: 1 running; 1 of 2 trainings bad");
    }

    @Test
    void anAnswerKeepsItsNumbersItsEffectAndTheLastBuilds() {
        GateAnswer.Figures figures = new GateAnswer.Figures(
                "val_mAP",
                OptionalDouble.of(0.312),
                OptionalDouble.of(0.4191),
                OptionalDouble.of(0.4153),
                " mAP",
                "#20",
                List.of(0.42, 0.418, Double.NaN, 0.312));
        GateAnswer kept = new GateAnswer(
                "val_mAP as usual", "regression", "It fell.", "", "", Optional.of(Effect.UNSTABLE), figures);

        GateAnswer read = GateAnswer.parse(kept.line()).orElseThrow();

        assertThat(read)
                .extracting(
                        GateAnswer::getValue,
                        GateAnswer::getUsual,
                        GateAnswer::getLimit,
                        GateAnswer::getSince,
                        GateAnswer::getEffectWords)
                .containsExactly("0.312 mAP", "0.419 mAP", "0.415 mAP", "#20", "makes the build unstable");
        assertThat(read.getCurve().getLine()).isEqualTo("3.0,3.0 60.0,3.4 117.0,25.0");
        assertThat(read.getCurve().getLimit()).isEqualTo("4.0");
        assertThat(read.getCurve().getLast()).isEqualTo("25.0");
    }

    @Test
    void oneValueFarFromAllOthersDoesNotFlattenTheLine() {
        List<Double> values = new ArrayList<>(Collections.nCopies(10, 0.42));
        values.addAll(Collections.nCopies(9, 0.418));
        values.set(3, 0.05);

        List<String> places = Stream.of(new GateCurve(values, OptionalDouble.of(0.416))
                        .getLine()
                        .split("[ ,]", -1))
                .toList();

        assertThat(places.get(2 * 3 + 1)).isEqualTo("25.0");
        assertThat(places.get(1)).isEqualTo("3.0");
        assertThat(Double.parseDouble(places.get(2 * 15 + 1))).isBetween(9.0, 12.0);
    }

    @Test
    void anAnswerOfAnOlderVersionHasNoNumbersAndNoLine() {
        GateAnswer read = GateAnswer.parse("{\"gate\": \"val_mAP as usual\", \"answer\": \"regression\"}")
                .orElseThrow();

        assertThat(read)
                .extracting(GateAnswer::getValue, GateAnswer::getLimit, GateAnswer::getEffectWords)
                .containsOnly("");
        assertThat(read.getCurve().isDrawn()).isFalse();
    }

    @Test
    @Promise("JK-03")
    void aGoodBuildShowsItsKpisInTheSummary() {
        running(1);
        page.update("train-1", job -> job.now("SUCCESS", "").ownedBy(JobOwner.ENDED));

        BuildSummary summary = page.getSummary();

        assertThat(summary.getKind()).isEqualTo("succeeded");
        assertThat(summary.words(summary.getRows().get(0))).isEqualTo("val_mAP 0.7121");
    }

    @Test
    @Promise("JK-01")
    void aFileThatCannotBeReadIsNoBuildWithoutJobsAndIsReadOnceItCan() throws IOException {
        Path file = build.getRootDir().toPath().resolve("tao/jobs.jsonl");
        running(1);
        byte[] kept = Files.readAllBytes(file);
        Files.delete(file);
        Files.createDirectory(file);
        TaoRunAction other = new TaoRunAction(build);

        assertThatThrownBy(other::getJobs)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("could not read the jobs of the build");
        other.update("train-1", job -> job.now("SUCCESS", "")); // costs no watch its life

        Files.delete(file);
        Files.write(file, kept);
        assertThat(other.getJobs()).extracting(JobRecord::getState).containsExactly("RUNNING");
    }
}
