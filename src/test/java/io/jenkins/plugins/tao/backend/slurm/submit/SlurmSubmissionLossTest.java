package io.jenkins.plugins.tao.backend.slurm.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.slurm.FakeSlurm;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a submission may lose on its way, and that one job comes of it all the same. */
final class SlurmSubmissionLossTest {
    private static final String MARK = "submit/dino-train-0a1b2c.1";

    @TempDir
    Path directory;

    private FakeSlurm slurm;

    @BeforeEach
    void cluster() throws IOException {
        slurm = cluster(directory);
    }

    /** A cluster that remembers the jobs it took, and a sleep that takes no time. */
    private static FakeSlurm cluster(Path directory) throws IOException {
        FakeSlurm cluster = new FakeSlurm(directory);
        String queue = "'" + cluster.base + "/queue'";
        cluster.command("sbatch", "echo $$ >> " + queue + "; awk 'END {print 4710 + NR}' " + queue);
        cluster.command("squeue", "touch " + queue + "; awk '{print 4710 + NR, \"RUNNING\", \"None\"}' " + queue);
        cluster.command("sleep", ":");
        return cluster;
    }

    private static String script(FakeSlurm cluster) throws Exception {
        JobSpec spec = JobSpec.of("true {config_path}")
                .spec(Map.of("epochs", 3))
                .secrets(Map.of("A", Secret.of("hush")))
                .build();
        return SlurmSubmission.first(SlurmPlan.of(cluster.target(), spec, Sample.KEY));
    }

    private static SlurmSubmission.Taken answer(FakeSlurm cluster, String script) throws Exception {
        return SlurmSubmission.parse("dgx", Sample.KEY, cluster.shell(script));
    }

    private SlurmSubmission.Taken submit() throws Exception {
        return answer(slurm, script(slurm));
    }

    private Path file(String path) {
        return slurm.base.resolve(path);
    }

    private long sent(FakeSlurm cluster) throws IOException {
        return cluster.calls()
                .lines()
                .filter(call -> call.startsWith("sbatch "))
                .count();
    }

    @Test
    @Promise("SL-26")
    void aScriptKilledBeforeAnyOfItsLinesAndSentAgainHasStartedOneJob() throws Exception {
        List<String> lines = script(slurm).lines().toList();
        int killed = 0;

        for (int at = lines.indexOf("stage() {") + 1; at < lines.size(); at++) {
            if (lines.get(at).isBlank() || lines.get(at).matches("#.*|.*\\(\\) \\{")) {
                continue;
            }
            FakeSlurm cluster = cluster(directory.resolve("line" + at));
            if (diesBefore(cluster, at)) {
                killed++;
                assertThat(answerInTheEnd(cluster).id()).as(lines.get(at)).isEqualTo("4711");
                assertThat(sent(cluster)).as(lines.get(at)).isEqualTo(1);
            }
        }

        assertThat(killed).isGreaterThan(40);
    }

    private static boolean diesBefore(FakeSlurm cluster, int at) throws Exception {
        List<String> lines = new ArrayList<>(script(cluster).lines().toList());
        lines.add(at, "kill -9 $$");
        Path text = Files.writeString(cluster.base.resolve("killed"), String.join("\n", lines) + "\n");
        Process process =
                cluster.start("/bin/sh", text, Map.of(), cluster.base.resolve("o"), cluster.base.resolve("e"));
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue() == 137;
    }

    /** A lock in which nobody could write its name yet is broken when it is old. */
    private static SlurmSubmission.Taken answerInTheEnd(FakeSlurm cluster) throws Exception {
        try {
            return answer(cluster, script(cluster));
        } catch (Unreachable e) {
            assertThat(e).hasMessageContaining("under way");
            Files.setLastModifiedTime(
                    cluster.base.resolve(MARK + ".lock"),
                    FileTime.from(Instant.now().minus(Duration.ofMinutes(10))));
            return answer(cluster, script(cluster));
        }
    }

    @Test
    void anSbatchThatWasKilledMayHaveStartedAJobAndIsLookedForByName() throws Exception {
        slurm.command("sbatch", "echo $$ >> '" + slurm.base + "/queue'; kill -9 $$");

        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class).hasMessageContaining("exit code 137");

        assertThat(submit().id()).isEqualTo("4711");
        assertThat(sent(slurm)).isEqualTo(1);
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
        assertThat(sent(slurm)).isEqualTo(1);
    }

    @Test
    void withoutAccountingAJobThatSqueueHasForgottenIsFoundByItsOwnNote() throws Exception {
        Files.writeString(file(MARK + ".sending"), "1795236582\n");
        Files.writeString(file("exit/dino-train-0a1b2c-4700"), "run=0 start=1 end=2 code=0 by=command\n");
        Files.writeString(file("exit/dino-train-0a1b2c-9-4699"), "run=0 of a key that begins alike\n");
        slurm.command("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");

        assertThat(submit().id()).isEqualTo("4700");

        assertThat(sent(slurm)).isZero();
    }

    @Test
    void aDiskThatHasNoRoomForTheIdLosesNoJob() throws Exception {
        Files.createSymbolicLink(file(MARK + ".id"), Path.of("/dev/full"));

        assertThat(submit().id()).isEqualTo("4711");
        Files.delete(file(MARK + ".id"));

        assertThat(submit().id()).isEqualTo("4711");
        assertThat(sent(slurm)).isEqualTo(1);
    }

    @Test
    void whoHungUntilItsLockWasBrokenSendsNothingAndLeavesTheNewLockAlone() throws Exception {
        submit();
        String others = "login9 77\n";
        slurm.command("sinfo", "echo 'login9 77' > '" + file("submit/dino-train-0a1b2c.2.lock") + "'; echo gpu01");
        JobHandle first =
                new JobHandle("dgx", "slurm", Sample.KEY, 1, "4711", slurm.base.toString(), "/r", Instant.EPOCH);

        String again = SlurmSubmission.again(first, Map.of(), Set.of("gpu01"));

        assertThatThrownBy(() -> answer(slurm, again))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("under way");
        assertThat(file("submit/dino-train-0a1b2c.2.lock")).hasContent(others);
        assertThat(sent(slurm)).isEqualTo(1);
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

        assertThat(sent(slurm)).isZero();
        assertThat(file(MARK + ".lock")).doesNotExist();
        assertThat(file(MARK + ".sending")).doesNotExist();
    }

    @Test
    void aQuotaOfFilesThatEndsBeforeTheFirstFolderIsToldToo() throws Exception {
        slurm.command("mkdir", "echo \"mkdir: cannot create directory '$2': Disk quota exceeded\" >&2; exit 1");

        assertThatThrownBy(this::submit).isInstanceOf(Rejected.class).hasMessageContaining("Disk quota exceeded");

        assertThat(sent(slurm)).isZero();
    }
}
