package io.jenkins.plugins.tao.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.cli.Bench;
import io.jenkins.plugins.tao.tracking.MlflowStandIn;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What MLflow hears of jobs of the command line. */
@Promise("NV-36")
class TrackingTest {
    @TempDir
    Path directory;

    private MlflowStandIn mlflow;
    private Bench bench;

    @BeforeEach
    void start() throws IOException {
        mlflow = MlflowStandIn.start();
        mlflow.login = "Bearer key-987654";
        bench = new Bench(directory);
        bench.env.put("MLFLOW_KEY", "key-987654");
        targets("{address: '" + mlflow.address() + "', token: env:MLFLOW_KEY, experiment: 'nights of {target}'}");
        bench.write("job.yaml", "target: fake\ncommand: exit 0\n");
    }

    private void targets(String settings) {
        bench.write("tao-targets.yaml", "targets: {fake: {backend: fake}}\nmlflow: " + settings + "\n");
    }

    @AfterEach
    void stop() {
        mlflow.close();
    }

    @Test
    void aRunIsToldAndItsPageThereIsNamed() {
        assertThat(bench.tao("run", "job.yaml", "--id", "night-1")).isZero();

        assertThat(bench.out()).contains("in MLflow: " + mlflow.address() + "#/experiments/1/runs/run1");
        assertThat(mlflow.runs).hasSize(1);
        assertThat(MlflowStandIn.tag(mlflow.runs.get(0), "tao_job")).isEqualTo("night-1");
    }

    @Test
    void anOutageIsToldOnceChangesNoExitCodeAndIsMadeUpForByTheNextRun() {
        mlflow.answers("get-by-name", 502, "text/html", "<html/>");
        assertThat(bench.tao("run", "job.yaml", "--id", "night-1")).isZero();
        assertThat(bench.out()).contains("1 run waits to be logged to MLflow", "HTTP 502");
        mlflow.answers("get-by-name", 502, "text/html", "<html/>");
        assertThat(bench.tao("run", "job.yaml", "--id", "night-2")).isZero();
        assertThat(bench.out()).doesNotContain("MLflow");

        assertThat(bench.tao("run", "job.yaml", "--id", "night-3")).isZero();

        assertThat(mlflow.runs)
                .extracting(run -> MlflowStandIn.tag(run, "tao_job"))
                .containsExactlyInAnyOrder("night-1", "night-2", "night-3");
    }

    @Test
    void aMissingTokenIsSaidAndTheRunWaits() {
        bench.env.remove("MLFLOW_KEY");

        assertThat(bench.tao("run", "job.yaml", "--id", "night-1")).isZero();

        assertThat(bench.out()).contains("This run is not logged to MLflow", "MLFLOW_KEY");
        assertThat(directory.resolve("home/.local/state/tao-run/mlflow/night-1.json"))
                .exists();
    }

    @Test
    void aWrongSectionIsRefusedBeforeAnythingIsSent() {
        targets("{address: mlflow.example, tokens: x}");
        assertThat(bench.tao("run", "job.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("tao-targets.yaml:2", "tokens");
        targets("https://mlflow.example");
        assertThat(bench.tao("run", "job.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("'mlflow' must hold keys");
    }
}
