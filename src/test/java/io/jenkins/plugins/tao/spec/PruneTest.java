package io.jenkins.plugins.tao.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Checkpoints;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which checkpoints are removed while a training runs. */
class PruneTest {
    private static final String SHELLS = "io.jenkins.plugins.tao.spec.CheckpointCase#shells";
    /** A training that runs until a file is gone, the last one that is removed. */
    private static final String DINO = "dino train; while [ -e '%s' ]; do sleep 0.1; done";

    @TempDir
    Path directory;

    private CheckpointCase at(String shell) throws Exception {
        return new CheckpointCase(Files.createDirectories(directory.resolve("results/job-1")), shell);
    }

    /** Lines as TAO writes them: the validation without an epoch, then the epoch with its number. */
    private static String status(double... values) {
        StringBuilder text = new StringBuilder(
                "{\"date\": \"11/22/2026\", \"status\": \"STARTED\", \"message\": \"Starting DINO train.\"}\n");
        for (int epoch = 0; epoch < values.length; epoch++) {
            text.append(
                            "{\"status\": \"RUNNING\", \"message\": \"Eval metrics generated.\", \"kpi\": {\"val_mAP\": \"0.0\", \"val_mAP50\": \"")
                    .append(values[epoch])
                    .append("\"}}\n{\"epoch\": ")
                    .append(epoch)
                    .append(
                            ", \"max_epoch\": 9, \"status\": \"RUNNING\", \"message\": \"Training loop in progress\", \"kpi\": {\"val_mAP50\": \"")
                    .append(values[epoch])
                    .append("\"}}\n");
        }
        return text.toString();
    }

    /** A training that runs until three looks were over: one that sees the files, one that may remove some, one that may remove more. */
    private static String threeLooks(CheckpointCase job) {
        return "dino train; until grep -qs '[.][.][.]' '%s'; do sleep 0.1; done".formatted(job.looks());
    }

    private static void epochs(CheckpointCase job, int count) {
        for (int epoch = 0; epoch < count; epoch++) {
            job.whole("train/model_epoch_00%d_step_00%d00.pth".formatted(epoch, epoch + 1));
        }
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-17")
    void theBestAndTheLastStayAndNothingThatIsNoCheckpointIsTouched(String shell) throws Exception {
        CheckpointCase job = at(shell);
        epochs(job, 6);
        job.write("train/status.json", status(0.1, 0.5, 0.9, 0.7, 0.6, 0.65));
        job.link("train/dino_model_latest.pth", "model_epoch_005_step_00600.pth");
        job.whole("train/model_epoch_000_step_00100-EMA.pth");
        job.half("train/model_epoch_000_step_00050.pth");
        job.whole("train/best.pth");
        job.whole("train/model_epoch_000_step_00100.pth.bak");
        job.write("train/lightning_logs/model_epoch_000_step_00100.pth", "x");
        job.write("train/events.out", "x");

        job.run(
                "job-1",
                DINO.formatted(job.path("train/model_epoch_003_step_00400.pth")),
                Checkpoints.parse("", "last 2, highest val_mAP50"));

        assertThat(job.names("train"))
                .containsExactly(
                        "best.pth",
                        "dino_model_latest.pth",
                        "events.out",
                        "lightning_logs",
                        "model_epoch_000_step_00050.pth",
                        "model_epoch_000_step_00100.pth.bak",
                        "model_epoch_002_step_00300.pth",
                        "model_epoch_004_step_00500.pth",
                        "model_epoch_005_step_00600.pth",
                        "status.json");
        assertThat(job.names("train/lightning_logs")).containsExactly("model_epoch_000_step_00100.pth");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-17")
    void theLowestIsTheBestOfALossAndWhatTheLinkLeadsToStays(String shell) throws Exception {
        CheckpointCase job = at(shell);
        epochs(job, 5);
        job.write("train/status.json", status(0.9, 0.2, 0.4, 0.3, 0.25));

        job.run(
                "job-1",
                DINO.formatted(job.path("train/model_epoch_003_step_00400.pth")),
                Checkpoints.parse("", "last 1, lowest val_mAP50"));

        assertThat(job.names("train"))
                .contains("model_epoch_001_step_00200.pth", "model_epoch_004_step_00500.pth")
                .doesNotContain("model_epoch_000_step_00100.pth", "model_epoch_002_step_00300.pth");
    }

    @Test
    @Promise("NS-17")
    void withoutAValueOfTheMetricAllStay() throws Exception {
        CheckpointCase job = at("dash");
        epochs(job, 5);
        job.write("train/status.json", status(0.1, 0.2, 0.3, 0.4, 0.5));

        job.run("job-1", threeLooks(job), Checkpoints.parse("", "last 1, highest val_typo"));

        assertThat(job.names("train")).hasSize(7);
    }

    @Test
    @Promise("NS-17")
    void checkpointsOfAnotherNightAndThoseOfAJobThatDoesNotAskStay() throws Exception {
        CheckpointCase named = new CheckpointCase(Files.createDirectories(directory.resolve("nightly")), "dash");
        epochs(named, 5);
        named.old("train");
        named.run("night-2", threeLooks(named), Checkpoints.parse("", "last 1"));
        assertThat(named.names("train")).hasSize(5);

        CheckpointCase job = at("dash");
        epochs(job, 5);
        job.run("job-1", "dino train; sleep 2", Checkpoints.USUAL);
        assertThat(job.names("train")).hasSize(6);
    }

    @Test
    @Promise("NS-17")
    void aCommandThatWaitsForItsChildrenDoesNotWaitForThis() throws Exception {
        CheckpointCase job = at("bash");

        assertThat(job.run("job-1", "dino train & wait; echo over", Checkpoints.parse("", "last 1"))
                        .text())
                .endsWith("over\n");
    }

    @Test
    void whatIsToBeKeptIsSaidInOneLine() {
        assertThat(Checkpoints.parse("", "lowest val/loss").last()).hasValue(1);
        assertThatThrownBy(() -> Checkpoints.parse("", "best val_mAP")).hasMessageContaining("keepCheckpoints is like");
        assertThatThrownBy(() -> Checkpoints.parse("", "last 0")).hasMessageContaining("at least the last one");
        assertThatThrownBy(() -> Checkpoints.parse("", "last 1, highest a, lowest b"))
                .hasMessageContaining("two metrics");
        assertThat(List.of(Checkpoints.parse(" ", ""))).containsExactly(Checkpoints.USUAL);
    }
}
