package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.HeardLog;
import io.jenkins.plugins.tao.jenkins.config.MlflowConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.tracking.MlflowStandIn;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What MLflow hears of the jobs of builds. */
@Promise("NV-36")
class MlflowReportsTest {
    private static final JobHandle JOB = SimulatedCluster.handle(1, Instant.EPOCH);

    @TempDir
    private Path home;

    private final MlflowReports reports = new MlflowReports();
    private MlflowStandIn mlflow;
    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() throws IOException {
        mlflow = MlflowStandIn.start();
        jenkins = FakeJenkins.in(home, new LiveBuilds(), new CancelRequests(), new TaoRunActions(), reports);
        build = jenkins.build("train");
        TaoGlobalConfiguration.get().setMlflow(new MlflowConfiguration(mlflow.address()));
    }

    @AfterEach
    void stop() {
        jenkins.close();
        mlflow.close();
    }

    private TaoResult runs() {
        WatchTerms terms =
                new WatchTerms(ArtifactPlan.of(List.of()), WatchPlan.defaults().withoutRetries(), true);
        JobWatch watch = WatchRun.start(new BuildScope(build, build.listener()), terms, JOB);
        jenkins.cluster()
                .set(JOB, JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0));
        return watch.result().join();
    }

    @Test
    void aRunOfABuildIsTold() {
        runs();

        await().until(() -> mlflow.runs.size() == 1
                && mlflow.runs.get(0).at("/info/status").asText().equals("FINISHED"));
        assertThat(MlflowStandIn.tag(mlflow.runs.get(0), "tao_job"))
                .isEqualTo(JOB.key().value());
    }

    @Test
    void anOutageEndsTheBuildAsItsJobAndTheRunIsToldLater() {
        mlflow.answers("get-by-name", 503, "text/html", "<html/>");

        assertThat(runs().getStatus()).isEqualTo("SUCCESS");

        await().until(() -> home.resolve("tao/mlflow/trouble.txt").toFile().exists());
        reports.doRun();
        await().until(() -> mlflow.runs.size() == 1);
    }

    @Test
    void whateverGoesWrongWithTellingEndsNoBuildAndIsLogged() throws IOException {
        try (HeardLog log = HeardLog.of(RunJournal.class)) {
            jenkins.close();
            jenkins = FakeJenkins.in(home, new LiveBuilds(), new CancelRequests(), new TaoRunActions()); // no reports
            build = jenkins.build("train");
            TaoGlobalConfiguration.get().setMlflow(new MlflowConfiguration(mlflow.address()));

            assertThat(runs().getStatus()).isEqualTo("SUCCESS");
            assertThat(log.text()).contains("MLflow does not get");
        }
    }

    @Test
    void whoConfiguresNothingSendsAndKeepsNothing() {
        TaoGlobalConfiguration.get().setMlflow(null);

        runs();
        reports.doRun();

        assertThat(home.resolve("tao/mlflow")).doesNotExist();
        assertThat(mlflow.runs).isEmpty();
    }

    @Test
    void aMissingCredentialEndsNoBuild() {
        MlflowConfiguration configuration = new MlflowConfiguration(mlflow.address());
        configuration.setCredentialsId("gone");
        TaoGlobalConfiguration.get().setMlflow(configuration);

        assertThat(runs().getStatus()).isEqualTo("SUCCESS");

        assertThat(home.resolve("tao/mlflow")).isNotEmptyDirectory();
    }

    @Test
    void aWrongAddressOrPatternIsRefusedAndTheFormerOneStays() {
        TaoGlobalConfiguration configuration = TaoGlobalConfiguration.get();
        MlflowConfiguration wrong = new MlflowConfiguration(mlflow.address());
        wrong.setExperiment("{nite}");

        assertThatIllegalArgumentException().isThrownBy(() -> configuration.setMlflow(wrong));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> configuration.setMlflow(new MlflowConfiguration("mlflow.example")));

        assertThat(Objects.requireNonNull(configuration.getMlflow()).getAddress())
                .isEqualTo(mlflow.address());
    }
}
