package io.jenkins.plugins.tao.jenkins.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildComparisonTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new TaoRunActions());
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @Test
    @Promise("JK-05")
    void jobsOfTheSameWorkStandSideBySideWithKpisCurvesSpecAndEnvironment() throws IOException {
        FakeBuild before = night("night-204", "dino", 0.5, "1.0E-4", "535.1");
        FakeBuild now = night("night-205", "dino", 0.25, "2.0E-4", "550.2");

        JsonNode job = new BuildComparison(before, now).json().path("jobs").path(0);

        JsonNode metric = job.path("metrics").path(0);
        assertThat(metric.path("metric").asText()).isEqualTo("val_loss");
        assertThat(metric.path("before").asText()).isEqualTo("0.5");
        assertThat(metric.path("now").asText()).isEqualTo("0.25");
        assertThat(metric.path("change").asText()).contains("-50");
        assertThat(metric.path("words").asText()).contains("better");
        assertThat(job.path("changes").toString())
                .contains("{\"what\":\"driver\",\"before\":\"535.1\",\"now\":\"550.2\"}")
                .contains("{\"what\":\"spec train.lr\",\"before\":\"1.0E-4\",\"now\":\"2.0E-4\"}");
        assertThat(job.path("curves").path(0).path("points").toString()).isEqualTo("[[0.0,0.25]]");
        assertThat(job.path("curvesBefore").path(0).path("points").toString()).isEqualTo("[[0.0,0.5]]");
    }

    @Test
    void aNumberThatIsNoneOfABuildIsNotComparedWithTheBuildBefore() throws IOException {
        ComparePage page = new ComparePage(night("night-205", "dino", 0.25, "2.0E-4", "550.2"));

        assertThat(page.of("99999999999999999999")).isNull();
        assertThat(page.emptyBecause("99999999999999999999")).contains("99999999999999999999");
    }

    @Test
    @Promise("JK-05")
    void jobsOfOtherWorkHaveNoPartnerAndAreNamed() throws IOException {
        BuildComparison comparison = new BuildComparison(
                night("night-204", "dino", 0.5, "1.0E-4", "535.1"),
                night("night-205", "segformer", 0.5, "1.0E-4", "535.1"));

        assertThat(comparison.getPairs()).isEmpty();
        assertThat(comparison.getAlone()).isEqualTo(List.of("night-205#1 night-205", "night-204#1 night-204"));
    }

    @Test
    @Promise("JK-05")
    void aComparisonWithoutPairsSaysWhyAndNotThatABuildIsAbsent() throws IOException {
        FakeBuild now = night("night-205", "dino", 0.5, "1.0E-4", "535.1");
        FakeBuild other = night("night-204", "segformer", 0.5, "1.0E-4", "535.1");

        assertThat(new BuildComparison(now, night("night-206", "dino", 0.5, "1.0E-4", "535.1")).emptyBecause())
                .isEmpty();
        assertThat(new BuildComparison(jenkins.build("idle"), now).emptyBecause())
                .isEqualTo("idle#1 has no TAO jobs.");
        assertThat(new BuildComparison(other, now).emptyBecause())
                .startsWith("No job of night-204#1 did the same work as a job of night-205#1");
    }

    @Test
    @Promise("JK-05")
    void jobsOfOneWorkArePairsByTheirNamesAndCellsByTheirValues() throws IOException {
        FakeBuild before = jenkins.build("night-1");
        FakeBuild now = jenkins.build("night-2");
        job(before, "a-11111111", "");
        job(before, "b-11111111", "");
        job(before, "s-aaaaaaa1", "lr=0.1");
        job(before, "s-aaaaaaa2", "lr=0.2");
        job(now, "b-22222222", "");
        job(now, "s-bbbbbbb1", "lr=0.2");
        job(now, "s-bbbbbbb2", "lr=0.3");

        BuildComparison comparison = new BuildComparison(before, now);

        assertThat(comparison.getPairs())
                .extracting(pair -> pair.getIdBefore() + " " + pair.getId())
                .containsExactly("b-11111111 b-22222222", "s-aaaaaaa2 s-bbbbbbb1");
        assertThat(comparison.getPairs())
                .extracting(ComparedJob::getWork)
                .containsExactly("b (dino train)", "dino train, lr=0.2");
    }

    private static void job(FakeBuild build, String id, String cell) throws IOException {
        TaoRunAction.of(build)
                .add(JobRecord.takenUp(
                        new JobHandle("dgx", "slurm", new JobKey(id), 1, id, "/j", "/r", Instant.EPOCH)));
        Path folder = Files.createDirectories(build.getRootDir().toPath().resolve("tao/" + id + ".run"));
        Files.writeString(
                folder.resolve("record.json"), """
                {"schema": 1, "id": "%s", "target": "dgx", "outcome": {"word": "succeeded"}, "origin": {%s},
                 "times": {"submittedAt": "2026-01-31T12:00:00Z"}, "work": {"network": "dino", "action": "train"}}
                """.formatted(id, cell.isEmpty() ? "" : "\"cell\": \"" + cell + "\""));
    }

    private FakeBuild night(String id, String network, double loss, String rate, String driver) throws IOException {
        FakeBuild build = jenkins.build(id);
        TaoRunAction.of(build)
                .add(JobRecord.takenUp(
                        new JobHandle("dgx", "slurm", new JobKey(id), 1, "471", "/j", "/r", Instant.EPOCH)));
        Path folder = Files.createDirectories(build.getRootDir().toPath().resolve("tao/" + id + ".run"));
        Files.writeString(folder.resolve("record.json"), """
                {"schema": 1, "id": "%s", "target": "dgx", "outcome": {"word": "succeeded"},
                 "times": {"submittedAt": "2026-01-31T12:00:00Z"}, "machines": {"driver": "%s"},
                 "work": {"network": "%s", "action": "train", "spec": {"train.lr": "%s"}},
                 "metrics": {"val_loss": {"last": %s, "lowest": %s, "highest": %s, "count": 1}}}
                """.formatted(id, driver, network, rate, loss, loss, loss));
        Files.writeString(folder.resolve("series.csv"), "metric,epoch,step,value\r\nval_loss,0,," + loss + "\r\n");
        return build;
    }
}
