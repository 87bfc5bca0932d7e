package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.CodeStore.Delivery;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.code.CodeLimits;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Code on its way to a container through a bucket, and a checkpoint on its way back, in a real storage that checks signatures: Ceph's. */
@Timeout(600)
class S3CodeIT {
    private static final int SEVERAL_PARTS = 40 << 20;
    private static final int END_OF_ARCHIVE = 22;

    @TempDir
    Path folder;

    private S3Rig rig;
    private String bucket;
    private Path checkout;

    @BeforeEach
    void aCheckout() throws Exception {
        rig = S3Rig.orSkip();
        bucket = rig.bucket();
        checkout = Files.createDirectories(folder.resolve("checkout"));
        Files.createDirectories(checkout.resolve("a b/ü"));
        Files.writeString(checkout.resolve("run.sh"), "#!/bin/sh\necho run of $(cat 'a b/ü/data')\n");
        assertThat(checkout.resolve("run.sh").toFile().setExecutable(true)).isTrue();
        Files.writeString(checkout.resolve("a b/ü/data"), "seven");
        Files.createSymbolicLink(checkout.resolve("alias.sh"), Path.of("run.sh"));
    }

    private S3Settings ada() {
        return rig.settings("ADA", bucket);
    }

    private CodeFolder code() throws IOException {
        return CodeFolder.read(checkout, CodeLimits.defaults());
    }

    private static Delivery deliver(S3Settings storage, CodeFolder code) throws Exception {
        return S3Code.of(Optional.of(storage), HttpSettings.defaults())
                .orElseThrow()
                .deliver(code);
    }

    private Container.Log run(S3Settings storage, JobSpec job) throws Exception {
        Payload payload = Payload.of(job, KEY).storage(storage);
        Container container = Container.of("dash")
                .env("TAO_TRANSFER_PAUSE", "0.02")
                .env("TMPDIR", folder.resolve("tmp").toString());
        payload.secrets().forEach((name, value) -> container.env(name, value.reveal()));
        return container.run(payload.script(), folder);
    }

    private JobSpec.Builder job(String command) {
        return JobSpec.of(command).resultsDirectory(folder + "/inside");
    }

    @Test
    @Promise({"NS-01", "NS-04"})
    void codeOfManyPartsGoesThroughTheBucketOnceAndTheCommandStartsInIt() throws Exception {
        byte[] large = new byte[SEVERAL_PARTS];
        new Random(7).nextBytes(large);
        Files.write(checkout.resolve("large.bin"), large);
        CodeFolder code = code();

        Delivery first = deliver(ada(), code);
        Delivery second = deliver(ada(), code());
        Container.Log log = run(
                ada(),
                job("./alias.sh; sha256sum large.bin; find . -perm -200 ! -type l")
                        .code(new CodeId(code.version()))
                        .build());

        assertThat(first.path()).isEqualTo("s3://" + bucket + "/code/" + code.version() + ".tar");
        assertThat(first.sentBytes()).isGreaterThan(SEVERAL_PARTS);
        assertThat(second.sentBytes()).isZero();
        assertThat(log.output())
                .contains("run of seven")
                .contains(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(large)))
                .doesNotContain("./run.sh", rig.word("ADA_SECRET"));
        assertThat(log.exitCode()).isZero();
        assertThat(S3Rig.names(ada(), "s3://" + bucket + "/code"))
                .containsOnlyOnce(code.version() + ".tar")
                .hasSize(2); // and the note of its last use
    }

    @Test
    @Promise("NS-01")
    void codeGoesThereByTemporaryKeysAndByNobodyElses() throws Exception {
        CodeFolder code = code();
        S3Settings wrong =
                rig.settings(bucket, Secret.of(rig.word("ADA_ACCESS")), Secret.of("not/the+secret"), Optional.empty());

        assertThatThrownBy(() -> deliver(wrong, code)).isInstanceOf(Denied.class);
        assertThat(deliver(rig.session(bucket), code).sentBytes()).isPositive();
        Container.Log log = run(
                rig.session(bucket),
                job("./run.sh").code(new CodeId(code.version())).build());

        assertThat(log.output()).contains("run of seven");
    }

    private static byte[] checkpoint(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("archive/data.pkl"));
            zip.write(text.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    @Test
    @Promise("NS-16")
    void aNewContainerGoesOnFromTheNewestWholeCheckpointThatTheOneBeforeItSent() throws Exception {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Files.writeString(bin.resolve("dino"), "#!/bin/sh\necho \"trains $*\"\n");
        assertThat(bin.resolve("dino").toFile().setExecutable(true)).isTrue();
        byte[] half = checkpoint("ten");
        rig.put(bucket, "results/" + KEY + "/train/model_epoch_009.pth", checkpoint("nine"));
        rig.put(
                bucket,
                "results/" + KEY + "/train/model_epoch_010.pth",
                Arrays.copyOf(half, half.length - END_OF_ARCHIVE));

        Container.Log log = run(
                ada(),
                job("dino train -e {config_path}")
                        .spec(Map.of("train", Map.of("num_epochs", 12)))
                        .env(Map.of("PATH", bin + ":" + System.getenv("PATH"), "tao_ck_pause", "0"))
                        .build());

        assertThat(log.output())
                .contains("model_epoch_010.pth is not proved whole")
                .contains("resume_training_checkpoint_path=" + folder + "/inside/train/model_epoch_009.pth");
        assertThat(log.exitCode()).isZero();
    }
}
