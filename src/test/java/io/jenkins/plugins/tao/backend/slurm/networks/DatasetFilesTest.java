package io.jenkins.plugins.tao.backend.slurm.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DatasetFilesTest {
    private static SlurmPlan plan(JobSpec.Builder job, String... datasets) throws Exception {
        return SlurmPlan.of(
                Sample.target().build(),
                job.options(Records.of(SlurmOptions.class, "datasets", List.of(datasets)))
                        .build(),
                Sample.KEY);
    }

    @Test
    @Promise("SL-30")
    void theFilesOfANetworkAreDerivedFromTheRootAndPutIntoItsSpec() throws Exception {
        SlurmPlan plan = plan(JobSpec.of("dino train -e {config_path}"), "train=lustre:///lustre/coco/train/");

        assertThat(plan.inputs()).containsExactly("/lustre/coco/train/images", "/lustre/coco/train/annotations.json");
        assertThat(plan.filled().spec())
                .containsEntry(
                        "dataset",
                        Map.of(
                                "train_data_sources",
                                List.of(Map.of(
                                        "image_dir", "/lustre/coco/train/images",
                                        "json_file", "/lustre/coco/train/annotations.json"))));
    }

    @Test
    @Promise("SL-30")
    void theRootItselfHoldsTheMediaOfCosmos() throws Exception {
        SlurmPlan plan = plan(JobSpec.of("cosmos-rl train"), "train=/lustre/wts");

        assertThat(plan.inputs()).containsExactly("/lustre/wts/annotations.json", "/lustre/wts");
    }

    @Test
    void whatTheSpecNamesItselfStays() throws Exception {
        SlurmPlan plan = plan(
                JobSpec.of("/opt/bin/segformer evaluate")
                        .spec(Map.of("dataset", Map.of("segment", Map.of("root_dir", "/lustre/own", "workers", 2)))),
                "eval=/lustre/given");

        assertThat(plan.inputs()).containsExactly("/lustre/own");
        assertThat(plan.filled().spec())
                .containsEntry("dataset", Map.of("segment", Map.of("root_dir", "/lustre/own", "workers", 2)));
    }

    @Test
    @Promise("SL-31")
    void aKeyOfTheSpecStandsForThePathsBehindItArchivesToo() throws Exception {
        SlurmPlan plan = plan(JobSpec.of("x")
                .spec(Map.of(
                        "custom", Map.of("train_dataset", Map.of("media_path", "slurm:///lustre/clips.tar.gz")),
                        "dataset",
                                Map.of(
                                        "train_data_sources",
                                        List.of(Map.of("dirs", List.of("/lustre/a", "/lustre/b"))))))
                .inputs(List.of(
                        "custom.train_dataset.media_path", "dataset.train_data_sources[0].dirs", "/lustre/more")));

        assertThat(plan.inputs()).containsExactly("/lustre/clips.tar.gz", "/lustre/a", "/lustre/b", "/lustre/more");
    }

    @Test
    void aKeyWithoutAPathIsRefused() {
        assertThatThrownBy(() -> plan(JobSpec.of("x").inputs(List.of("custom.train_dataset.media_path"))))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("custom.train_dataset.media_path");
    }

    @Test
    void aNetworkWhoseFilesAreNotKnownIsToldWithThoseThatAre() {
        assertThatThrownBy(() -> plan(JobSpec.of("yolo train"), "train=/lustre/x"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("yolo train")
                .hasMessageContaining("rtdetr train");
        assertThatThrownBy(() -> plan(JobSpec.of("segformer train"), "inference=/lustre/x"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("no inference data set");
        assertThatThrownBy(() -> Records.of(SlurmOptions.class, "datasets", List.of("test=/x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("train, eval");
    }
}
