package io.jenkins.plugins.tao.backend.slurm.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Nightly;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills before every line of a submission; {@link SlurmSubmissionLossTest} kills before some. */
@Nightly
class KilledSubmissionsIT {
    @Test
    void aScriptKilledBeforeAnyOfItsLinesAndSentAgainHasStartedOneJob(@TempDir Path directory) throws Exception {
        assertThat(KilledSubmissions.killAtEach(1, directory)).isGreaterThan(40);
    }
}
