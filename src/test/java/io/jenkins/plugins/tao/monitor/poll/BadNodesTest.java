package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.FirstFailure;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BadNodesTest {
    private static final List<String> TWO = List.of("gpu01", "gpu02");

    private static Set<String> of(List<String> nodes, Cause cause, String... lines) {
        JobStatus status = JobStatus.ended(Ending.NODE_FAILURE, "NODE_FAIL").withNodes(nodes);
        return BadNodes.of(status, new Failed(cause, "A node failed (gpu01, gpu02)."), List.of(lines));
    }

    @Test
    @Promise("TR-25")
    void theOnlyNodeIsTheBadOne() {
        assertThat(of(List.of("gpu02"), Cause.NODE_FAILURE)).containsExactly("gpu02");
        assertThat(of(List.of("gpu02"), Cause.PREEMPTED)).isEmpty();
        assertThat(of(List.of("gpu02"), Cause.STALLED)).isEmpty();
    }

    @Test
    @Promise("TR-25")
    void ofSeveralOnlyTheOneThatIsAccusedIsAvoided() {
        assertThat(of(TWO, Cause.NODE_FAILURE, "srun: error: Node failure on gpu02"))
                .containsExactly("gpu02");
        assertThat(of(TWO, Cause.HARDWARE, "tao: node gpu01 shows 3 of 4 GPUs")).containsExactly("gpu01");
        assertThat(of(List.of("gpu1", "gpu12"), Cause.NODE_FAILURE, "srun: error: Node failure on gpu12"))
                .containsExactly("gpu12");
    }

    @Test
    @Promise("TR-25")
    void theNodeOnWhichTheScriptRanIsNotTheOneThatFailed() {
        String line =
                "slurmstepd-gpu01: error: *** JOB 3 ON gpu01 CANCELLED AT 2026-11-22T14:14:29 DUE TO NODE FAILURE,"
                        + " SEE SLURMCTLD LOG FOR DETAILS ***";

        assertThat(of(TWO, Cause.NODE_FAILURE, line)).isEmpty();
    }

    @Test
    @Promise("TR-25")
    void withoutEvidenceAgainstOneNoneIsAvoided() {
        assertThat(of(TWO, Cause.NODE_FAILURE)).isEmpty();
        assertThat(of(TWO, Cause.NODE_FAILURE, "srun: error: Node failure on gpu01,gpu02"))
                .isEmpty();
    }

    @Test
    @Promise("TR-25")
    void theNodeOfTheRankThatFailedFirstIsAvoided() {
        JobStatus status =
                JobStatus.ended(Ending.FAILED, "FAILED").withNodes(TWO).withFirstFailure(new FirstFailure(1, "gpu02"));

        assertThat(BadNodes.of(status, new Failed(Cause.HARDWARE, "x"), List.of()))
                .containsExactly("gpu02");
    }
}
