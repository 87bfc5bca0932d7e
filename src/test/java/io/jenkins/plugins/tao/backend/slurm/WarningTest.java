package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.JobSpec;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WarningTest {
    private static String script(SlurmOptions.Builder options) throws Exception {
        return Sample.script(JobSpec.of("dino train").options(options.build()).build());
    }

    @Test
    @Promise("SG-12")
    void aWarningLeavesAMinuteMoreThanACheckpointTakes() throws Exception {
        SlurmOptions.Builder tenMinutes = SlurmOptions.builder().checkpointTime(Duration.ofMinutes(10));

        assertThat(script(tenMinutes)).contains("#SBATCH --signal=B:TERM@720\n", "tao_forward=TERM\n");
        assertThat(script(tenMinutes.signal("B:USR1@900"))).contains("#SBATCH --signal=B:USR1@900\n");
        assertThatThrownBy(() -> script(tenMinutes.signal("B:USR1@600")))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("less than a minute more than the 600 s of a checkpoint")
                .hasMessageContaining("B:USR1@690");
    }

    @Test
    @Promise("SG-12")
    void theCommandIsNotEndedBeforeItsWarning() throws Exception {
        assertThat(script(SlurmOptions.builder().signal("B:TERM@360"))).contains("tao_timeout=14370\n");
        assertThatThrownBy(
                        () -> script(SlurmOptions.builder().signal("B:TERM@360").timeout(Duration.ofMinutes(228))))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("or a later timeout");
    }

    @Test
    void withoutSecondsAWarningComesSixMinutesAhead() throws Exception {
        assertThat(script(SlurmOptions.builder().signal("SIGUSR1")))
                .contains("#SBATCH --signal=SIGUSR1@360\n", "tao_forward=USR1\n");
        assertThat(script(SlurmOptions.builder())).doesNotContain("#SBATCH --signal");
    }
}
