package io.jenkins.plugins.tao.jenkins.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.Golden;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.Finding;
import io.jenkins.plugins.tao.gate.Gate;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trends of a Jenkins job, from the records of its builds. */
class TrendTest {
    private static ARun dino(int build, double value) {
        return ARun.of(build).metric("val_mAP50", value);
    }

    private static ARun rtdetr(int build, double value) {
        return ARun.of(build, 7).text("work", "network", "rtdetr").metric("val_mAP50", value);
    }

    private static List<RunRecord> steady(int count) {
        return new ArrayList<>(IntStream.rangeClosed(1, count)
                .mapToObj(build -> dino(build, 0.6 + build % 3 * 0.001).record())
                .toList());
    }

    private static Trend trend(List<RunRecord> records, List<Blessed> blessed, PastVerdict... verdicts) {
        return Trend.of(
                records, blessed, List.of(verdicts), number -> number == 1 ? "" : "job/nightly/" + number + "/");
    }

    private static JsonNode json(List<RunRecord> records, PastVerdict... verdicts) {
        return trend(records, List.of(), verdicts).json(100);
    }

    private static PastVerdict verdict(
            int build, String run, String gate, GateResult call, double value, double limit) {
        return new PastVerdict(
                "#" + build,
                "",
                List.of(run),
                gate,
                call,
                call.bad() ? Effect.FAILURE : Effect.NOTE,
                gate + ": " + call.words() + ".",
                OptionalDouble.of(value),
                OptionalDouble.of(limit));
    }

    private static JsonNode chart(JsonNode json, String training, String metric) {
        for (JsonNode chart : json.path("charts")) {
            if (chart.path("metric").asText().equals(metric)
                    && chart.path("training").asText().equals(training)) {
                return chart;
            }
        }
        throw new AssertionError("no chart " + training + " " + metric + " in " + json);
    }

    private static List<Double> values(JsonNode chart, String key) {
        List<Double> values = new ArrayList<>();
        chart.path("points")
                .forEach(point -> values.add(point.has(key) ? point.path(key).asDouble() : null));
        return values;
    }

    @Test
    @Promise("JK-04")
    void eachTrainingHasItsOwnChartOfAMetric() {
        JsonNode json = json(List.of(
                dino(1, 0.5).record(),
                rtdetr(1, 0.3).record(),
                rtdetr(2, 0.31).record(),
                dino(3, 0.52).record(),
                rtdetr(3, 0.32).record()));

        assertThat(values(chart(json, "dino train", "val_mAP50"), "value")).containsExactly(0.5, 0.52);
        assertThat(values(chart(json, "dino train", "val_mAP50"), "build")).containsExactly(0.0, 2.0);
        assertThat(values(chart(json, "rtdetr train", "val_mAP50"), "value")).containsExactly(0.3, 0.31, 0.32);
        assertThat(values(chart(json, "dino train", "duration"), "value")).containsExactly(3600.0, 3600.0);
        assertThat(values(chart(json, "dino train", "gpuHours"), "value")).containsExactly(8.0, 8.0);
    }

    @Test
    @Promise("JK-04")
    void trainingsThatDifferInTheirEnvironmentAloneAreTwo() {
        List<RunRecord> runs = new ArrayList<>();
        for (int build = 1; build <= 3; build++) {
            runs.add(dino(build, 0.5).text("work", "commandHash", "one").record());
            runs.add(ARun.of(build, 7)
                    .metric("val_mAP50", 0.3)
                    .text("work", "commandHash", "two")
                    .record());
        }

        JsonNode charts = json(runs).path("charts");

        assertThat(values(charts.path(0), "value")).containsExactly(0.5, 0.5, 0.5);
        assertThat(values(charts.path(4), "value")).containsExactly(0.3, 0.3, 0.3);
    }

    @Test
    void theRunsOfOneTrainingInABuildAreOnePoint() {
        JsonNode json = json(List.of(
                dino(1, 0.5).record(),
                ARun.of(1, 2).metric("val_mAP50", 0.7).record(),
                dino(2, 0.625).record()));

        assertThat(values(chart(json, "dino train", "val_mAP50"), "value").get(0))
                .isCloseTo(0.6, within(0.01));
        assertThat(json.path("builds").path(1).path("url").asText()).isEqualTo("job/nightly/2/");
    }

    @Test
    @Promise("JK-04")
    void aDeletedBuildIsNotLinked() {
        JsonNode builds =
                json(List.of(dino(1, 0.5).record(), dino(2, 0.5).record())).path("builds");

        assertThat(builds.findValuesAsText("url")).containsExactly("", "job/nightly/2/");
    }

    @Test
    @Promise("JK-04")
    void buildsOfTheSameSecondStandInTheirOrder() {
        String run =
                "{\"schema\": 1, \"id\": \"x%1$d\", \"origin\": {\"build\": \"#%1$d\"}, \"outcome\": {\"word\": \"succeeded\"},"
                        + " \"times\": {\"submittedAt\": \"2026-01-02T01:00:00Z\"}}";
        List<RunRecord> ended = Stream.of(10, 9, 11)
                .map(build -> RunRecord.parse(run.formatted(build)))
                .toList();

        assertThat(trend(ended, List.of()).newestFirst())
                .extracting(TrendBuild::getLabel)
                .containsExactly("#11", "#10", "#9");
    }

    @Test
    @Promise("JK-04")
    void theTrendsAreThereWhileAllBuildsFailAndAMissingValueIsAGap() {
        List<RunRecord> runs = List.of(
                dino(1, 0.5).ended("failed").record(),
                ARun.of(2).ended("failed").record());

        assertThat(values(chart(json(runs), "dino train", "val_mAP50"), "value"))
                .containsExactly(0.5, null);
        assertThat(trend(runs, List.of()).newestFirst())
                .extracting(TrendBuild::getOutcome)
                .containsExactly("failed", "failed");
    }

    @Test
    @Promise("JK-04")
    void theLimitIsOnTheBadSideOfTheLevelWhateverOneSlowRunDid() {
        List<RunRecord> runs = new ArrayList<>();
        for (int build = 1; build <= 12; build++) {
            runs.add(dino(build, 0.6)
                    .number("times", "runSeconds", build == 6 ? 90_000 : 3600 + build % 3)
                    .record());
        }

        JsonNode points = chart(json(runs), "dino train", "duration").path("points");

        assertThat(points.path(11).path("limit").asDouble())
                .isGreaterThan(points.path(11).path("level").asDouble());
        assertThat(points.path(11).path("level").asDouble()).isCloseTo(3601, within(1.0));
    }

    @Test
    @Promise("JK-04")
    void eachTrainingHasItsOwnLimitAndBlessedValue() {
        List<RunRecord> runs = new ArrayList<>();
        for (int build = 1; build <= 10; build++) {
            runs.add(dino(build, 0.6 + build % 3 * 0.001).record());
            runs.add(rtdetr(build, 0.3 + build % 3 * 0.001).record());
        }
        List<Blessed> blessed = List.of(
                new Blessed(Blessed.LEVEL, runs.get(8), "anna", Instant.parse("2026-01-06T09:00:00Z"), "new data"),
                new Blessed("best", rtdetr(20, 0.775024).record(), "ben", Instant.parse("2026-01-06T09:00:00Z"), "x"));

        JsonNode json = trend(runs, blessed).json(100);

        JsonNode dino = chart(json, "dino train", "val_mAP50");
        JsonNode rtdetr = chart(json, "rtdetr train", "val_mAP50");
        assertThat(dino.path("points").path(9).path("limit").asDouble()).isBetween(0.55, 0.6);
        assertThat(rtdetr.path("points").path(9).path("limit").asDouble()).isBetween(0.25, 0.3);
        assertThat(dino.path("lines").toString())
                .isEqualTo("[{\"name\":\"blessed\",\"value\":0.602,\"blessed\":true}]");
        assertThat(rtdetr.path("lines").toString())
                .isEqualTo("[{\"name\":\"blessed best\",\"value\":0.775024,\"blessed\":true}]");
        assertThat(json.path("trainings").path(0).path("marks").toString())
                .isEqualTo("[{\"build\":4,\"text\":\"blessed by anna: new data\",\"blessed\":true}]");
    }

    @Test
    @Promise("JK-04")
    void whatGatesAskedForComesFirstAndHasTheirAnswers() {
        List<RunRecord> runs = steady(6);
        runs.set(5, ARun.of(6).metric("val_acc_1", 0.9).metric("val_mAP50", 0.4).record());
        PastVerdict bad = verdict(6, "train-6", "val_mAP50 as usual (minDrop 0.05)", GateResult.REGRESSION, 0.4, 0.59);
        PastVerdict bound = verdict(6, "train-6", "dino train: best val_acc_1 at least 0.8", GateResult.PASS, 0.9, 0.8);

        Trend trend = trend(runs, List.of(), bad, bound);
        JsonNode charts = trend.json(2).path("charts");

        assertThat(charts.findValuesAsText("metric")).containsExactly("val_mAP50", "best val_acc_1");
        JsonNode point = charts.path(0).path("points").path(5);
        assertThat(point.path("kind").asText()).isEqualTo("failed");
        assertThat(point.path("limit").asDouble()).isEqualTo(0.59);
        assertThat(point.path("why").asText()).isEqualTo("val_mAP50 as usual (minDrop 0.05): regression.");
        assertThat(charts.path(1).path("lines").toString()).isEqualTo("[{\"name\":\"at least 0.8\",\"value\":0.8}]");
        assertThat(charts.path(1).path("band").asBoolean()).isFalse();
        TrendBuild newest = trend.newestFirst().get(0);
        assertThat(newest.getOutcome()).isEqualTo("succeeded, regression");
        assertThat(newest.getKind()).isEqualTo("failed");
        assertThat(newest.getKpis()).containsExactly("val_mAP50 0.4", "best val_acc_1 0.9");
    }

    @Test
    @Promise("JK-04")
    void aTableWithoutGatesHasAllMetrics() {
        ARun run = ARun.of(2);
        for (int metric = 0; metric < 6; metric++) {
            run.metric("m" + metric, metric);
        }

        assertThat(trend(List.of(run.record()), List.of()).newestFirst().get(0).getKpis())
                .containsExactly("m0 0", "m1 1", "m2 2", "m3 3", "m4 4", "m5 5");
    }

    @Test
    @Promise("JK-04")
    void whatChangedIsAMarkAndACellOfTheCsv() throws IOException {
        List<RunRecord> runs = List.of(
                dino(1, 0.5).text("machines", "driver", "535.54").record(),
                dino(2, 0.51).text("machines", "driver", "535.104").record());

        Golden.check("jenkins/trend/changes.csv", trend(runs, List.of()).csv().replace("\r\n", "\n"));
        Golden.check("jenkins/trend/changes.json", json(runs).toPrettyString() + "\n");
        assertThat(json(runs).path("trainings").path(0).path("marks").toString())
                .isEqualTo("[{\"build\":1,\"text\":\"driver 535.54 → 535.104\",\"code\":false}]");
    }

    @Test
    @Promise("JK-04")
    void aBuildHasTheLimitThatItsGateHadHoweverLongTheHistoryIs() {
        List<RunRecord> runs = steady(300);
        Evidence all = new Evidence(List.of(runs.get(299)), runs.subList(0, 299));
        Finding finding = Gate.judge(List.of(GateText.parse(Map.of("kpi", "val_mAP50"))), all)
                .findings()
                .get(0);

        JsonNode json = json(runs);

        assertThat(json.path("builds")).hasSize(100);
        assertThat(chart(json, "dino train", "val_mAP50")
                        .path("points")
                        .path(99)
                        .path("limit")
                        .asDouble())
                .isEqualTo(finding.limit().orElseThrow());
    }

    @Test
    @Promise("JK-04")
    void aJenkinsJobWithoutRecordsHasNoTrends(@TempDir Path home) throws IOException {
        try (FakeJenkins jenkins = FakeJenkins.in(home)) {
            FakeBuild build = jenkins.build("train");
            assertThat(new TrendActions().createFor(build.getParent())).isEmpty();

            JobHistory.of(build.getParent()).add(dino(1, 0.5).record());

            assertThat(new TrendActions().createFor(build.getParent())).hasSize(1);
        }
    }

    @Test
    @Promise("JK-04")
    void aBuildThatIsThereIsLinkedAndADeletedOneIsNot(@TempDir Path home) throws IOException {
        try (FakeJenkins jenkins = FakeJenkins.in(home)) {
            FakeBuild build = jenkins.build("train");
            JobHistory.of(build.getParent()).add(dino(1, 0.5).record());
            JobHistory.of(build.getParent()).add(dino(2, 0.5).record());
            Files.createDirectories(build.getRootDir().toPath());

            assertThat(new JobTrend(build.getParent()).getBuilds())
                    .extracting(TrendBuild::getUrl)
                    .containsExactly("", "job/train/1/");
        }
    }
}
