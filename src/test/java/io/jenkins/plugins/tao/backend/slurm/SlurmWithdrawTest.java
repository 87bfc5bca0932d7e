package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmCancel;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmRefusal;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that are withdrawn, and refusals that pass. */
class SlurmWithdrawTest {
    private static final JobHandle JOB =
            new JobHandle("dgx", "slurm", new JobKey("dino-1"), 1, "4711", "/base", "/base/results", Instant.EPOCH);

    @Test
    @Promise("NS-13")
    void aWithdrawalIsOfAPendingJobAloneAndTakesNothingFromOneThatRuns() {
        String script = SlurmCancel.renderWaiting(JOB);

        assertThat(script)
                .contains("scancel --state=PENDING --name=tao-job-dino-1 4711")
                .doesNotContain("rm -f");
        assertThat(script).doesNotContain(SlurmLayout.of(JOB).cancelMark(JOB.key()));
    }

    @ParameterizedTest
    @Promise("NS-14")
    @CsvSource({
        "sbatch: error: QOSMaxSubmitJobPerUserLimit, true",
        "sbatch: error: AssocMaxSubmitJobLimit, true",
        "sbatch: error: QOSMaxCpuPerUserLimit, false",
        "sbatch: error: AssocMaxWallDurationPerJobLimit, false"
    })
    void onlyALimitOnTheNumberOfJobsPassesWhenOthersEnd(String said, boolean passes) {
        BackendException refusal = SlurmRefusal.ofSubmit(
                "dgx",
                said
                        + "\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit,"
                        + " user's size and/or time limits)");

        assertThat(refusal)
                .isInstanceOfSatisfying(
                        BackendException.Rejected.class,
                        rejected -> assertThat(rejected.isForLimit()).isEqualTo(passes));
    }
}
