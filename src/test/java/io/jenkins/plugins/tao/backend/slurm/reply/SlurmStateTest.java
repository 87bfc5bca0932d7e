package io.jenkins.plugins.tao.backend.slurm.reply;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SlurmStateTest {
    @ParameterizedTest
    @Promise("SL-63")
    @CsvSource({
        "PENDING, PENDING", "CONFIGURING, PENDING", "REQUEUED, PENDING", "REQUEUE_HOLD, PENDING", "RUNNING, RUNNING",
        "COMPLETING, RUNNING", "STAGE_OUT, RUNNING", "SIGNALING, RUNNING", "SUSPENDED, PAUSED", "STOPPED, PAUSED",
        "COMPLETED, ENDED", "FAILED, ENDED", "CANCELLED by 1000, ENDED", "CANCELLED+, ENDED", "TIMEOUT, ENDED",
        "OUT_OF_MEMORY, ENDED", "NODE_FAIL, ENDED", "BOOT_FAIL, ENDED", "DEADLINE, ENDED", "PREEMPTED, ENDED",
        "REVOKED, ENDED", "LAUNCH_FAILED, ENDED", "RECONFIG_FAIL, ENDED", "'', UNCLEAR", "DREAMING, UNCLEAR"
    })
    void everyWordHasItsPlace(String word, JobState state) {
        assertThat(SlurmState.of(word)).isEqualTo(state);
    }

    @ParameterizedTest
    @Promise("SL-63")
    @CsvSource({
        "COMPLETED, COMPLETED", "FAILED, FAILED", "CANCELLED by 1000, CANCELLED", "CANCELLED+, CANCELLED",
        "REVOKED, CANCELLED", "TIMEOUT, TIME_LIMIT", "DEADLINE, DEADLINE", "OUT_OF_MEMORY, OUT_OF_MEMORY",
        "PREEMPTED, PREEMPTED", "NODE_FAIL, NODE_FAILURE", "BOOT_FAIL, BOOT_FAILURE"
    })
    void everyEndHasItsMeaning(String word, Ending ending) {
        assertThat(SlurmState.ending(word, true)).isEqualTo(ending);
    }

    @Test
    void aCancelledJobThatIsStillCompletingHasNotEnded() {
        assertThat(SlurmState.of("CANCELLED,COMPLETING")).isEqualTo(JobState.RUNNING);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpu01 | gpu01",
                "gpu[01-03,07] | gpu01 gpu02 gpu03 gpu07",
                "a1,b[2-3]x,c | a1 b2x b3x c",
                "(null) | ''",
                "None assigned | ''",
                "'' | ''",
                "n[098-101] | n098 n099 n100 n101"
            })
    void nodeListsAreSpelledOut(String text, String names) {
        assertThat(String.join(" ", NodeList.parse(text))).isEqualTo(names);
    }
}
