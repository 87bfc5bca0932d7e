package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmCancel;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** One member of an array as a job of its own. */
class ArrayMemberHandleTest {
    private static JobHandle job(String nativeId) {
        return new JobHandle(
                "dgx",
                "slurm",
                new JobKey("sweep-1"),
                1,
                nativeId,
                "/lustre/tao",
                "/lustre/tao/results/sweep-1",
                Instant.parse("2026-11-22T08:00:00Z"));
    }

    @Test
    @Promise("TR-70")
    void aMemberHasSlurmsIdForItAndItsOwnResults() throws Rejected {
        JobHandle member = ArrayId.memberOf(job("4711_[0-15]"), 3);

        assertThat(member.nativeId()).isEqualTo("4711_3");
        assertThat(member.resultsDirectory()).isEqualTo("/lustre/tao/results/sweep-1/3");
    }

    @Test
    @Promise("TR-70")
    void aMemberThatIsNotThereIsRefusedWithThoseThatAre() {
        assertThatThrownBy(() -> ArrayId.memberOf(job("4711_[0-3,7]"), 5))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("dgx/4711_[0-3,7] has no member 5.")
                .satisfies(e -> assertThat(((Rejected) e).remedy()).isEqualTo("Its members are 0-3,7."));
        assertThatThrownBy(() -> ArrayId.memberOf(job("4711"), 0)).hasMessageContaining("is no array");
    }

    @Test
    @Promise("TR-70")
    void theCancelOfAMemberNamesItAloneAndLeavesTheMarkAndSecretsOfTheOthers() throws Rejected {
        String member = SlurmCancel.render(ArrayId.memberOf(job("4711_[0-15]"), 3));
        String whole = SlurmCancel.render(job("4711_[0-15]"));

        assertThat(member).contains("scancel --name=tao-job-sweep-1 4711_3").doesNotContain("rm -f", "cancelled");
        assertThat(whole).contains("scancel --name=tao-job-sweep-1 4711 ").contains("rm -f");
    }
}
