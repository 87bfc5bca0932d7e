package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Nightly;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The larger models of the nightly example: trainings of some seconds each. */
@Nightly
class NightlyModelsIT {
    @TempDir
    Path directory;

    private double trained(String name, String model, String kpi, int seed, double wrongLabels) throws Exception {
        return NightlyExampleTest.trained(directory, name, model, kpi, seed, wrongLabels);
    }

    @Test
    void oneSeedIsOneResultAndAnotherSeedIsNear() throws Exception {
        double first = trained("a", "segment", "val_miou", 1, 0);

        assertThat(trained("b", "segment", "val_miou", 1, 0)).isEqualTo(first);
        assertThat(trained("c", "segment", "val_miou", 2, 0))
                .isNotEqualTo(first)
                .isBetween(first - 0.02, first + 0.02);
    }

    /** Measured over twelve seeds, the standard deviations are 0.0034 and 0.0023. */
    @ParameterizedTest
    @CsvSource({"classify, val_acc_1, -0.02", "segment, val_miou, -0.03"})
    void aPlantedRegressionIsFarOutsideOfTheNoise(String model, String kpi, double least) throws Exception {
        double good = trained("good", model, kpi, 1, 0);

        double bad = trained("bad", model, kpi, 1, 0.6);

        assertThat((bad - good) / least).isGreaterThan(1);
    }
}
