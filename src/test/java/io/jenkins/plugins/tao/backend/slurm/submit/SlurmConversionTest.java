package io.jenkins.plugins.tao.backend.slurm.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.slurm.FakeSlurm;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmReply;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The conversion of an image: its place in a submission and its own script, under real shells. */
final class SlurmConversionTest {
    private static final String IMAGE = "nvcr.io/nvidia/tao/tao-toolkit:6.26.3-pyt";
    private static final String FILE = "sqsh/nvcr.io_nvidia_tao_tao-toolkit_6.26.3-pyt.sqsh";
    private static final int SUPERBLOCK = 96;
    /** Answers with one id for a conversion and with another for the job itself. */
    private static final String SBATCH =
            "case $* in *import_*) echo 4710; printf '[%s]' \"$NGC_KEY\" >> \"$0.key\";; *) echo 4711;; esac";

    @TempDir
    Path directory;

    private FakeSlurm slurm;

    @BeforeEach
    void cluster() throws IOException {
        slurm = new FakeSlurm(directory);
        slurm.command("sbatch", SBATCH);
    }

    private SlurmTarget target() {
        return Records.of(
                SlurmTarget.class,
                "name",
                "fake",
                "login",
                Sample.target().build().login(),
                "baseDirectory",
                slurm.base.toString(),
                "sharedRoots",
                java.util.List.of(slurm.base.toString()),
                "conversionPartition",
                "cpu_long",
                "account",
                "vision");
    }

    private static JobSpec.Builder job(String image) {
        return JobSpec.of("true").image(image).resources(Sample.machines(1, 0));
    }

    private static JobSpec forced(String image) {
        return job(image)
                .options(Records.of(SlurmOptions.class, "forceReconvertLatest", true))
                .build();
    }

    private SlurmSubmission.Taken submit(String key, JobSpec spec) throws Exception {
        SlurmPlan plan = SlurmPlan.of(target(), spec, new JobKey(key));
        return SlurmSubmission.parse("fake", new JobKey(key), slurm.shell(SlurmSubmission.first(plan)));
    }

    private Path file(String path) {
        return slurm.base.resolve(path);
    }

    private String calls() throws IOException {
        return slurm.calls();
    }

    private long conversions() throws IOException {
        return calls().lines()
                .filter(line -> line.startsWith("sbatch ") && line.contains("/import_"))
                .count();
    }

    /** A squash file whose superblock claims {@code used} bytes. */
    private void cached(String path, long used, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("hsqs".getBytes(StandardCharsets.US_ASCII)).putLong(40, used);
        Files.createDirectories(file(path).getParent());
        Files.write(file(path), bytes.array());
    }

    @Test
    void withoutAPlaceForConversionsNothingIsConverted() throws Exception {
        String script = Sample.script(job(IMAGE).build());

        assertThat(script)
                .contains("--container-image='nvcr.io#nvidia/tao/tao-toolkit:6.26.3-pyt'")
                .doesNotContain("hsqs");
    }

    @Test
    @Promise("SL-39")
    void theJobWaitsForAConversionOfItsImageWithoutGpus() throws Exception {
        assertThat(submit("a", job(IMAGE).build()).id()).isEqualTo("4711");

        assertThat(calls())
                .contains("--dependency=afterok:4710 --kill-on-invalid-dep=yes " + file("sbatch/job_a.sbatch"));
        assertThat(Files.readString(file("sbatch/job_a.sbatch"))).contains("--container-image=" + file(FILE));
        assertThat(Files.readString(file("sbatch/import_a.sbatch")))
                .contains("#SBATCH --partition=cpu_long\n", "#SBATCH --time=30\n", "#SBATCH --mem=32G\n")
                .contains("#SBATCH --account=vision\n")
                .contains("srun --nodes=1 --ntasks=1 enroot import")
                .contains("tao_source='docker://nvcr.io#nvidia/tao/tao-toolkit:6.26.3-pyt'\n")
                .doesNotContain("gres");
    }

    @Test
    @Promise("SL-44")
    void anImageThatWasConvertedIsNotConvertedAgain() throws Exception {
        cached(FILE, SUPERBLOCK, SUPERBLOCK);

        assertThat(submit("a", job(IMAGE).build()).id()).isEqualTo("4711");

        assertThat(conversions()).isZero();
        assertThat(calls()).doesNotContain("--dependency");
    }

    @Test
    void aTruncatedOrForeignFileIsNoHit() throws Exception {
        cached(FILE, 5000, SUPERBLOCK);
        submit("a", job(IMAGE).build());
        assertThat(conversions()).isEqualTo(1);

        Files.writeString(file("sqsh/ubuntu_24.04.sqsh"), "<html>not found</html>");
        submit("b", job("ubuntu:24.04").build());

        assertThat(conversions()).isEqualTo(2);
    }

    @Test
    void twoJobsOfOneImageShareOneConversion() throws Exception {
        submit("a", job(IMAGE).build());
        slurm.command("squeue", "case $* in *'-j 4710'*) echo RUNNING;; esac");

        submit("b", job("docker://nvcr.io#nvidia/tao/tao-toolkit:6.26.3-pyt").build());

        assertThat(conversions()).isEqualTo(1);
        assertThat(calls())
                .contains("--dependency=afterok:4710 --kill-on-invalid-dep=yes " + file("sbatch/job_b.sbatch"));
    }

    @Test
    void theLockOfAConversionThatDiedIsTakenOver() throws Exception {
        submit("a", job(IMAGE).build());
        slurm.command(
                "squeue",
                "case $* in *'-j 4710'*) echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1;; esac");

        submit("b", job(IMAGE).build());

        assertThat(conversions()).isEqualTo(2);
    }

    @Test
    void aConversionWhoseIdWasLostIsFoundByName() throws Exception {
        slurm.command("squeue", "case $* in *--name=tao-sqsh-*) echo 4690;; esac");

        submit("a", job(IMAGE).build());

        assertThat(conversions()).isZero();
        assertThat(calls()).contains("--dependency=afterok:4690 ");
    }

    @Test
    void theSameSubmissionAgainConvertsNothingAgain() throws Exception {
        SlurmSubmission.Taken first = submit("a", forced("ubuntu"));

        assertThat(submit("a", forced("ubuntu"))).isEqualTo(first);

        assertThat(conversions()).isEqualTo(1);
    }

    @Test
    void aLaterAttemptConvertsWhatWasClearedAway() throws Exception {
        submit("a", job(IMAGE).build());
        slurm.command("sbatch", "case $* in *import_*) echo 4720;; *) echo 4721;; esac");
        JobHandle first =
                new JobHandle("fake", "slurm", new JobKey("a"), 1, "4711", slurm.base.toString(), "/r", Instant.EPOCH);

        slurm.shell(SlurmSubmission.again(first, Map.of(), Set.of()));

        assertThat(calls()).contains("--dependency=afterok:4720 ");
        assertThat(file("exit/a-4721")).hasContent("run=0 by=import-4720");
    }

    @ParameterizedTest
    @Promise("SL-45")
    @CsvSource({"ubuntu, true, 1", "ubuntu:latest, true, 1", "ubuntu:latest, false, 0", "ubuntu:24.04, true, 0"})
    void latestComesFromTheCacheUnlessForced(String image, boolean force, int expected) throws Exception {
        cached("sqsh/" + image.replace(':', '_') + ".sqsh", SUPERBLOCK, SUPERBLOCK);

        submit("a", force ? forced(image) : job(image).build());

        assertThat(conversions()).isEqualTo(expected);
    }

    @ParameterizedTest
    @Promise("SL-43")
    @CsvSource({
        "/lustre/x.sqsh, ''",
        "x.sqsh, ''",
        "dockerd://tao:1, ''",
        "nvcr.io#a/b:1, nvcr.io_a_b_1.sqsh",
        "docker://nvcr.io#a/b:1, nvcr.io_a_b_1.sqsh",
        "nvcr.io/a/b:1, nvcr.io_a_b_1.sqsh",
        "registry:5000/team/x:1, registry_5000_team_x_1.sqsh",
        "ghcr.io/a/b@sha256:0123, ghcr.io_a_b@sha256_0123.sqsh",
        "ubuntu:24.04, ubuntu_24.04.sqsh"
    })
    void onlyImagesOfRegistriesAreConverted(String image, String name) throws Exception {
        String found = SlurmPlan.of(target(), job(image).build(), Sample.KEY)
                .conversion()
                .map(conversion -> conversion.file().substring(conversion.file().lastIndexOf('/') + 1))
                .orElse("");

        assertThat(found).isEqualTo(name);
    }

    @Test
    void twoImagesThatShareAFileNameAreToldApart() throws Exception {
        cached("sqsh/a_b.sqsh", SUPERBLOCK, SUPERBLOCK);
        Files.writeString(file("sqsh/a_b.sqsh.image"), "a/b\n");

        assertThatThrownBy(() -> submit("a", job("a_b").build()))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("a/b");
    }

    @Test
    void aRefusedConversionIsFatalAndLeavesNoLock() throws Exception {
        slurm.command(
                "sbatch",
                "echo 'sbatch: error: Batch job submission failed: Invalid partition name specified' >&2; exit 1");

        assertThatThrownBy(() -> submit("a", job(IMAGE).build()))
                .isInstanceOfSatisfying(
                        Rejected.class, refusal -> assertThat(refusal.remedy()).contains("conversionPartition"))
                .hasMessageContaining("conversion of the image");

        assertThat(file(FILE + ".lock")).doesNotExist();
        assertThat(file("submit/a.1.sending")).doesNotExist();
    }

    @Test
    void whileTheControllerIsAwayNothingIsConverted() throws Exception {
        slurm.command("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");

        assertThatThrownBy(() -> submit("a", job(IMAGE).build())).isInstanceOf(Unreachable.class);

        assertThat(calls()).doesNotContain("sbatch ");
    }

    @Test
    void theUsersOwnDependencyStays() throws Exception {
        SlurmOptions options = Records.of(SlurmOptions.class, "dependency", "afterok:77");

        submit("a", job(IMAGE).options(options).build());

        assertThat(calls()).contains("--dependency=afterok:77,afterok:4710 ");
    }

    private int convert(String enroot) throws Exception {
        submit("a", job(IMAGE).build());
        Files.createDirectories(file(FILE + ".lock"));
        Files.writeString(file(FILE + ".lock/id"), "4710\n");
        slurm.command("enroot", "env > '" + file("enroot-env") + "'\nshift 2\n" + enroot);
        Process process = slurm.start(
                "/bin/bash",
                file("sbatch/import_a.sbatch"),
                Map.of("SLURM_JOB_ID", "4710", "TMPDIR", directory.toString(), "NGC_KEY", "hush"),
                file("out"),
                file("err"));
        return process.waitFor();
    }

    /** What a good enroot does: the file of the whole, after the options. */
    private String good() throws IOException {
        cached("made", SUPERBLOCK, SUPERBLOCK);
        return "cp '" + file("made") + "' \"$1\"";
    }

    @Test
    @Promise("SL-39")
    void aConversionLeavesAWholeFileAndNoLock() throws Exception {
        assertThat(convert(good())).isZero();

        assertThat(file(FILE)).hasBinaryContent(Files.readAllBytes(file("made")));
        assertThat(file(FILE + ".image")).hasContent(IMAGE);
        try (var left = Files.list(file("sqsh"))) {
            assertThat(left).hasSize(2);
        }
        assertThat(calls()).contains("-- docker://nvcr.io#nvidia/tao/tao-toolkit:6.26.3-pyt");
        assertThat(Files.readString(file("enroot-env")))
                .contains("ENROOT_TEMP_PATH=")
                .doesNotContain("hush");
        assertThat(Files.readString(file("out"))).contains("begins").contains("complete");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit 1", "printf hsqs > \"$1\"", "echo '<html>' > \"$1\"", ":"})
    void aConversionThatFailsLeavesNothing(String enroot) throws Exception {
        assertThat(convert(enroot)).isEqualTo(1);

        assertThat(Files.readString(file("err"))).contains("tao: image conversion failed");
        try (var left = Files.list(file("sqsh"))) {
            assertThat(left).isEmpty();
        }
    }

    private JobStatus status(String row, String note) throws Exception {
        String separated = row.replace('|', '\u001f');
        JobHandle job = Sample.handle("a", "4711");
        String reply =
                "tao-squeue 0\n" + separated + "\ntao-records 0\n/lustre/tao/exit/a-4711:" + note + "\ntao-end 0\n";
        return SlurmReply.parse("fake", reply, Set.of(job))
                .getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "absent"));
    }

    @Test
    @Promise("SL-82")
    void aJobDroppedForItsImageHasFailedAndSaysWhatToDo() throws Exception {
        JobStatus status = status(
                "4711|CANCELLED|DependencyNeverSatisfied||N/A|1795236582|1795236500|tao-job-a", "run=0 by=import-4710");

        assertThat(status.ending()).contains(Ending.LAUNCH_FAILURE);
        assertThat(status.reason().orElseThrow())
                .contains("image conversion failed")
                .contains("/lustre/tao/slurm-logs/sqsh-4710.log")
                .contains("conversionTimeout", "smaller image", ".sqsh");
        assertThat(status.runs()).isZero();
    }

    /** While its image is converted, or after that in the prolog of its nodes; the note is the one of the conversion. */
    @ParameterizedTest
    @ValueSource(strings = {"Dependency||N/A", "Prolog|gpu01|1795236580", "None|gpu01|1795236580"})
    void aJobThatSomebodyCancelsBeforeItsCommandIsCancelled(String row) throws Exception {
        JobStatus status = status("4711|CANCELLED|" + row + "|1795236582|1795236500|tao-job-a", "run=0 by=import-4710");

        assertThat(status.ending()).contains(Ending.CANCELLED);
        assertThat(status.reason()).isEmpty();
    }

    @Test
    void aJobThatWaitsForItsImageSaysSo() throws Exception {
        JobStatus status = status("4711|PENDING|Dependency||N/A|N/A|1795236500|tao-job-a", "run=0 by=import-4710");

        assertThat(status.state()).isEqualTo(JobState.PENDING);
        assertThat(status.reason().orElseThrow()).contains("being converted by job 4710");
    }

    @Test
    @Promise("SL-82")
    void theTimeOfAConversionIsASetting() throws Exception {
        SlurmTarget target = Sample.target()
                .with("useSqsh", true)
                .with("sqshCacheDir", "/lustre/images/")
                .with("conversionTimeout", Duration.ofHours(2))
                .with("conversionMemory", "7200M")
                .build();

        SlurmPlan plan = SlurmPlan.of(target, job("ubuntu:24.04").build(), Sample.KEY);

        assertThat(plan.files().get("/lustre/tao/sbatch/import_dino-train-0a1b2c.sbatch"))
                .contains("#SBATCH --time=120\n", "#SBATCH --mem=7200M\n", "#SBATCH --partition=cpu\n")
                .contains("tao_sqsh=/lustre/images/ubuntu_24.04.sqsh\n");
    }
}
