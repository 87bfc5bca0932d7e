package io.jenkins.plugins.tao.backend.slurm.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.slurm.FakeSlurm;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.job.JobHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a submission may lose on its way, and that one job comes of it all the same. */
final class SlurmSubmissionLossTest {
    @TempDir
    Path directory;

    private FakeSlurm slurm;

    @BeforeEach
    void cluster() throws IOException {
        slurm = KilledSubmissions.cluster(directory);
    }

    private SlurmSubmission.Taken submit() throws Exception {
        return KilledSubmissions.answer(slurm, KilledSubmissions.script(slurm));
    }

    private Path file(String path) {
        return slurm.base.resolve(path);
    }

    @Test
    @Promise("SL-26")
    void aScriptKilledBeforeOneOfItsLinesAndSentAgainHasStartedOneJob() throws Exception {
        assertThat(KilledSubmissions.killAtEach(12, directory)).isGreaterThan(3);
    }

    @Test
    void anSbatchThatWasKilledMayHaveStartedAJobAndIsLookedForByName() throws Exception {
        slurm.command("sbatch", "echo $$ >> '" + slurm.base + "/queue'; kill -9 $$");

        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class).hasMessageContaining("exit code 137");

        assertThat(submit().id()).isEqualTo("4711");
        assertThat(KilledSubmissions.sent(slurm)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Message receive failure",
                "Message send failure",
                "Unexpected message received",
                "Socket timed out on send/recv operation",
                "Zero Bytes were transmitted or received",
                "Unable to contact slurm controller (connect failure)",
                "Communication connection failure"
            })
    void anAnswerThatSlurmItselfLostIsNoRefusal(String said) throws Exception {
        slurm.command(
                "sbatch",
                "echo $$ >> '" + slurm.base + "/queue'; echo 'sbatch: error: Batch job submission failed: " + said
                        + "' >&2; exit 1");

        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class).hasMessageContaining(said);

        assertThat(submit().id()).isEqualTo("4711");
        assertThat(KilledSubmissions.sent(slurm)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4711",
                "4711;east",
                "Submitted batch job 4711",
                "sbatch: Submitted batch job 4711 on cluster east",
                "  4711  \\r",
                "-----\\n  Welcome to the cluster\\n--> Checking 512 GPUs...OK\\n4711\\nFor a list of the queues: qlimits",
                "1024\\nSubmitted batch job 4711\\r\\n2048",
                "80\\n4711;east\\n;\\n17;",
                "12; of 40 nodes are free\\n4711\\n4711"
            })
    void theIdIsFoundAmongTheWordsOfASite(String said) throws Exception {
        slurm.command("sbatch", "echo $$ >> '" + slurm.base + "/queue'; printf '%b\\n' '" + said + "'");

        assertThat(submit().id()).isEqualTo("4711");
        assertThat(file(KilledSubmissions.MARK + ".id")).content().startsWith("4711 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "quota:\\n4000\\n4711",
                "queued as 4711",
                "Submitted batch job 4711\\nSubmitted batch job 4712",
                "4711 4712"
            })
    void aNumberThatMayBeAnotherIsNoIdAndTheJobIsFoundByItsName(String said) throws Exception {
        slurm.command("sbatch", "echo $$ >> '" + slurm.base + "/queue'; printf '%b\\n' '" + said + "'");

        assertThatThrownBy(this::submit).hasMessageContaining("4711");

        assertThat(submit().id()).isEqualTo("4711");
        assertThat(KilledSubmissions.sent(slurm)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"de_DE.UTF-8", ""})
    void theLanguageOfTheUserReachesTheJob(String language) throws Exception {
        slurm.command(
                "sbatch",
                "echo $$ >> '" + slurm.base + "/queue'; echo \"${LC_ALL-none}\" > '" + slurm.base
                        + "/language'; echo 4711");
        String before = language.isEmpty() ? "unset LC_ALL\n" : "LC_ALL=" + language + "; export LC_ALL\n";

        KilledSubmissions.answer(slurm, before + KilledSubmissions.script(slurm));

        assertThat(file("language")).hasContent(language.isEmpty() ? "none" : language);
    }

    @Test
    void withoutAccountingAJobThatSqueueHasForgottenIsFoundByItsOwnNote() throws Exception {
        Files.writeString(file(KilledSubmissions.MARK + ".sending"), "1795236582\n");
        Files.writeString(file("exit/dino-train-0a1b2c-4700"), "run=0 start=1 end=2 code=0 by=command\n");
        Files.writeString(file("exit/dino-train-0a1b2c-9-4699"), "run=0 of a key that begins alike\n");
        slurm.command("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");

        assertThat(submit().id()).isEqualTo("4700");

        assertThat(KilledSubmissions.sent(slurm)).isZero();
    }

    @Test
    void aDiskThatHasNoRoomForTheIdLosesNoJob() throws Exception {
        Files.createSymbolicLink(file(KilledSubmissions.MARK + ".id"), Path.of("/dev/full"));

        assertThat(submit().id()).isEqualTo("4711");
        Files.delete(file(KilledSubmissions.MARK + ".id"));

        assertThat(submit().id()).isEqualTo("4711");
        assertThat(KilledSubmissions.sent(slurm)).isEqualTo(1);
    }

    @Test
    void whoHungUntilItsLockWasBrokenSendsNothingAndLeavesTheNewLockAlone() throws Exception {
        submit();
        String others = "login9 77\n";
        slurm.command("sinfo", "echo 'login9 77' > '" + file("submit/dino-train-0a1b2c.2.lock") + "'; echo gpu01");
        JobHandle first =
                new JobHandle("dgx", "slurm", Sample.KEY, 1, "4711", slurm.base.toString(), "/r", Instant.EPOCH);

        String again = SlurmSubmission.again(first, Map.of(), Set.of("gpu01"));

        assertThatThrownBy(() -> KilledSubmissions.answer(slurm, again))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("in progress");
        assertThat(file("submit/dino-train-0a1b2c.2.lock")).hasContent(others);
        assertThat(KilledSubmissions.sent(slurm)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sbatch/job_%s.sbatch", "specs/%s.json", "env/%s.json", "meta/%s.json", "secrets/%s.1.env"})
    void aQuotaThatEndsWhereverItDoesIsToldAndNothingIsSent(String path) throws Exception {
        slurm.command("cat", "/bin/cat > /dev/null; echo 'cat: write error: Disk quota exceeded' >&2; exit 1");
        Path full = file(path.formatted(Sample.KEY));
        Files.createDirectories(full.getParent());
        Files.createSymbolicLink(full, Path.of("/dev/full"));

        assertThatThrownBy(this::submit)
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("is full")
                .hasMessageContaining("Disk quota exceeded");

        assertThat(KilledSubmissions.sent(slurm)).isZero();
        assertThat(file(KilledSubmissions.MARK + ".lock")).doesNotExist();
        assertThat(file(KilledSubmissions.MARK + ".sending")).doesNotExist();
    }

    @Test
    void aQuotaOfFilesThatEndsBeforeTheFirstFolderIsToldToo() throws Exception {
        slurm.command("mkdir", "echo \"mkdir: cannot create directory '$2': Disk quota exceeded\" >&2; exit 1");

        assertThatThrownBy(this::submit).isInstanceOf(Rejected.class).hasMessageContaining("Disk quota exceeded");

        assertThat(KilledSubmissions.sent(slurm)).isZero();
    }
}
