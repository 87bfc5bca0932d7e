package io.jenkins.plugins.tao.jenkins.trend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trends of a Jenkins job, from the records of its builds. */
class TrendTest {
    private static RunRecord run(int build, int seed, String outcome, double value) {
        return RunRecord.parse("""
                {"schema": 1, "id": "train-%d-%d", "origin": {"build": "#%d", "url": "job/train/%d/"},
                 "outcome": {"word": "%s"},
                 "times": {"submittedAt": "2026-01-%02dT01:00:00Z", "queueSeconds": %d, "runSeconds": 7200},
                 "machines": {"gpuSeconds": 57600},
                 "metrics": {"val_mAP": {"last": %s, "count": 1, "curve": [[0, %s]]}}}
                """.formatted(build, seed, build, build, outcome, build, 60 * seed, value, value));
    }

    private static List<RunRecord> nights(int count) {
        return new ArrayList<>(IntStream.rangeClosed(1, count)
                .mapToObj(build -> run(build, 1, "succeeded", 0.6 + build % 3 * 0.001))
                .toList());
    }

    private static JsonNode chart(JsonNode json, String name) {
        for (JsonNode chart : json.path("charts")) {
            if (chart.path("name").asText().equals(name)) {
                return chart;
            }
        }
        throw new AssertionError("no chart " + name);
    }

    @Test
    @Promise("JK-04")
    void eachBuildIsAPointWithItsAddressAndTheRunsOfOneBuildAreOnePoint() {
        JsonNode json = Trend.of(
                        List.of(
                                run(1, 1, "succeeded", 0.5),
                                run(1, 2, "succeeded", 0.7),
                                run(2, 1, "succeeded", 0.625)),
                        Map.of())
                .json();

        assertThat(json.path("builds").path(1).path("url").asText()).isEqualTo("job/train/2/");
        assertThat(chart(json, "val_mAP").path("points").toString()).isEqualTo("[0.6,0.625]");
        assertThat(chart(json, "duration (s)").path("points").toString()).isEqualTo("[7200.0,7200.0]");
        assertThat(chart(json, "queue wait (s)").path("points").toString()).isEqualTo("[120.0,60.0]");
        assertThat(chart(json, "GPU-hours").path("points").toString()).isEqualTo("[32.0,16.0]");
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

        assertThat(Trend.of(ended, Map.of()).newestFirst())
                .extracting(TrendNight::getLabel)
                .containsExactly("#11", "#10", "#9");
    }

    @Test
    @Promise("JK-04")
    void theTrendsAreThereWhileAllBuildsFailAndAMissingValueIsAGap() {
        RunRecord without = RunRecord.parse(
                "{\"schema\": 1, \"id\": \"x\", \"origin\": {\"build\": \"#2\"}, \"outcome\": {\"word\": \"failed\"},"
                        + " \"times\": {\"submittedAt\": \"2026-01-02T01:00:00Z\"}}");

        Trend trend = Trend.of(List.of(run(1, 1, "failed", 0.5), without), Map.of());

        assertThat(chart(trend.json(), "val_mAP").path("points").toString()).isEqualTo("[0.5,null]");
        assertThat(trend.newestFirst()).extracting(TrendNight::getOutcome).containsExactly("failed", "failed");
    }

    @Test
    @Promise("JK-04")
    void theBlessedValueAndTheLimitOfTheUsualRuleStandBesideTheCurve() {
        List<RunRecord> nights = nights(10);
        Blessed blessed = new Blessed(Blessed.LEVEL, run(0, 1, "succeeded", 0.61), "anna", Instant.EPOCH, "new data");

        JsonNode withBaseline =
                chart(Trend.of(nights, Map.of(Blessed.LEVEL, blessed)).json(), "val_mAP");
        JsonNode usual = chart(Trend.of(nights, Map.of()).json(), "val_mAP");

        assertThat(withBaseline.path("baseline").asDouble()).isEqualTo(0.61);
        assertThat(usual.path("limit").asDouble()).isBetween(0.59, 0.6);
        assertThat(usual.has("baseline")).isFalse();
    }

    @Test
    @Promise("JK-04")
    void aJenkinsJobWithoutRecordsHasNoTrends(@TempDir Path home) throws IOException {
        try (FakeJenkins jenkins = FakeJenkins.in(home)) {
            FakeBuild build = jenkins.build("train");
            assertThat(new TrendActions().createFor(build.getParent())).isEmpty();

            JobHistory.of(build.getParent()).add(run(1, 1, "failed", 0.5));

            assertThat(new TrendActions().createFor(build.getParent())).hasSize(1);
        }
    }
}
