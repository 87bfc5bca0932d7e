package io.jenkins.plugins.tao.backend.slurm.reply;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Slurm writes of a job that it refuses, by slurm_errno.c and the plugins of sites. */
class SlurmRefusalTest {
    @ParameterizedTest
    @Promise({"SL-24"})
    @CsvSource(
            delimiter = '|',
            value = {
                "Batch job submission failed: Invalid account or account/partition combination specified | Set account",
                "Batch job submission failed: Invalid partition name specified | Set partition",
                "Batch job submission failed: Requested node configuration is not available | No node fits",
                "Invalid generic resource (gres) specification | Set gpuType",
                "Batch job submission failed: Invalid qos specification | Set qos",
                "Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit) | Lower"
                        + " the wall time",
                "Batch job submission failed: Job dependency problem | dependency",
                "Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or"
                        + " time limits) | as many jobs",
                "Batch script contains DOS line breaks | carriage returns",
                "Batch job submission failed: Pathname of a file, directory or other parameter too long | larger",
                "CPU count per node can not be satisfied | lower cpus",
                "Memory specification can not be satisfied | lower cpus or mem",
                "Batch job submission failed: Invalid feature specification | Set constraint",
                "Batch job submission failed: Invalid node name specified | Where the job sets nodelist",
                "Invalid --time specification | has a form",
                "unrecognized option '--container-image=x' | sbatch list",
                "Batch job submission failed: User's group not permitted to use this partition | your group",
                "Batch job submission failed: Required partition not available (inactive or drain) | is closed",
                "Batch job submission failed: Requested partition configuration not available now | is closed",
                "Batch job submission failed: Invalid license specification | scontrol show licenses",
                "Batch job submission failed: Invalid Trackable RESource (TRES) specification | Set gpuType",
                "Batch job submission failed: Node count specification invalid | Lower nodes",
                "Batch job submission failed: More processors requested than permitted | Lower nodes or cpus",
                "Batch job submission failed: Invalid wckey specification | wckey",
                "Batch job submission failed: Invalid user id | does not know the user",
                "Batch job submission failed: Access/permission denied | may not do that",
                "Batch job submission failed: Unspecified error | A rule of the site",
                "cli_filter plugin terminated with error | A rule of the site"
            })
    void eachRefusalHasItsRemedy(String said, String remedy) {
        BackendException refusal = SlurmRefusal.ofSubmit("dgx", "sbatch: error: " + said + "\n");

        assertThat(refusal).isInstanceOf(Rejected.class);
        assertThat(refusal.remedy()).contains(remedy);
        assertThat(refusal).hasMessageContaining("dgx");
    }

    /** The code of a limit stands before the verdict, which names the number of jobs, too. */
    @ParameterizedTest
    @CsvSource({
        "QOSMaxGRESPerJob, 'lower gpus, nodes or time', false",
        "QOSMaxWallDurationPerJobLimit, 'lower gpus, nodes or time', false",
        "AssocGrpCPUMinutesLimit, 'lower gpus, nodes or time', false",
        "QOSMaxSubmitJobPerUserLimit, as many jobs, true",
        "AssocMaxSubmitJobLimit, as many jobs, true",
    })
    void aLimitIsSaidByItsCode(String code, String remedy, boolean passes) {
        BackendException refusal = SlurmRefusal.ofSubmit("dgx", "sbatch: error: " + code + "\n" + """
            sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)
            """);

        assertThat(refusal).isInstanceOf(Rejected.class).hasMessageContaining(code);
        assertThat(refusal.remedy()).contains(remedy);
        assertThat(((Rejected) refusal).isForLimit()).isEqualTo(passes);
    }

    @Test
    void allThatAPluginOfTheSiteSaysIsShown() {
        BackendException refusal = SlurmRefusal.ofSubmit("dgx", """
            Welcome to the cluster. Maintenance on Monday.
            sbatch: error: ------------------------------------
            sbatch: error: No project given.
            sbatch: error: Use --account=PROJECT; the queue standby is temporarily closed for others.
            sbatch: error: Batch job submission failed: Unspecified error
            """);

        assertThat(refusal)
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("refused the job: Batch job submission failed: Unspecified error (")
                .hasMessageContaining("No project given; Use --account=PROJECT; the queue standby is")
                .hasMessageNotContaining("Welcome");
    }

    @Test
    void aPartitionWithTheNameOfAStateOfSlurmIsNoOutage() {
        BackendException refusal = SlurmRefusal.ofSubmit("dgx", """
            sbatch: error: invalid partition specified: stanby
            sbatch: error: Batch job submission failed: Invalid partition name specified
            tao-partitions debug standby
            """);

        assertThat(refusal).isInstanceOf(Rejected.class);
        assertThat(refusal.remedy()).contains("Use one of: debug, standby.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)",
                "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation",
                "sbatch: error: Batch job submission failed: Zero Bytes were transmitted or received",
                "sbatch: error: Batch job submission failed: Slurm backup controller in standby mode",
                "sbatch: error: Munge encode failed: Failed to access \"/run/munge/munge.socket.2\": No such file or directory\n"
                        + "sbatch: error: Batch job submission failed: Protocol authentication error",
                "sbatch: error: Batch job submission failed: Invalid authentication credential",
                "sbatch: error: Batch job submission failed: Error generating job credential",
                "sbatch: error: Batch job submission failed: I/O error writing script/environment to file",
                "sbatch: error: fetch_config: DNS SRV lookup failed\nsbatch: fatal: Could not establish a configuration source"
            })
    void whatTheMachinesOfSlurmLackIsNoFaultOfTheJob(String said) {
        assertThat(SlurmRefusal.ofSubmit("dgx", said)).isInstanceOf(Unreachable.class);
    }

    @Test
    void aWrongPartitionIsAnsweredWithTheOnesThereAre() {
        BackendException refusal = SlurmRefusal.ofSubmit("dgx", """
            sbatch: error: invalid partition specified: nope
            sbatch: error: Batch job submission failed: Invalid partition name specified
            tao-partitions long polar polar3
            """);

        assertThat(refusal.remedy()).contains("Use one of: long, polar, polar3.");
    }
}
