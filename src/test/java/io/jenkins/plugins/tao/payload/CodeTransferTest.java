package io.jenkins.plugins.tao.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.CodeStore.Delivery;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.code.CodeLimits;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The files of a directory on their way to a job in a container, through a bucket. */
class CodeTransferTest extends TransferCase {
    private Path checkout = Path.of("");

    @BeforeEach
    void aCheckout() throws Exception {
        checkout = Files.createDirectories(folder.resolve("checkout"));
        Files.createDirectories(checkout.resolve("a b/ü"));
        Files.writeString(checkout.resolve("train.py"), "print('trained')\n");
        Files.writeString(checkout.resolve("run.sh"), "#!/bin/sh\necho run of $(cat 'a b/ü/data')\n");
        checkout.resolve("run.sh").toFile().setExecutable(true);
        Files.writeString(checkout.resolve("a b/ü/data"), "seven");
        Files.writeString(checkout.resolve("empty"), "");
        Files.writeString(checkout.resolve("𝔸-beyond"), "1");
        Files.writeString(checkout.resolve("ｚ-wide"), "2");
        Files.createSymbolicLink(checkout.resolve("alias.sh"), Path.of("run.sh"));
    }

    private CodeFolder code() throws Exception {
        return CodeFolder.read(checkout, CodeLimits.defaults());
    }

    private S3Code store() {
        return S3Code.of(Optional.of(s3.settings(Optional.of("out"))), HttpSettings.defaults())
                .orElseThrow();
    }

    private Payload job(String command, CodeFolder code) {
        return payload(JobSpec.of(command).code(new CodeId(code.version())));
    }

    private Container.Log runAt(Payload payload) throws Exception {
        return run(payload, Map.of("TMPDIR", folder.resolve("tmp").toString()));
    }

    @Test
    @Promise("NS-01")
    void anObjectThatTheStorageDoesNotSayIsMadeOfItsPartsIsNotThere() throws Exception {
        byte[] large = new byte[17 << 20];
        new Random(7).nextBytes(large);
        Files.write(checkout.resolve("large"), large);
        s3.fail("tar?uploadId=", S3Server.Fault.EMPTY, "");

        assertThatThrownBy(() -> store().deliver(code()))
                .isInstanceOf(BackendException.Unreadable.class)
                .hasMessageContaining("did not say that the object is made of its parts");
        assertThat(store().deliver(code()).sentBytes()).isGreaterThan(large.length);
    }

    @Test
    @Promise({"NS-01", "NS-04"})
    void theCommandStartsInTheFilesWhichAreReadOnlyAndSentOnce() throws Exception {
        CodeFolder code = code();

        Delivery first = store().deliver(code);
        long requests = s3.requests().size();
        Delivery second = store().deliver(code());
        long again = s3.requests().size() - requests;
        Container.Log log = runAt(job("pwd; ./alias.sh; echo $TAO_CODE_DIR; find . -perm -200 ! -type l", code));

        String place = folder.resolve("tmp/tao-code/" + code.version()).toString();
        assertThat(first.sentBytes()).isPositive();
        assertThat(first.path()).isEqualTo("s3://out/code/" + code.version() + ".tar");
        assertThat(second.sentBytes()).isZero();
        assertThat(again).isLessThanOrEqualTo(2); // the time, and one list
        assertThat(log.output())
                .contains("the code of the job is in " + place + ": 7 files")
                .contains(place + "\nrun of seven\n" + place + "\n")
                .doesNotContain("./run.sh");
        assertThat(log.exitCode()).isZero();
    }

    @Test
    @Promise({"NS-01", "NS-04"})
    void codeOfManyPartsArrivesWholeAndOneThatBreaksOffIsNotThere() throws Exception {
        byte[] large = new byte[40 << 20];
        new Random(7).nextBytes(large);
        Files.write(checkout.resolve("large.bin"), large);
        CodeFolder code = code();

        s3.fail("partNumber=2", 403, "AccessDenied");
        assertThatThrownBy(() -> store().deliver(code)).hasMessageContaining("may not");
        assertThat(s3.objects("out")).isEmpty();
        assertThat(s3.unfinishedUploads()).isZero();

        store().deliver(code);
        Container.Log log = runAt(job("sha256sum large.bin", code));

        assertThat(log.output())
                .contains(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(large)));
    }

    @Test
    @Promise("NS-04")
    void whatIsNotWhatTheJobWasSentWithStartsNothing() throws Exception {
        CodeFolder before = code();
        store().deliver(before);
        Files.writeString(checkout.resolve("train.py"), "print('other')\n");
        CodeFolder after = code();
        store().deliver(after);
        byte[] other =
                s3.stored("out", "code/" + after.version() + ".tar").content().toByteArray();
        s3.put("out", "code/" + before.version() + ".tar", other);

        Container.Log log = runAt(job("echo it runs", before));

        assertThat(log.output()).contains("its checksums differ").doesNotContain("it runs");
        assertThat(log.exitCode()).isEqualTo(66);
    }

    @Test
    @Promise("NS-04")
    void aFileThatChangesWhileItIsSentIsNotKeptUnderTheOldName() throws Exception {
        CodeFolder code = code();
        Files.writeString(checkout.resolve("train.py"), "print('TRAINED')\n");

        assertThatThrownBy(() -> store().deliver(code))
                .isInstanceOf(Rejected.class)
                .hasMessage("A file changed while it was sent: 'train.py' was changed while it was sent.");
        assertThat(s3.objects("out")).isEmpty();
    }

    @Test
    @Promise("NS-04")
    void codeThatNoJobWasSentWithForAMonthIsRemovedAndOtherFilesStay() throws Exception {
        CodeFolder code = code();
        store().deliver(code);
        String old = "0123456789012345678901234567890123456789";
        // stored in January by the clock of the storage
        s3.put("out", "code/" + old + ".tar", "x").put("out", "code/" + old + ".used", "");
        s3.put("out", "code/notes.txt", "mine").put("out", "results/a", "x");

        assertThat(store().tidy(true).jobs()).containsExactly("code " + old);
        assertThat(store().tidy(false).jobs()).containsExactly("code " + old);

        assertThat(s3.requests()).filteredOn(line -> line.startsWith("DELETE")).hasSize(2);
        assertThat(s3.requests())
                .filteredOn(line -> line.startsWith("DELETE"))
                .allMatch(line -> line.contains("/out/code/" + old));
    }

    @Test
    @Promise({"NS-01", "NS-02"})
    void aTargetWithoutABucketRefusesBeforeAnythingIsSent() throws Exception {
        CodeFolder code = code();

        assertThatThrownBy(() -> S3Code.required("k8s", Optional.empty(), HttpSettings.defaults()))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("The target 'k8s' has no S3 bucket");
        assertThatThrownBy(() -> Payload.of(
                                JobSpec.of("x").code(new CodeId(code.version())).build(), Container.KEY)
                        .script())
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("has no S3 bucket to bring it through");
        assertThat(List.copyOf(s3.requests())).isEmpty();
    }
}
