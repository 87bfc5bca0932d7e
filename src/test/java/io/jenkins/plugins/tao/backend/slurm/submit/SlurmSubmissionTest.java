package io.jenkins.plugins.tao.backend.slurm.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.slurm.FakeSlurm;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.checks.SlurmProbe;
import io.jenkins.plugins.tao.backend.slurm.networks.SlurmPaths;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The submitting shell text under a real sh, with Slurm's commands played by scripts. */
final class SlurmSubmissionTest {
    private static final String MARK = "submit/dino-train-0a1b2c.1";

    @TempDir
    Path directory;

    private FakeSlurm slurm;

    @BeforeEach
    void cluster() throws IOException {
        slurm = new FakeSlurm(directory);
        slurm.command("sbatch", "echo 4711");
    }

    private SlurmSubmission.Taken submit() throws Exception {
        JobSpec spec =
                JobSpec.of("true").secrets(Map.of("A", Secret.of("hush"))).build();
        SlurmPlan plan = SlurmPlan.of(slurm.target(), spec, Sample.KEY);
        return SlurmSubmission.parse("dgx", Sample.KEY, slurm.shell(SlurmSubmission.first(plan)));
    }

    private Path file(String path) {
        return slurm.base.resolve(path);
    }

    @Test
    @Promise({"SL-40", "SL-41", "SL-86"})
    void aSubmissionStagesEverythingAndSendsTheScript() throws Exception {
        assertThat(submit().id()).isEqualTo("4711");

        assertThat(slurm.calls())
                .contains("sbatch --parsable --export=ALL " + file("sbatch/job_dino-train-0a1b2c.sbatch"));
        assertThat(file("env/dino-train-0a1b2c.json")).hasContent("{}");
        Path secrets = file("secrets/dino-train-0a1b2c.1.env");
        assertThat(secrets).hasContent("export A=hush");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secrets)))
                .isEqualTo("rw-------");
        assertThat(slurm.calls()).doesNotContain("hush");
        assertThat(file(MARK + ".lock")).doesNotExist();
    }

    @Test
    void theSameSubmissionAgainFindsTheFirst() throws Exception {
        SlurmSubmission.Taken first = submit();
        slurm.command("sbatch", "echo 4712");

        assertThat(submit()).isEqualTo(first);
    }

    @Test
    @Promise("SL-26")
    void aSubmissionWhoseEndNobodySawIsFoundByName() throws Exception {
        Files.writeString(file(MARK + ".sending"), "1795236582\n");
        slurm.command("squeue", "echo '4700 RUNNING None'");
        slurm.command("sbatch", "echo 4712");

        assertThat(submit().id()).isEqualTo("4700");

        assertThat(slurm.calls()).doesNotContain("sbatch ").contains("--name=tao-job-dino-train-0a1b2c");
    }

    @Test
    void aJobThatRanMeanwhileIsFoundInAccounting() throws Exception {
        Files.writeString(file(MARK + ".sending"), "1795236582\n");
        slurm.command("sacct", "echo '4700|COMPLETED|gpu01'; echo '4699|FAILED|None assigned'");

        assertThat(submit().id()).isEqualTo("4700");
    }

    @Test
    void nothingFoundMeansNothingWasSent() throws Exception {
        Files.writeString(file(MARK + ".sending"), "1795236582\n");
        slurm.command("squeue", "echo '4700 FAILED BadConstraints'");

        assertThat(submit().id()).isEqualTo("4711");
    }

    @Test
    void jobsOfEarlierAttemptsAreNotTakenForThisOne() throws Exception {
        Files.writeString(file(MARK + ".id"), "4700 1\n");
        Files.writeString(file("sbatch/job_dino-train-0a1b2c.sbatch"), "#!/bin/bash\n");
        Files.writeString(file("submit/dino-train-0a1b2c.2.sending"), "1795236582\n");
        slurm.command("squeue", "echo '4700 NODE_FAIL NodeDown'");
        JobHandle first = handle();

        String reply = slurm.shell(SlurmSubmission.again(first, Map.of(), Set.of()));

        assertThat(SlurmSubmission.parse("dgx", Sample.KEY, reply).id()).isEqualTo("4711");
    }

    private JobHandle handle() {
        return new JobHandle("dgx", "slurm", Sample.KEY, 1, "4700", slurm.base.toString(), "/r", Instant.EPOCH);
    }

    @Test
    void severalJobsOfThatNameAreComplainedAbout() throws Exception {
        Files.writeString(file(MARK + ".sending"), "1795236582\n");
        slurm.command("squeue", "echo '4700 RUNNING None'; echo '4701 PENDING Priority'");

        assertThatThrownBy(this::submit).isInstanceOf(Rejected.class).hasMessageContaining("4700, 4701");
    }

    @Test
    void whileTheControllerIsAwayNothingIsSentTwice() throws Exception {
        Files.writeString(file(MARK + ".sending"), "1795236582\n");
        slurm.command("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");

        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class);

        assertThat(slurm.calls()).doesNotContain("sbatch ");
    }

    @Test
    void aRefusalIsForgottenAndAnUnclearEndIsNot() throws Exception {
        slurm.command(
                "sbatch", "echo 'sbatch: error: Batch job submission failed: Invalid qos specification' >&2; exit 1");
        assertThatThrownBy(this::submit).isInstanceOf(Rejected.class).hasMessageContaining("Invalid qos");
        assertThat(file(MARK + ".sending")).doesNotExist();

        slurm.command(
                "sbatch",
                "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv' >&2; exit 1");
        assertThatThrownBy(this::submit).isInstanceOf(Unreachable.class);

        assertThat(file(MARK + ".sending")).exists();
    }

    @Test
    void aPartThatComesTwiceIsOne() {
        SlurmSections answer = SlurmSections.parse("tao-leases 0\na\ntao-tidy 0\ntao-leases 0\nb\ntao-end 0\n");

        assertThat(answer.linesOf("leases")).containsExactly("a", "b");
    }

    @Test
    void aLockOfADeadProcessOfThisHostIsBroken() throws Exception {
        Files.createDirectories(file(MARK).getParent());
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        String host = slurm.shell("uname -n").strip();
        Files.writeString(file(MARK + ".lock"), host + " " + gone.pid() + "\n");

        assertThat(submit().id()).isEqualTo("4711");
    }

    @Test
    void aLockOfALivingProcessIsWaitedForAndLeftAlone() throws Exception {
        slurm.command("sleep", "echo waited >> '" + slurm.base + "/waits'");
        Files.createDirectories(file(MARK).getParent());
        String owner =
                slurm.shell("uname -n").strip() + " " + ProcessHandle.current().pid() + "\n";
        Files.writeString(file(MARK + ".lock"), owner);

        assertThatThrownBy(this::submit)
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("Another submission of job dino-train-0a1b2c");

        assertThat(file("waits")).content().hasLineCount(15);
        assertThat(file(MARK + ".lock")).hasContent(owner);
        assertThat(slurm.calls()).doesNotContain("sbatch");
    }

    @Test
    @Promise("SL-77")
    void anotherAttemptSendsTheSameScriptWithoutTheBadNodes() throws Exception {
        submit();
        slurm.command("sinfo", "echo gpu01; echo gpu02");
        slurm.command("sbatch", "echo 4720; echo \"attempt $TAO_ATTEMPT\" >> '" + slurm.base + "/calls'");
        byte[] before = Files.readAllBytes(file("sbatch/job_dino-train-0a1b2c.sbatch"));

        String reply = slurm.shell(SlurmSubmission.again(
                handle(), Map.of("A", Secret.of("hush")), Set.of("gpu02", "unknown9", "x; rm -rf /")));

        assertThat(SlurmSubmission.parse("dgx", Sample.KEY, reply).id()).isEqualTo("4720");
        assertThat(slurm.calls()).contains("--exclude=gpu02 ").contains("attempt 2");
        assertThat(file("secrets/dino-train-0a1b2c.2.env")).exists();
        assertThat(Files.readAllBytes(file("sbatch/job_dino-train-0a1b2c.sbatch")))
                .isEqualTo(before);
    }

    @Test
    @Promise("TR-25")
    void aNodeThatTheJobAsksForByNameIsNotExcluded() throws Exception {
        submit();
        slurm.command("sinfo", "echo gpu01; echo gpu02");
        slurm.command("scontrol", "[ \"$1 $2\" = 'show hostnames' ] && printf 'gpu02\\ngpu03\\n'");
        slurm.command("sbatch", "echo 4720");
        Path script = file("sbatch/job_dino-train-0a1b2c.sbatch");
        Files.writeString(script, Files.readString(script).replaceFirst("\n", "\n#SBATCH --nodelist=gpu[02-03]\n"));

        slurm.shell(SlurmSubmission.again(handle(), Map.of("A", Secret.of("hush")), Set.of("gpu02")));
        assertThat(slurm.calls()).doesNotContain("--exclude");
    }

    @Test
    @Promise("TR-25")
    void whereTooFewNodesWouldBeLeftOnlyTheLastThatFailedIsAvoided() throws Exception {
        submit();
        slurm.command("sinfo", "echo gpu01; echo gpu02");
        slurm.command(
                "sbatch",
                "case \"$*\" in *gpu02,gpu01*) echo 'sbatch: error: Batch job submission failed: Requested node"
                        + " configuration is not available' >&2; exit 1 ;; esac; echo 4720");

        String reply =
                slurm.shell(SlurmSubmission.again(handle(), Map.of(), new LinkedHashSet<>(List.of("gpu02", "gpu01"))));

        assertThat(SlurmSubmission.parse("dgx", Sample.KEY, reply).id()).isEqualTo("4720");
        assertThat(slurm.calls()).contains("--exclude=gpu02,gpu01 ").contains("--exclude=gpu02 ");
    }

    private String firstAvoiding(String... nodes) throws Exception {
        return slurm.shell(SlurmSubmission.first(
                SlurmPlan.of(
                        slurm.target(),
                        JobSpec.of("true")
                                .options(Records.of(SlurmOptions.class, "exclude", "gpu09"))
                                .build(),
                        Sample.KEY),
                new LinkedHashSet<>(List.of(nodes))));
    }

    @Test
    @Promise("NV-30")
    void aFirstAttemptAvoidsBesidesWhatItsUserExcludes() throws Exception {
        slurm.command("sinfo", "echo gpu01; echo gpu02; echo gpu09");
        slurm.command("sbatch", "echo 4720");

        firstAvoiding("gpu02", "unknown9", "x; rm -rf /");

        assertThat(slurm.calls()).contains("--exclude=gpu09,gpu02 ").doesNotContain("unknown9", "rm -rf");
    }

    @Test
    @Promise("NV-30")
    void whereNothingWouldBeLeftAFirstAttemptAvoidsNone() throws Exception {
        slurm.command("sinfo", "echo gpu01; echo gpu02");
        slurm.command(
                "sbatch",
                "case \"$*\" in *--exclude*) echo 'sbatch: error: Batch job submission failed: Requested node"
                        + " configuration is not available' >&2; exit 1 ;; esac; echo 4720");

        assertThat(SlurmSubmission.parse("dgx", Sample.KEY, firstAvoiding("gpu02"))
                        .id())
                .isEqualTo("4720");
        assertThat(slurm.calls()).contains("--exclude=gpu09,gpu02 ").contains("--export=ALL " + slurm.base);
    }

    @Test
    void federatedAnswersAreCutAtTheSemicolon() throws Exception {
        slurm.command("sbatch", "echo 'welcome to dgx'; echo '67108900;east'");

        assertThat(submit().id()).isEqualTo("67108900");
    }

    @Test
    void anAnswerWithoutANumberIsUnreadableAndLookedForLater() throws Exception {
        slurm.command("sbatch", "echo hm");
        assertThatThrownBy(this::submit).isInstanceOf(Unreadable.class).hasMessageContaining("hm");

        assertThat(file(MARK + ".sending")).exists();
    }

    @Test
    void aBaseThatCannotBeWrittenIsDenied() {
        assertThatThrownBy(() -> SlurmSubmission.parse(
                        "dgx", Sample.KEY, "tao-submit stage mkdir: cannot create directory: Permission denied\n"))
                .isInstanceOf(Denied.class);
        assertThatThrownBy(
                        () -> SlurmSubmission.parse("dgx", Sample.KEY, "tao-submit stage mkdir: Disk quota exceeded\n"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("is full");
    }

    @Test
    @Promise("SL-37")
    void smallInputsFromElsewhereAreNotLookedForOnDiskAndTheSpecSaysWhereTheyAreFetchedTo() throws Exception {
        List<String> elsewhere = List.of("s3://bucket/small.json", "hf_model://org/model");
        JobSpec spec = JobSpec.of("train {config_path}")
                .inputs(elsewhere)
                .spec(Map.of("inputs", elsewhere))
                .build();
        SlurmPlan plan = SlurmPlan.of(slurm.target(), spec, Sample.KEY);

        SlurmSections probed = SlurmSections.parse(slurm.shell(SlurmProbe.render(plan)));
        slurm.shell(SlurmSubmission.first(plan));

        assertThat(probed.complete()).isTrue();
        assertThat(probed.linesOf("inputs")).isEmpty();
        assertThat(Files.readString(file("specs/dino-train-0a1b2c.yaml")))
                .contains(slurm.base + "/inputs/s3/bucket/small.json")
                .contains(slurm.base + "/inputs/huggingface/org/model@main");
        assertThat(elsewhere)
                .allSatisfy(input -> assertThat(SlurmPaths.problemOfInput(input, List.of("/lustre"))
                                .filter(SlurmPaths.Problem::fatal))
                        .isEmpty());
    }

    @Test
    @Promise({"SL-05", "SL-32"})
    void theProbeFindsWhatIsMissingAndLeavesNothingBehind() throws Exception {
        JobSpec spec = JobSpec.of("true")
                .inputs(List.of(slurm.base + "/it's not here", slurm.base.toString()))
                .build();

        String reply = slurm.shell(SlurmProbe.render(SlurmPlan.of(slurm.target(), spec, Sample.KEY)));

        SlurmSections answer = SlurmSections.parse(reply);
        assertThat(answer.complete()).isTrue();
        assertThat(answer.linesOf("inputs")).containsExactly(slurm.base + "/it's not here");
        assertThat(answer.linesOf("base")).containsExactly(slurm.base.toString());
        assertThat(answer.linesOf("space")).hasSize(2);
        assertThat(slurm.calls()).contains("sbatch --test-only").contains("--wrap=true");
        assertThat(file("results")).doesNotExist();
        assertThat(file("specs")).doesNotExist();
    }
}
