package io.jenkins.plugins.tao.backend.slurm.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.job.JobSpec;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WarningTest {
    private static String script(Records.Draft<SlurmOptions> options) throws Exception {
        return Sample.script(JobSpec.of("dino train").options(options.build()).build());
    }

    @Test
    @Promise("SG-12")
    void aWarningLeavesAMinuteMoreThanACheckpointTakes() throws Exception {
        Records.Draft<SlurmOptions> tenMinutes =
                Records.draft(SlurmOptions.class).with("checkpointTime", Duration.ofMinutes(10));

        assertThat(script(tenMinutes)).contains("#SBATCH --signal=B:TERM@720\n", "tao_forward=TERM\n");
        assertThat(script(tenMinutes.with("signal", "B:USR1@900"))).contains("#SBATCH --signal=B:USR1@900\n");
        assertThatThrownBy(() -> script(tenMinutes.with("signal", "B:USR1@600")))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("less than a minute more than the 600 s of a checkpoint")
                .hasMessageContaining("B:USR1@660");
    }

    @Test
    @Promise("SG-12")
    void theCommandIsNotEndedBeforeItsWarning() throws Exception {
        assertThat(script(Records.draft(SlurmOptions.class).with("signal", "B:TERM@360")))
                .contains("tao_timeout=0\n");
        assertThat(script(Records.draft(SlurmOptions.class)
                        .with("signal", "B:TERM@360")
                        .with("requeueOnTimeout", true)))
                .contains("tao_timeout=14370\n");
        assertThatThrownBy(() -> script(Records.draft(SlurmOptions.class)
                        .with("signal", "B:TERM@360")
                        .with("timeout", Duration.ofMinutes(228))))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("or a later timeout");
    }

    @Test
    void withoutSecondsAWarningComesSixMinutesAhead() throws Exception {
        assertThat(script(Records.draft(SlurmOptions.class).with("signal", "SIGUSR1")))
                .contains("#SBATCH --signal=SIGUSR1@360\n", "tao_forward=USR1\n");
        assertThat(script(Records.draft(SlurmOptions.class))).doesNotContain("#SBATCH --signal");
    }
}
