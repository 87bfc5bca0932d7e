package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A login whose environment and functions would change what Slurm's commands do and say. */
final class LoginEnvironmentTest {
    private static final List<String> COMMANDS = List.of("sbatch", "squeue", "sacct", "scancel", "scontrol", "sinfo");

    /** Of the manual pages of 22.05 to 25.05, and one that none of them has. */
    private static final List<String> PLANTED = List.of(
            "SBATCH_ACCOUNT SBATCH_PARTITION SBATCH_TIMELIMIT SBATCH_QOS SBATCH_RESERVATION SBATCH_GPUS SBATCH_MEM_PER_NODE",
            "SBATCH_EXCLUSIVE SBATCH_CLUSTERS SBATCH_REQUEUE SBATCH_SIGNAL SBATCH_CONSTRAINT SBATCH_OUTPUT SBATCH_EXPORT",
            "SBATCH_ARRAY_INX SBATCH_WCKEY SBATCH_DEBUG SBATCH_OF_A_LATER_VERSION SALLOC_PARTITION SRUN_EXPORT_ENV",
            "SLURM_EXPORT_ENV SLURM_TIMELIMIT SLURM_PARTITION SLURM_DISTRIBUTION SLURM_MEM_PER_NODE SLURM_JOB_ID SLURM_HINT",
            "SLURM_TIME_FORMAT SLURM_BITSTR_LEN SLURM_LABELIO SQUEUE_PARTITION SQUEUE_ACCOUNT SQUEUE_USERS SQUEUE_STATES",
            "SQUEUE_FORMAT SQUEUE_FORMAT2 SQUEUE_SORT SQUEUE_ARRAY SACCT_FEDERATION SACCT_LOCAL SACCT_FORMAT SINFO_FORMAT",
            "SINFO_PARTITION SCONTROL_ALL SCONTROL_FEDERATION SCANCEL_STATE SCANCEL_INTERACTIVE SCANCEL_PARTITION SPRIO_FORMAT");

    @TempDir
    Path directory;

    private FakeSlurm slurm;

    @BeforeEach
    void cluster() throws IOException {
        slurm = new FakeSlurm(directory);
        for (String command : COMMANDS) {
            String answer =
                    switch (command) {
                        case "sbatch" -> "echo 4711";
                        case "squeue" ->
                            "case $* in *%i*) printf '4711\\037RUNNING\\037None\\037gpu01\\0371\\0372\\0371\\037tao-job-"
                                    + Sample.KEY + "\\n';; esac";
                        default -> ":";
                    };
            slurm.command(command, "env >> '" + slurm.base + "/environment'; " + answer);
        }
    }

    private static String planted() {
        return PLANTED.stream()
                .flatMap(line -> java.util.Arrays.stream(line.split(" ")))
                .map(name -> "export " + name + "=planted")
                .collect(Collectors.joining("\n"));
    }

    /** All that a job's life asks, with what its login says first. */
    private List<String> environmentAfterLife(String login) throws Exception {
        JobSpec spec = JobSpec.of("true").build();
        try (SlurmBackend backend = new SlurmBackend(slurm.target(), slurm.host(login))) {
            backend.actFor(new Controller("unit-test", "a test", "session"));
            backend.preflight(spec);
            JobHandle job = backend.submit(spec, Sample.KEY);
            assertThat(backend.poll(Set.of(job))).containsKey(job);
            backend.live();
            backend.diagnose(job);
            backend.tidy(true);
            backend.cancel(job);
        }
        assertThat(slurm.calls().lines().map(call -> call.split(" ", 2)[0])).contains(COMMANDS.toArray(new String[0]));
        return Files.readAllLines(slurm.base.resolve("environment"));
    }

    @Test
    void noCommandOfSlurmSeesWhatTheLoginSaysOfJobsAndLists() throws Exception {
        assertThat(environmentAfterLife(planted())).noneMatch(line -> line.endsWith("=planted"));
    }

    @Test
    void preflightNamesWhatOfTheLoginDoesNotCount() throws Exception {
        try (SlurmBackend backend =
                new SlurmBackend(slurm.target(), slurm.host("export SBATCH_ACCOUNT=a SBATCH_QOS=b SQUEUE_USERS=c"))) {
            assertThat(backend.preflight(JobSpec.of("true").build()).checks())
                    .anySatisfy(check -> assertThat(check.toString()).contains("SBATCH_ACCOUNT, SBATCH_QOS there"));
        }
    }

    @Test
    void whatFindsTheClusterStays() throws Exception {
        List<String> seen =
                environmentAfterLife("export SLURM_CONF=/etc/other.conf SLURM_CLUSTERS=lab SLURM_JWT=token");

        assertThat(seen)
                .contains("SLURM_CONF=/etc/other.conf", "SLURM_JWT=token")
                .doesNotContain("SLURM_CLUSTERS=lab");
        assertThat(slurm.calls().lines().filter(call -> !call.startsWith("srun ")))
                .allMatch(call -> call.contains(" --clusters=lab "));
    }

    @Test
    void ofSeveralClustersOfALoginNoneIsAsked() throws Exception {
        environmentAfterLife("export SLURM_CLUSTERS=lab,other");

        assertThat(slurm.calls()).doesNotContain("--clusters");
    }

    @Test
    void functionsAndAliasesOfALoginAreNotCalled() throws Exception {
        String login = COMMANDS.stream()
                .map(command -> command + "() { echo lies; }\nalias " + command + "='echo lies'")
                .collect(Collectors.joining("\n"));

        environmentAfterLife(login);
    }

    @Test
    void theJobHasTheLanguageOfTheLogin() throws Exception {
        slurm.command("sbatch", "echo \"language ${LC_ALL-none}\" >> '" + slurm.base + "/calls'; echo 4711");
        try (SlurmBackend backend = new SlurmBackend(slurm.target(), slurm.host("LC_ALL=de_DE.UTF-8; export LC_ALL"))) {
            backend.submit(JobSpec.of("true").build(), Sample.KEY);
        }

        assertThat(slurm.calls()).contains("language de_DE.UTF-8");
    }
}
