package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.kubernetes.PlayedCluster;
import io.jenkins.plugins.tao.backend.slurm.SlurmType;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SlurmOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.sweep.Cell;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps of a Pipeline that one Indexed Job of a played cluster carries. */
class CarriedSweepTest {
    private static final String TRAIN = """
            echo begun; while [ -e "$HOLD" ]; do sleep 0.1; done
            seed=$(sed -n 's/.*seed: //p' "$1")
            echo "{\\"date\\":\\"1/1/2026\\",\\"time\\":\\"10:00:00\\",\\"status\\":\\"SUCCESS\\",\\"kpi\\":{\\"acc\\":0.$seed}}" \
                > "$TAO_RESULTS_DIR/status.json"
            sleep 1; [ "$seed" != "${BAD:-none}" ]
            """;

    @TempDir
    private Path directory;

    private FakeJenkins jenkins;
    private FakeBuild build;
    private PlayedCluster cluster;

    /** A target whose settings are there already. */
    private static final class Ready extends TargetConfiguration {
        private final transient Target target;

        Ready(Target target) {
            super(target.name());
            this.target = target;
        }

        @Override
        public Target toTarget(CredentialStore credentials) {
            return target;
        }

        @Override
        protected Class<? extends Target> type() {
            return target.getClass();
        }
    }

    @BeforeEach
    void start() throws IOException {
        Files.writeString(directory.resolve("train.sh"), TRAIN);
        cluster = new PlayedCluster(directory);
        jenkins = FakeJenkins.in(
                directory.resolve("home"),
                new LiveBuilds(),
                new OpenBuilds(),
                new StateSaves(),
                new CancelRequests(),
                new TaoRunActions());
        TaoGlobalConfiguration.get()
                .setTargets(List.of(
                        new Ready(cluster.target()),
                        new LocalTargetConfiguration(
                                "here", directory.resolve("base").toString())));
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
        cluster.close();
    }

    private SweepStep step(String target, Map<String, Object> matrix) {
        SweepStep step = new SweepStep(target, "bash " + directory.resolve("train.sh") + " {config_path}");
        Map<String, Object> flat = new SweepStep.DescriptorImpl()
                .customInstantiate(Map.of(
                        "matrix", matrix,
                        "spec", Map.of("train", Map.of("seed", 0)),
                        "env", Map.of("HOLD", directory.resolve("hold").toString())));
        step.setMatrix(String.valueOf(flat.get("matrix")));
        step.setSpec(String.valueOf(flat.get("spec")));
        step.setEnv(String.valueOf(flat.get("env")));
        step.setImage("nvcr.io/nvidia/tao/tao-toolkit:6.26.3-pyt");
        step.setName("night");
        step.setInterval("1s");
        step.setCarry("array");
        return step;
    }

    @Test
    @Promise("NS-08")
    @SuppressWarnings("unchecked") // as a Pipeline sees it
    void oneIndexedJobCarriesTheCellsAndTheStepReturnsTheirTable() throws Exception {
        SweepStep step = step("k8s", Map.of("train.seed", "3..5"));
        step.setMaxParallel("2");
        step.setBest("max acc");
        step.setFailOnError(false);
        step.setEnv(step.getEnv() + "\nBAD: '4'");
        StepProbe probe = new StepProbe(build);
        probe.start(step);

        Map<String, Object> answer = (Map<String, Object>) probe.answer();

        assertThat(cluster.jobs()).isEqualTo(1);
        assertThat(answer).containsEntry("success", false);
        assertThat((List<Map<String, Object>>) answer.get("cells"))
                .extracting(cell -> cell.get("values") + " " + cell.get("kpis") + " " + cell.get("message"))
                .containsExactly(
                        "{train.seed=3} {acc=0.3} ",
                        "{train.seed=4} {acc=0.4} exit code 1",
                        "{train.seed=5} {acc=0.5} ");
        assertThat((List<String>) answer.get("failed")).containsExactly(new Cell(Map.of("train.seed", "4")).id());
        assertThat(build.log())
                .contains("sweep night: 3 cells in one job, at most 2 at a time")
                .contains("1 of 3 members failed: 1 (exit code 1)");
    }

    @Test
    @Promise("NS-08")
    void aSweepThatWasSavedFindsItsJobAgainAfterARestart() throws Exception {
        Files.createFile(directory.resolve("hold"));
        StepProbe probe = new StepProbe(build);
        CarriedExecution execution = (CarriedExecution) probe.start(step("k8s", Map.of("train.seed", "3..4")));
        Awaitility.await().until(() -> build.log().contains("==== member 0 ===="));
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(saved)) {
            out.writeObject(execution);
        }
        jenkins.restart();
        Files.delete(directory.resolve("hold"));

        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(saved.toByteArray()))) {
            ((CarriedExecution) in.readObject()).onResume();
        }

        assertThat(String.valueOf(((Map<?, ?>) probe.answer()).get("cells"))).contains("acc=0.3", "acc=0.4");
        assertThat(cluster.jobs()).isEqualTo(1);
    }

    @Test
    @Promise("NS-08")
    void anArrayOfSlurmIsAskedForBesideTheOwnOptions() {
        SweepStep step = step("dgx", Map.of("train.seed", "0..3"));
        step.setMaxParallel("2");
        SlurmOptionsConfiguration own = new SlurmOptionsConfiguration();
        own.setPartition("polar");
        step.setOptions(own);

        RunStep job = CarriedSweep.job(step, step.chosen(), "night", new SlurmType());

        SlurmOptionsConfiguration asked =
                (SlurmOptionsConfiguration) Objects.requireNonNull(job.getOptions(), "options");
        assertThat(asked.getArray()).isEqualTo("0-3%2");
        assertThat(asked.getPartition()).isEqualTo("polar");
        assertThat(own.getArray()).isEmpty();
        assertThat(job.getCommand()).contains("case \"$SLURM_ARRAY_TASK_ID\" in", "train.sh {config_path}");
        assertThat(job.getSet()).contains("tao-axis-0-");
    }

    @Test
    @Promise("NS-08")
    void whatDoesNotFitIsToldBeforeAnythingIsSent() throws Exception {
        SweepStep early = step("k8s", Map.of("train.seed", "3..4"));
        early.setEndEarly("NaN of loss");
        assertThatThrownBy(() -> new StepProbe(build).start(early))
                .hasMessageContaining(
                        "'endEarly' and 'groupGates' need cells that are jobs of their own; leave out carry");
        SweepStep wrong = step("k8s", Map.of("train.seed", "3..4"));
        wrong.setCarry("pods");
        assertThatThrownBy(() -> new StepProbe(build).start(wrong))
                .hasMessageContaining("carry must be 'jobs' or 'array'");

        StepProbe probe = new StepProbe(build);
        probe.start(step("here", Map.of("train.seed", "3..4")));

        assertThat(probe.failure()).hasMessageContaining("backend 'local' has no jobs with members");
        assertThat(cluster.jobs()).isZero();
    }
}
