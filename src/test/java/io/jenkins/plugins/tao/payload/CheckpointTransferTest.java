package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Checkpoints;
import io.jenkins.plugins.tao.job.JobSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a new container goes on from where results lie in S3 alone. */
class CheckpointTransferTest extends TransferCase {
    private static final String TRAIN = "results/" + KEY + "/train/";
    private static final int END_OF_ARCHIVE = 22;

    @BeforeEach
    void aNetwork() throws IOException {
        Path program = Files.createDirectories(folder.resolve("bin")).resolve("dino");
        Files.writeString(program, "#!/bin/sh\necho \"trains $*\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private static byte[] whole(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("archive/data.pkl"));
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static byte[] half(String text) throws IOException {
        byte[] all = whole(text);
        return Arrays.copyOf(all, all.length - END_OF_ARCHIVE);
    }

    private JobSpec.Builder training() {
        return JobSpec.of("dino train -e {config_path}")
                .spec(Map.of("train", Map.of("num_epochs", 12)))
                .env(Map.of("PATH", folder + "/bin:" + System.getenv("PATH"), "tao_ck_pause", "0"))
                .resultsDirectory(folder + "/inside");
    }

    private Payload inContainer(JobSpec.Builder spec) {
        return Payload.of(spec.build(), KEY).storage(s3.settings(Optional.of("out")));
    }

    @Test
    @Promise("NS-16")
    void aNewContainerGoesOnFromTheNewestWholeCheckpointInS3() throws Exception {
        byte[] ten = whole("ten");
        s3.put("out", TRAIN + "model_epoch_002_step_00024.pth", whole("two"))
                .put("out", TRAIN + "model_epoch_010_step_00120.pth", ten)
                .put("out", TRAIN + "notes/model_epoch_099_step_00120.pth", whole("of another folder"));

        Container.Log log = run(inContainer(training()));

        Path newest = folder.resolve("inside/train/model_epoch_010_step_00120.pth");
        assertThat(log.output())
                .contains("fetching the checkpoint s3://out/" + TRAIN + "model_epoch_010_step_00120.pth")
                .contains("trains train -e " + folder + "/inside/tao-spec.yaml")
                .contains("train.resume_training_checkpoint_path=" + newest);
        assertThat(newest).hasBinaryContent(ten);
        assertThat(folder.resolve("inside/train/model_epoch_002_step_00024.pth"))
                .doesNotExist();
        assertThat(log.told()).hasValue(0);
    }

    @Test
    @Promise("NS-16")
    void aHalfUploadedCheckpointIsNeverResumedFrom() throws Exception {
        s3.put("out", TRAIN + "model_epoch_001.pth", whole("one"))
                .put("out", TRAIN + "model_epoch_002.pth", half("two"));

        Container.Log log = run(inContainer(training()));

        assertThat(log.output())
                .contains("s3://out/" + TRAIN + "model_epoch_002.pth is not proved whole; nothing resumes from it")
                .contains("resume_training_checkpoint_path=" + folder + "/inside/train/model_epoch_001.pth");
        assertThat(folder.resolve("inside/train/model_epoch_002.pth")).doesNotExist();
    }

    @Test
    @Promise("NS-16")
    void aFirstAttemptAndOneThatIsToStartAnewFetchNothing() throws Exception {
        assertThat(run(inContainer(training())).output())
                .contains("trains train")
                .doesNotContain("resume_training");
        s3.put("out", TRAIN + "model_epoch_001.pth", whole("one"));

        Container.Log never = run(inContainer(training().checkpoints(Checkpoints.parse("never", ""))));

        assertThat(never.output()).contains("trains train").doesNotContain("fetching", "resume_training");
    }

    @Test
    @Promise("NS-16")
    void whatAnotherJobLeftAtANamedAddressIsNotResumedFrom() throws Exception {
        s3.put("data", "named/.tao/owner", "another\n").put("data", "named/train/model_epoch_001.pth", whole("one"));
        JobSpec.Builder spec = training().outputs(List.of(folder + "/inside=s3://data/named"));

        assertThat(run(inContainer(spec)).output()).doesNotContain("fetching the checkpoint");

        s3.put("data", "named/.tao/owner", KEY + "\n").put("data", "named/train/model_epoch_003.pth", whole("three"));
        assertThat(run(inContainer(spec)).output()).contains("inside/train/model_epoch_003.pth");
    }

    @Test
    @Promise("NS-16")
    void aStorageThatCannotBeAskedIsNoneWithoutACheckpoint() throws Exception {
        Payload payload = Payload.of(training().build(), KEY).storage(s3.settings(Optional.of("nowhere")));

        Container.Log log = run(payload);

        assertThat(log.output())
                .contains("whether S3 has a checkpoint of this job is not known")
                .doesNotContain("trains train");
        assertThat(log.told()).hasValue(66);
    }
}
