package io.jenkins.plugins.tao.placing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a job takes over from its parent. */
class CheckpointsTest {
    private static final List<String> DINO = List.of(
            "dino_model_latest.pth",
            "experiment.yaml",
            "model_epoch_000_step_00100.pth",
            "model_epoch_001_step_00200.pth",
            "model_epoch_001_step_00250.pth",
            "model_epoch_010_step_01100.pth",
            "status.json");
    private static final JobHandle PARENT =
            new JobHandle("dgx", "slurm", new JobKey("train-1"), 1, "7", "/jobs", "/results/train-1", Instant.EPOCH);

    /** As TAO writes it: the metrics of a validation, then the line of their epoch. */
    private static String status(double... values) {
        StringBuilder text = new StringBuilder();
        for (int epoch = 0; epoch < values.length; epoch++) {
            String kpi = "\"kpi\": {\"val_mAP50\": " + values[epoch] + "}";
            text.append("{\"status\": \"RUNNING\", \"message\": \"Eval metrics generated.\", " + kpi + "}\n");
            text.append("{\"status\": \"RUNNING\", \"message\": \"Training loop in progress\", \"epoch\": " + epoch
                    + ", \"max_epoch\": 10, " + kpi + "}\n");
        }
        return text.toString();
    }

    private static Inheritance.Parent left(List<String> inTrain, String status) {
        return new Inheritance.Parent() {
            @Override
            public Optional<Paths.Listing> list(String path) {
                Paths.Entry itself = new Paths.Entry("train", Paths.Kind.DIRECTORY, OptionalLong.empty());
                List<Paths.Entry> entries = inTrain.stream()
                        .map(name -> new Paths.Entry(name, Paths.Kind.FILE, OptionalLong.of(1)))
                        .toList();
                return path.endsWith("/train")
                        ? Optional.of(new Paths.Listing(itself, entries, false))
                        : Optional.empty();
            }

            @Override
            public String status() {
                return status;
            }
        };
    }

    @Test
    @Promise("NS-12")
    void theLastIsThatOfTheGreatestEpochAndStep() {
        assertThat(Checkpoints.last(DINO)).contains("model_epoch_010_step_01100.pth");
        assertThat(Checkpoints.ofEpoch(DINO, 1)).contains("model_epoch_001_step_00250.pth");
        assertThat(Checkpoints.ofEpoch(DINO, 2)).isEmpty();
    }

    @Test
    @Promise("NS-12")
    void namesThatCountFromOneAreReadSo() {
        List<String> pointpillars = List.of("checkpoint_epoch_9.pth", "checkpoint_epoch_10.pth");

        assertThat(Checkpoints.last(pointpillars)).contains("checkpoint_epoch_10.pth");
        assertThat(Checkpoints.ofEpoch(pointpillars, 8)).contains("checkpoint_epoch_9.pth");
    }

    @Test
    @Promise("NS-12")
    void theBestIsThatOfTheEpochWithTheBestMetric() {
        assertThat(Checkpoints.best(DINO, status(0.2, 0.5, 0.4))).contains("model_epoch_001_step_00250.pth");
        assertThat(Checkpoints.best(DINO, status(0.2, 0.3, 0.4, 0.9, 0.1)))
                .as("epoch 3 left none; the next one that did has learned as much")
                .contains("model_epoch_010_step_01100.pth");
        assertThat(Checkpoints.best(List.of("best_accuracy.pth", "model_epoch_000.pth"), status(0.1)))
                .contains("best_accuracy.pth");
        assertThat(Checkpoints.best(DINO, "")).isEmpty();
    }

    @Test
    @Promise("NS-12")
    void placeholdersOfCommandSpecAndEnvironmentAreFilled() {
        JobSpec child = JobSpec.of("dino evaluate -e {config_path} --from {parent.results}")
                .env(Map.of("CKPT", "{parent.checkpoint.last}"))
                .spec(Map.of(
                        "evaluate",
                        Map.of("checkpoint", "{parent.checkpoint.best}", "list", List.of("{parent.results}/a"))))
                .build();
        Set<String> wanted = Inheritance.wanted(child, true);

        Inherited inherited = Inheritance.of(PARENT, wanted, List.of("dgx"), left(DINO, status(0.2, 0.5)));
        JobSpec filled = Inheritance.filled(child, inherited.values());

        assertThat(filled.command()).isEqualTo("dino evaluate -e {config_path} --from /results/train-1");
        assertThat(filled.env()).containsEntry("CKPT", "/results/train-1/train/model_epoch_010_step_01100.pth");
        assertThat(filled.spec().toString())
                .contains("checkpoint=/results/train-1/train/model_epoch_001_step_00250.pth", "[/results/train-1/a]");
    }

    @Test
    @Promise("NS-12")
    void aCheckpointThatIsNotThereKeepsTheChildFromBeingSent() {
        Inherited inherited = Inheritance.of(
                PARENT, Set.of("checkpoint.best"), List.of("dgx"), left(List.of("status.json"), status(0.5)));

        assertThat(inherited.missing().orElse(""))
                .startsWith(
                        "The job train-1 left no such file as {parent.checkpoint.best} in /results/train-1 or its folder"
                                + " train.");
        assertThat(Inheritance.of(PARENT, Set.of("results"), List.of("cloud"), left(DINO, ""))
                        .missing())
                .hasValueSatisfying(why -> assertThat(why).contains("lies on target 'dgx'"));
    }

    @Test
    @Promise("NS-12")
    void aPlaceholderThatIsUnknownOrHasNoParentIsAnError() {
        assertThatThrownBy(() ->
                        Inheritance.wanted(JobSpec.of("x {parent.weights}").build(), true))
                .hasMessageContaining("there is no {parent.weights}");
        assertThatThrownBy(() ->
                        Inheritance.wanted(JobSpec.of("x {parent.results}").build(), false))
                .hasMessageContaining("needs 'after'");
    }
}
