package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmCancel;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmDiagnosis;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmPoll;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmDirectives;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmSubmission;
import io.jenkins.plugins.tao.job.GitCode;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.remote.shell.LeaseShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of Slurm's commands a job's life calls on the login host, and what a job without settings asks for. */
final class SlurmCommandsTest {
    @TempDir
    Path directory;

    private FakeSlurm slurm;

    @BeforeEach
    void cluster() throws IOException {
        slurm = new FakeSlurm(directory);
        slurm.command("sbatch", "echo 77");
    }

    @Test
    @Promise("SG-02")
    void aWholeLifeUsesSlurmsOwnCommandsAndLogsGoToFiles() throws Exception {
        SlurmPlan plan = SlurmPlan.of(slurm.target(), JobSpec.of("dino train").build(), Sample.KEY);
        JobHandle job = new JobHandle(
                "fake", "slurm", Sample.KEY, 1, "77", slurm.base.toString(), plan.results(), Instant.EPOCH);

        slurm.shell(SlurmSubmission.first(plan));
        slurm.shell(SlurmPoll.render(Set.of(job)));
        slurm.shell(SlurmDiagnosis.render(job, List.of()));
        slurm.shell(LeaseShell.of(Controller.NONE) + "\n" + SlurmCancel.render(job));

        assertThat(slurm.calls().lines().map(line -> line.split(" ", 2)[0]))
                .containsSubsequence("sbatch", "squeue", "sacct", "sacct", "scancel")
                .doesNotContain("srun", "salloc");
        assertThat(plan.files().get(plan.layout().script(Sample.KEY)))
                .contains("#SBATCH --output=" + slurm.base + "/slurm-logs/%x-%j.out\n")
                .contains("#SBATCH --error=" + slurm.base + "/slurm-logs/%x-%j.err\n")
                .contains("#SBATCH --open-mode=append\n");
    }

    private List<String> cancels() throws IOException {
        return slurm.calls()
                .lines()
                .filter(call -> call.startsWith("scancel"))
                .map(call -> call.replace(" --name=tao-job-" + Sample.KEY + " 77", ""))
                .toList();
    }

    @Test
    void aCancelWithAGraceAsksTheFrameFirstAndTheSecondEndsTheJob() throws Exception {
        slurm.command("sleep", ":");
        JobSpec spec = JobSpec.of("true")
                .options(Records.of(SlurmOptions.class, "grace", Duration.ofMinutes(5)))
                .build();
        try (SlurmBackend backend = new SlurmBackend(slurm.target(), slurm.host())) {
            JobHandle job = backend.submit(spec, Sample.KEY);
            Path mark = slurm.base.resolve("submit/" + Sample.KEY + ".cancel");

            backend.cancel(job);
            await().until(() -> cancels().size() == 3);
            assertThat(cancels())
                    .containsExactly("scancel --state=PENDING", "scancel --signal=TERM --batch", "scancel");

            Files.setLastModifiedTime(mark, FileTime.from(Instant.now().minusSeconds(301)));
            backend.cancel(job);
            assertThat(cancels()).hasSize(4).endsWith("scancel");
        }
    }

    @Test
    void aCancelWithoutAGraceIsSlurmsOwn() throws Exception {
        try (SlurmBackend backend = new SlurmBackend(slurm.target(), slurm.host())) {
            backend.cancel(backend.submit(JobSpec.of("true").build(), Sample.KEY));
        }

        assertThat(cancels()).containsExactly("scancel");
    }

    @Test
    void aJobSaysToSlurmWhereItCameFrom() throws Exception {
        String commit = "0123456789abcdef0123456789abcdef01234567";
        JobSpec spec = JobSpec.of("true")
                .gitCode(new GitCode("https://git.example/x.git", commit, Optional.empty()))
                .origin("https://ada:hunter2@ci.example/job/nightly/7/?token=hunter2")
                .build();
        try (SlurmBackend backend = new SlurmBackend(slurm.target(), slurm.host())) {
            backend.actFor(new Controller("jenkins-1", "Jenkins https://ci.example/", "s1"));
            backend.submit(spec, Sample.KEY);
        }

        assertThat(slurm.calls())
                .contains("--comment=tao:" + Sample.KEY + " of Jenkins https://ci.example/, commit " + commit
                        + ", build https://ci.example/job/nightly/7/ ")
                .doesNotContain("hunter2");
    }

    @Test
    void whatNothingBringsToTheClusterIsNotSubmitted() throws Exception {
        try (SlurmBackend backend = new SlurmBackend(slurm.target(), slurm.host())) {
            JobSpec web = JobSpec.of("true")
                    .inputs(List.of("https://example.com/a.zip"))
                    .build();
            JobSpec local = JobSpec.of("cat file:///home/me/a").build();

            assertThatThrownBy(() -> backend.submit(web, Sample.KEY)).hasMessageContaining("is not fetched");
            assertThatThrownBy(() -> backend.submit(local, Sample.KEY)).hasMessageContaining("lies on the controller");
        }
        assertThat(slurm.calls()).isEmpty();
    }

    @Test
    void aJobThatIsInNoListIsAskedOfTheControllerAndOfAccounting() throws Exception {
        slurm.command(
                "scontrol",
                "echo 'JobId=77 JobName=tao-job-" + Sample.KEY
                        + " JobState=RUNNING Reason=None Dependency=(null) StartTime=9 EndTime=99 NodeList=gpu01'");
        try (SlurmBackend backend = new SlurmBackend(slurm.target(), slurm.host())) {
            JobHandle job = backend.submit(JobSpec.of("true").build(), Sample.KEY);

            assertThat(backend.poll(Set.of(job)).values())
                    .singleElement()
                    .satisfies(status -> assertThat(status.state()).isEqualTo(JobState.RUNNING));
        }
        assertThat(slurm.calls()).contains("sacct -X -n -P", "scontrol -o show job 77");
    }

    @Test
    @Promise({"SL-46", "SL-47"})
    void aJobWithoutSettingsGetsOneNodeFourGpusFourHoursAndRequeue() throws Exception {
        SlurmPlan plan = SlurmPlan.of(
                Sample.target().build(), JobSpec.of("dino train").image("a/b:1").build(), Sample.KEY);

        assertThat(SlurmDirectives.of(plan))
                .contains(
                        "#SBATCH --nodes=1",
                        "#SBATCH --gres=gpu:4",
                        "#SBATCH --cpus-per-task=16",
                        "#SBATCH --time=04:00:00",
                        "#SBATCH --requeue")
                .doesNotContain("#SBATCH --exclusive");
        assertThat(plan.shape().timeout()).hasValue(Duration.ofMinutes(228));
        assertThat(plan.mounts()).containsExactly("/lustre");
        assertThat(plan.target().gpusPerNode()).isEqualTo(8);
    }

    @Test
    @Promise("SG-07")
    void aDependencyIsHandedOn() throws Exception {
        assertThat(Sample.script(JobSpec.of("true")
                        .options(Records.of(SlurmOptions.class, "dependency", "afterok:4711_3,afterany:12:13+5"))
                        .build()))
                .contains(
                        "#SBATCH --dependency=afterok:4711_3,afterany:12:13+5\n",
                        "#SBATCH --kill-on-invalid-dep=yes\n");
    }

    @Test
    void anArrayAmongTheFurtherOptionsIsSentToItsOwn() {
        assertThatThrownBy(() -> Records.of(SlurmOptions.class, "sbatch", List.of("--array=0-15%4")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use array, as in array: '0-15%4'");
    }
}
