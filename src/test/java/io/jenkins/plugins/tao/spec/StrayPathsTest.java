package io.jenkins.plugins.tao.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.job.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StrayPathsTest {
    @TempDir
    Path directory;

    @Test
    void addressesOfFilesAreFoundWhereverTheyStand() {
        JobSpec job = JobSpec.of("train 'file:///home/me/a.yaml' data=file:///lustre/x; cat profile:///x")
                .env(Map.of("DATA", "file:///data/coco"))
                .spec(Map.of("dataset", Map.of("sources", Arrays.asList(Map.of("dir", "local:///data/train"), null))))
                .build();

        assertThat(StrayPaths.addresses(job, path -> path.startsWith("/lustre/")))
                .extracting(StrayPaths.Found::toString)
                .containsExactly(
                        "local:///data/train (dataset.sources.dir)",
                        "file:///data/coco (DATA)",
                        "file:///home/me/a.yaml (command)");
    }

    @Test
    void pathsOfThisMachineAreFoundWhereverTheyStand() throws Exception {
        Path data = Files.createDirectories(directory.resolve("ws/data"));
        Files.createFile(data.resolve("train.json"));
        JobSpec job = JobSpec.of("train --list=" + data + "/train.json -e {config_path} > {results_dir}/ws/data")
                .env(Map.of("EXTRA", data + ":/usr/lib", "ABSENT", data + "/not-there"))
                .spec(Map.of("dataset", Map.of("dir", data.toString(), "other", "/usr/bin/env")))
                .build();

        assertThat(StrayPaths.here(job, List.of(directory)))
                .extracting(StrayPaths.Found::toString)
                .containsExactlyInAnyOrder(data + " (dataset.dir)", data + " (EXTRA)", data + "/train.json (command)");
        assertThat(StrayPaths.here(job, List.of(directory.resolve("elsewhere"))))
                .isEmpty();
    }

    @Test
    void resultsThatTheCommandPutsElsewhereAreFound() {
        JobSpec job = JobSpec.of("dino train results_dir=/tmp/x train.results_dir=\"/r/1/train\" my_results_dir=/y;"
                        + " x results_dir={results_dir} --results_dir=/z")
                .build();

        assertThat(StrayPaths.results(job, "/r/1"))
                .extracting(StrayPaths.Found::path)
                .containsExactly("/tmp/x", "/z");
    }
}
