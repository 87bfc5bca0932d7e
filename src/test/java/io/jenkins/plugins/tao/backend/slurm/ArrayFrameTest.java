package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmArray;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.poll.ArrayRest;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmCancel;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmPoll;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmReply;
import io.jenkins.plugins.tao.backend.slurm.reply.ExitRecord;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmScript;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmSubmission;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.shell.LeaseShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members of an array under a real bash, and their submission under a real sh, with Slurm's commands played by scripts. */
final class ArrayFrameTest {
    private static final String MARK = "submit/dino-train-0a1b2c.1";
    private static final String SECRETS = "secrets/dino-train-0a1b2c.1.env";

    @TempDir
    Path directory;

    private FakeSlurm slurm;

    @BeforeEach
    void cluster() throws IOException {
        slurm = new FakeSlurm(directory);
        slurm.command("sbatch", "echo 4711");
        Files.createDirectories(slurm.base.resolve("specs"));
    }

    private Path file(String path) {
        return slurm.base.resolve(path);
    }

    private static JobSpec.Builder array(String command) {
        return JobSpec.of(command)
                .resources(Sample.machines(1, 0))
                .options(Records.of(SlurmOptions.class, "array", "0-2%2"));
    }

    private Process start(JobSpec spec, int member) throws Exception {
        SlurmPlan plan = SlurmPlan.of(slurm.target(), spec, Sample.KEY);
        for (Map.Entry<String, String> staged : plan.files().entrySet()) {
            Files.createDirectories(Path.of(staged.getKey()).getParent());
            Files.writeString(Path.of(staged.getKey()), staged.getValue());
        }
        Map<String, String> env = new HashMap<>(Map.of(
                "SLURM_JOB_ID", Integer.toString(member == 2 ? 4711 : 4712 + member),
                "SLURM_JOB_NAME", "tao-job-dino-train-0a1b2c",
                "SLURM_JOB_NODELIST", "gpu01",
                "SLURM_ARRAY_JOB_ID", "4711",
                "SLURM_ARRAY_TASK_ID", Integer.toString(member),
                "SLURM_ARRAY_TASK_COUNT", "3"));
        String log = "slurm-logs/tao-job-dino-train-0a1b2c-4711_" + member;
        return slurm.start(
                "/bin/bash",
                file("sbatch/job_dino-train-0a1b2c.sbatch"),
                env,
                Files.createFile(file(log + ".out")),
                Files.createFile(file(log + ".err")));
    }

    private int run(JobSpec spec, int member) throws Exception {
        Process process = start(spec, member);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    @Test
    void eachMemberHasItsOwnSpecResultsRecordAndLogs() throws Exception {
        JobSpec spec = array(
                        "cat {config_path}; echo \"$TAO_API_RESULTS_DIR\" '{array_task}'; exit $SLURM_ARRAY_TASK_ID")
                .spec(Map.of("fold", "f{array_task}"))
                .build();

        assertThat(run(spec, 1)).isEqualTo(1);
        assertThat(run(spec, 2)).isEqualTo(2);

        String results = slurm.base + "/results/dino-train-0a1b2c/";
        assertThat(Files.readString(file("slurm-logs/tao-job-dino-train-0a1b2c-4711/1/main.out")))
                .isEqualTo("fold: \"f1\"\nresults_dir: \"" + results + "1\"\n" + results + "1 1\n");
        assertThat(Path.of(results, "2")).isDirectory();
        assertThat(ExitRecord.parse(Files.readString(file("exit/dino-train-0a1b2c-4711_2")))
                        .ownCode(Optional.empty()))
                .hasValue(2);
        assertThat(file("exit/dino-train-0a1b2c-4711")).doesNotExist();
    }

    @Test
    void theLastMemberRemovesTheSecretsAndNoOtherDoes() throws Exception {
        Map<String, Secret> secrets = Map.of("WORD", Secret.of("hush"));
        Files.writeString(file(SECRETS), SlurmScript.secrets(secrets) + "\n");
        JobSpec spec = array("[ \"$WORD\" = hush ]").secrets(secrets).build();

        assertThat(run(spec, 0)).isZero();
        assertThat(run(spec, 2)).isZero();
        assertThat(file(SECRETS)).exists();
        assertThat(run(spec, 1)).isZero();

        assertThat(file(SECRETS)).doesNotExist();
    }

    @Test
    void aMemberThatMayRunAgainKeepsTheSecretsForItself() throws Exception {
        Map<String, Secret> secrets = Map.of("WORD", Secret.of("hush"));
        Files.writeString(file(SECRETS), SlurmScript.secrets(secrets) + "\n");
        Process signalled = start(
                array("echo up; while [ ! -e '" + file("go") + "' ]; do sleep 0.1; done")
                        .secrets(secrets)
                        .build(),
                0);
        await().until(() -> Files.readString(file("slurm-logs/tao-job-dino-train-0a1b2c-4711_0.out"))
                .contains("up"));
        signalled.destroy();
        Files.createFile(file("go"));
        assertThat(signalled.waitFor(5, TimeUnit.MINUTES)).isTrue();

        run(array("true").secrets(secrets).build(), 1);
        run(array("true").secrets(secrets).build(), 2);

        assertThat(file(SECRETS)).exists();
    }

    private SlurmSubmission.Taken submit() throws Exception {
        SlurmPlan plan = SlurmPlan.of(slurm.target(), array("true").build(), Sample.KEY);
        return SlurmSubmission.parse("dgx", Sample.KEY, slurm.shell(SlurmSubmission.first(plan)));
    }

    private JobHandle handle(String id) {
        return new JobHandle("dgx", "slurm", Sample.KEY, 1, id, slurm.base.toString(), "/r", Instant.EPOCH);
    }

    @Test
    void anArrayIsOneSbatchAndItsIdNamesItsMembers() throws Exception {
        SlurmSubmission.Taken taken = submit();

        assertThat(taken.id()).isEqualTo("4711_[0-2]");
        assertThat(slurm.calls().lines().filter(call -> call.startsWith("sbatch")))
                .hasSize(1);
        assertThat(submit()).isEqualTo(taken);
    }

    @Test
    void theRowsOfSeveralMembersAreOneJobWhenTheAnswerWasLost() throws Exception {
        Files.writeString(file(MARK + ".sending"), "1795236582 0-2%2\n");
        slurm.command(
                "squeue",
                "case $* in *%F*) echo '4700 PENDING R'; echo '4700 RUNNING None';; *) echo '4700 P R';"
                        + " echo '4701 RUNNING None';; esac");
        slurm.command("sacct", "echo '4700_0|COMPLETED|gpu01'; echo '4700_[1-2%2]|PENDING|None assigned'");

        assertThat(submit().id()).isEqualTo("4700_[0-2]");

        assertThat(slurm.calls()).doesNotContain("sbatch ");
    }

    @Test
    void aNewAttemptSendsWhatHasNotNotedAGoodEndUnderTheSameLimit() throws Exception {
        submit();
        slurm.command("sbatch", "echo 4890");
        Files.writeString(file("exit/dino-train-0a1b2c-4711_0"), "run=0 start=1 end=2 code=0 ranks=1 by=command\n");
        Files.writeString(file("exit/dino-train-0a1b2c-4711_1"), "run=0 start=1 end=2 code=143 by=TERM\n");

        JobHandle first = handle("4711_[0-2]");
        SlurmArray rest = ArrayRest.parse(first, slurm.shell(ArrayRest.render(first)));
        String reply = slurm.shell(SlurmSubmission.again(first, java.util.Optional.of(rest), Map.of(), Set.of()));

        assertThat(SlurmSubmission.parse("dgx", Sample.KEY, reply).id()).isEqualTo("4890_[1-2]");
        assertThat(slurm.calls()).contains("--array=1-2%2 ");
    }

    @Test
    void whereAllHaveNotedAGoodEndNothingIsSent() throws Exception {
        for (int i = 0; i < 3; i++) {
            Files.writeString(
                    file("exit/dino-train-0a1b2c-4711_" + i), "run=0 start=1 end=2 code=0 ranks=1 by=command\n");
        }
        JobHandle job = handle("4711_[0-2]");
        String notes = slurm.shell(ArrayRest.render(job));

        assertThatThrownBy(() -> ArrayRest.parse(job, notes)).isInstanceOf(Rejected.class);
    }

    @Test
    void aLookCallsEachCommandOnceHoweverManyMembersThereAre() throws Exception {
        JobHandle job = handle("4711_[0-999]");
        slurm.command(
                "squeue",
                "for i in $(seq 500 999); do printf '4711_%s\\037RUNNING\\037None\\037gpu01\\0371\\037N/A\\0371"
                        + "\\037tao-job-dino-train-0a1b2c\\n' $i; done");

        String reply = slurm.shell(LeaseShell.of(Controller.NONE) + "\n" + SlurmPoll.render(Set.of(job)));

        assertThat(slurm.calls().lines().map(call -> call.split(" ", 2)[0])).containsExactly("squeue", "sacct");
        assertThat(slurm.calls()).contains("-j 4711 ");
        assertThat(SlurmReply.read("dgx", reply).members(job)).hasSize(500);
    }

    @Test
    void aCancelNamesTheWholeArray() {
        assertThat(SlurmCancel.render(handle("4711_[0-2]"))).contains("scancel --name=tao-job-dino-train-0a1b2c 4711 ");
    }
}
