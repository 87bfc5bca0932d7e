package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.JobSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps from the command line. */
class SweepTest {
    private static final String JOB =
            "target: fake\ncommand: train {config_path}\nspec: {train: {epochs: 3, seed: 7}}\n";

    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void aBench() {
        bench = new Bench(directory);
    }

    @Test
    @Promise("NS-07")
    void eachCellIsAJobWithItsValuesInSpecAndEnvironment() {
        bench.write("sweep.yaml", JOB + "matrix: {train.seed: 0..1, train.optim.lr: [1e-3], env.MODEL: [segment]}\n");

        assertThat(bench.tao("submit", "sweep.yaml", "--id", "night-7")).isEqualTo(0);

        assertThat(bench.backend().submitted())
                .extracting(JobSpec::spec)
                .containsExactlyInAnyOrder(
                        Map.of("train", Map.of("epochs", 3, "seed", 0, "optim", Map.of("lr", 0.001))),
                        Map.of("train", Map.of("epochs", 3, "seed", 1, "optim", Map.of("lr", 0.001))));
        assertThat(bench.backend().submitted()).extracting(JobSpec::env).containsOnly(Map.of("MODEL", "segment"));
        assertThat(bench.err()).contains("is the cell train.seed=0, train.optim.lr=1e-3, env.MODEL=segment");
        assertThat(bench.out().lines()).hasSize(2).allMatch(token -> token.contains("night-7-"));
    }

    @Test
    @Promise("NS-07")
    void aMatrixThatIsTooLargeIsRefusedBeforeAnythingIsSent() {
        bench.write("sweep.yaml", JOB + "matrix: {train.seed: 0..999999}\n");

        assertThat(bench.tao("submit", "sweep.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("has 1000000 values, and a sweep has at most 1000 cells");
        assertThat(bench.backend().submitted()).isEmpty();
    }

    @Test
    void cellsDoNotShareAResultsDirectory() {
        bench.write("sweep.yaml", JOB + "resultsDir: /results/one\nmatrix: {train.seed: 0..1}\n");

        assertThat(bench.tao("submit", "sweep.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("the cells of a sweep cannot share one results directory");
        assertThat(bench.backend().submitted()).isEmpty();
    }

    @Test
    void aSweepIsNotTakenForASingleJob() {
        bench.write("sweep.yaml", JOB + "matrix: {train.seed: 0..1}\n");

        assertThat(bench.tao("preview", "sweep.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("describes a sweep of several jobs. Use 'tao run' or 'tao submit'");
        assertThat(bench.backend().submitted()).isEqualTo(List.of());
    }
}
