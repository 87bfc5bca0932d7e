package io.jenkins.plugins.tao.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.simulated.SimulatedType;
import io.jenkins.plugins.tao.cli.Bench;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sweep leaves behind. */
class SweepRecordsTest {
    @TempDir
    private Path directory;

    @Test
    @Promise("NV-04")
    void eachCellHasARecordWithItsValuesItsKpisAndItsSeriesAndTheHistoryKeepsAll() throws Exception {
        Bench bench = new Bench(directory, BackendTypes.of(new SimulatedType()));
        bench.write(
                "tao-targets.yaml",
                "targets: {sim: {backend: simulated, baseDirectory: " + directory + "/sim, speed: 100000}}");
        bench.write("sweep.yaml", """
                target: sim
                command: dino train
                spec: {train: {num_epochs: 2}}
                options: {kpis: {val_mAP: 0.4}}
                matrix: {train.seed: 0..1, train.optim.lr: [1e-3]}
                """);

        assertThat(bench.tao("submit", "sweep.yaml", "--id", "study"))
                .as(bench.err())
                .isZero();
        for (String token : bench.out().lines().toList()) {
            assertThat(bench.tao("wait", token, "--interval", "1s")).isZero();
        }

        List<RunRecord> cells =
                new RunHistory(directory.resolve("tao-artifacts")).read().records();
        assertThat(cells)
                .extracting(run -> run.origin().fact(RunOrigin.CELL).orElse(""))
                .containsExactlyInAnyOrder("train.seed=0, train.optim.lr=1e-3", "train.seed=1, train.optim.lr=1e-3");
        for (RunRecord cell : cells) {
            assertThat(cell.metric("val_mAP").orElseThrow().last()).isBetween(0.3, 0.5);
            assertThat(Files.readString(directory.resolve("tao-artifacts/" + cell.id() + "/series.csv")))
                    .contains("val_mAP,1,");
        }
    }
}
