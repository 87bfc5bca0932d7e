package io.jenkins.plugins.tao.jenkins.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.record.GpuSeries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuCurvesTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home);
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private JsonNode curves(String rows) throws Exception {
        Path folder = Files.createDirectories(BuildFolder.ofJob(build, "dino-1"));
        Files.writeString(folder.resolve(GpuSeries.FILE), GpuSeries.HEADER + rows);
        return JobCurves.ofSeries(List.of())
                .withGpus(new JobFolder(build, "dino-1").gpus())
                .json()
                .path("curves");
    }

    @Test
    @Promise("NS-24")
    void theUseOfTheGpusIsACurveBesideThoseOfTheMetricsWhileTheJobRuns() throws Exception {
        JsonNode curves = curves("""
                2026-11-21T00:00:30Z,0,90,40123
                2026-11-21T00:00:30Z,1,10,11
                2026-11-21T00:02:00Z,0,100,41000
                2026-11-21T00:02:00Z,1,0,11
                2026-11-21T00:0""");

        assertThat(curves).hasSize(3);
        assertThat(curves.get(0).toString())
                .isEqualTo("{\"name\":\"GPU use, %, by minute (mean of 2)\",\"points\":[[0.0,50.0],[1.5,50.0]]}");
        assertThat(curves.get(1).toString())
                .isEqualTo("{\"name\":\"least used GPU, %, by minute\",\"points\":[[0.0,10.0],[1.5,0.0]]}");
        assertThat(curves.get(2).toString())
                .isEqualTo("{\"name\":\"GPU memory, MiB, by minute\",\"points\":[[0.0,40123.0],[1.5,41000.0]]}");
    }

    @Test
    void whatTheNodeDoesNotTellIsNoCurve() throws Exception {
        assertThat(curves("2026-11-21T00:00:30Z,0,,11\n")).hasSize(1);
        Files.delete(BuildFolder.ofJob(build, "dino-1").resolve("gpu.csv"));
        assertThat(new JobFolder(build, "dino-1").gpus()).isEmpty();
    }
}
