package io.jenkins.plugins.tao.jenkins.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of one job: its curves, the end of its log, its timeline and what was asked. */
class JobPageTest {
    private static final JobHandle JOB =
            new JobHandle("dgx", "slurm", new JobKey("train-1"), 1, "471", "/j", "/r", Instant.EPOCH);

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private TaoRunAction page;
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        jenkins = FakeJenkins.in(home, new TaoRunActions());
        FakeBuild build = jenkins.build("train");
        page = TaoRunAction.of(build);
        page.add(JobRecord.takenUp(JOB));
        folder = Files.createDirectories(build.getRootDir().toPath().resolve("tao/train-1.run"));
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private JobPage job() {
        return Objects.requireNonNull(page.getJob("train-1"));
    }

    private JsonNode state() throws IOException {
        return new JsonMapper().readTree(Answers.to(job()::doState, "").body());
    }

    @Test
    @Promise("JK-02")
    void theCurvesOfARunningJobAreWhatItHasSaidSoFarAndAValueThatIsNoNumberIsAGap() throws IOException {
        Files.writeString(folder.resolve("events.jsonl"), """
                {"event":"state","state":"RUNNING","nativeState":"RUNNING","nodes":["gpu01"],"at":"2026-01-31T12:00:00Z"}
                {"event":"progress","epoch":0,"kpis":{"loss":2.5}}
                {"event":"progress","epoch":0,"kpis":{"loss":2.0}}
                {"event":"progress","epoch":1,"kpis":{"loss":"NaN"}}
                {"event":"progress","epoch":2,"kp""");

        JsonNode curve = state().path("curves").path(0);

        assertThat(curve.path("name").asText()).isEqualTo("loss");
        assertThat(curve.path("points").toString()).isEqualTo("[[0.0,2.0],[1.0,null]]");
        assertThat(job().getTimeline()).extracting(TimelineEntry::getText).containsExactly("RUNNING on gpu01");
    }

    @Test
    @Promise("JK-02")
    void theCurvesOfAnEndedJobAreThoseOfItsSeriesAndLongOnesAreThinnedBetweenTheirEnds() throws IOException {
        StringBuilder csv = new StringBuilder("metric,epoch,step,value\r\n\"mAP, all\",0,,0.5\r\n");
        IntStream.rangeClosed(0, 999)
                .forEach(i ->
                        csv.append("loss,").append(i).append(",,0.00").append(i).append("\r\n"));
        Files.writeString(folder.resolve("series.csv"), csv);

        JsonNode curves = state().path("curves");

        assertThat(curves.path(0).path("name").asText()).isEqualTo("mAP, all");
        JsonNode points = curves.path(1).path("points");
        assertThat(points).hasSize(400);
        assertThat(points.path(0).toString()).isEqualTo("[0.0,0.0]");
        assertThat(points.path(399).path(0).asDouble()).isEqualTo(999);
    }

    @Test
    @Promise("JK-02")
    void theEndOfTheLogIsShownWhileItGrowsAndKeptWhenTheJobHasEnded() throws IOException {
        page.follow(
                "train-1",
                IntStream.rangeClosed(1, 200).mapToObj(i -> "line " + i).toList());
        assertThat(state().path("tail")).hasSize(80);

        page.keepTail("train-1");

        assertThat(page.tail("train-1")).isEmpty();
        assertThat(state().path("tail").path(79).asText()).isEqualTo("line 200");
    }

    @Test
    @Promise("JK-02")
    void whatWasAskedIsShownWithSecretsByNameAlone() throws IOException {
        Files.writeString(folder.resolve("job.json"), """
                {"command": "dino train", "nodes": 2, "env": {"SEED": "7"}, "secrets": ["NGC_KEY"], "spec": {"train": {"num_epochs": 9}}}
                """);

        assertThat(job().getAsked())
                .containsEntry("command", "dino train")
                .containsEntry("nodes", "2")
                .containsEntry("env SEED", "7")
                .containsEntry("secret NGC_KEY", "••••");
        assertThat(job().getSpec()).contains("num_epochs");
    }

    @Test
    @Promise("JK-02")
    void theGatesOfItsTrainingAreToldAndThoseOfAnotherAreNot() throws IOException {
        page.update("train-1", job -> job.knowing(Map.of(JobFacts.WORK, "dino train")));
        page.judged(AnAnswer.limited("val_mAP at least 0.42", "", "val_mAP", 0.42), "");
        page.judged(AnAnswer.of("train: loss at most 1", "pass", "train", "a/b/2"), "");
        page.judged(AnAnswer.of("dino train: loss as usual", "pass", "dino train", "a/b/3"), "");
        page.judged(AnAnswer.of("night: loss at most 2", "pass", "night", "a/b/4"), "");

        assertThat(state().path("gates"))
                .extracting(gate -> gate.path("title").asText())
                .containsExactly("val_mAP at least 0.42", "train: loss at most 1", "dino train: loss as usual");
        assertThat(state().path("gates").path(0).path("limit").asDouble()).isEqualTo(0.42);
    }

    @Test
    void aJobThatTheBuildDoesNotHaveHasNoPage() {
        assertThat(page.getJob("other")).isNull();
        assertThat(List.of(job().getDisplayName())).containsExactly("train-1");
    }
}
