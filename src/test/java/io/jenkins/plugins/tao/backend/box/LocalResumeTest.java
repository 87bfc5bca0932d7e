package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A training on this machine that ends early, and its next attempt; the network alone is played. */
class LocalResumeTest {
    @TempDir
    Path directory;

    @Test
    @Promise("NS-16")
    void theNextAttemptGoesOnFromTheNewestWholeCheckpoint() throws Exception {
        Path whole = directory.resolve("whole.pth");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(whole))) {
            zip.putNextEntry(new ZipEntry("archive/data.pkl"));
        }
        Path dino = Files.createDirectories(directory.resolve("bin")).resolve("dino");
        Files.writeString(
                dino,
                "#!/bin/sh\necho \"$*\" >>\"$TAO_RESULTS_DIR/said\"\nmkdir -p \"$TAO_RESULTS_DIR/train\"\n"
                        + "cd \"$TAO_RESULTS_DIR/train\" || exit 1\ncp " + whole + " model_epoch_004_step_00500.pth\n"
                        + "head -c 30 " + whole + " >model_epoch_005_step_00600.pth\n"
                        + "ln -sf model_epoch_005_step_00600.pth dino_model_latest.pth\nexit 3\n");
        dino.toFile().setExecutable(true);

        try (Backend backend = new LocalType().open(new LocalTarget("here", directory + "/tao", BoxUsual.SETTINGS))) {
            JobSpec job = JobSpec.of("dino train -e {config_path}")
                    .spec(Map.of("train", Map.of("num_epochs", 9)))
                    .env(Map.of("PATH", directory + "/bin:" + System.getenv("PATH")))
                    .build();
            JobHandle first = backend.submit(job, new JobKey("night-1"));
            ended(backend, first);
            JobHandle second = backend.resubmit(first, Map.of(), Set.of());
            ended(backend, second);

            Path results = Path.of(first.resultsDirectory());
            assertThat(Files.readAllLines(results.resolve("said")))
                    .hasSize(2)
                    .satisfies(lines -> assertThat(lines.get(0)).doesNotContain("resume"))
                    .satisfies(lines -> assertThat(lines.get(1))
                            .endsWith(" train.resume_training_checkpoint_path=" + results
                                    + "/train/model_epoch_004_step_00500.pth"));
        }
    }

    private static void ended(Backend backend, JobHandle job) {
        await().pollInterval(Duration.ofMillis(200))
                .until(() -> backend.poll(Set.of(job))
                        .getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "ABSENT"))
                        .ending()
                        .isPresent());
    }
}
