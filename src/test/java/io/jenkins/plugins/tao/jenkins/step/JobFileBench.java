package io.jenkins.plugins.tao.jenkins.step;

import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import io.jenkins.plugins.tao.jenkins.run.JobRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A build whose workspace has a job file; its jobs run on this machine. */
abstract class JobFileBench {
    /** Reports its seed as a metric, once it is let go. */
    static final String TRAIN = """
            echo run >> "$RUNS"; cp "$1" "$TAO_RESULTS_DIR/spec.yaml"; env | grep '^OWN' | sort > "$TAO_RESULTS_DIR/own"
            [ -z "$HELD" ] || until [ -e "$RUNS.released" ]; do sleep 0.05; done
            seed=$(sed -n 's/.*seed: //p' "$1")
            echo "{\\"date\\":\\"1/1/2026\\",\\"time\\":\\"10:00:00\\",\\"status\\":\\"SUCCESS\\",\\"kpi\\":{\\"acc\\":0.$seed}}" \
                > "$TAO_RESULTS_DIR/status.json"
            """;

    static final Duration SOON = Duration.ofSeconds(30);
    static final JobStatus DONE = JobStatus.ended(Ending.COMPLETED, "COMPLETED").withExitCode(0);

    @TempDir
    Path directory;

    Path workspace;
    FakeJenkins jenkins;
    FakeBuild build;

    @BeforeEach
    void start() throws IOException {
        workspace = Files.createDirectories(directory.resolve("workspace"));
        Files.writeString(workspace.resolve("train.sh"), TRAIN);
        jenkins = FakeJenkins.in(
                directory.resolve("home"),
                new LiveBuilds(),
                new OpenBuilds(),
                new StateSaves(),
                new CancelRequests(),
                new TaoRunActions());
        TaoGlobalConfiguration.get()
                .setTargets(List.of(new LocalTargetConfiguration(
                        "here", directory.resolve("base").toString())));
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    void file(String more) throws IOException {
        Files.writeString(
                workspace.resolve("nightly.yaml"),
                """
                target: here
                name: nightly
                command: bash %s {config_path}
                time: 1h30m
                env: {RUNS: "%s", OWN: 1.10}
                spec: {train: {seed: 5, lr: 1e-4, name: "12"}}
                """.formatted(workspace.resolve("train.sh"), directory.resolve("runs")) + more);
    }

    static RunStep step() {
        RunStep step = new RunStep(null, null);
        step.setFile("nightly.yaml");
        step.setInterval("1s");
        return step;
    }

    StepProbe run(RunStep step) throws Exception {
        StepProbe probe = new StepProbe(build, workspace);
        probe.start(step);
        return probe;
    }

    long runs() throws IOException {
        Path file = directory.resolve("runs");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    static List<String> left(TaoResult result, String file) throws IOException {
        return Files.readAllLines(Path.of(result.getResultsDir()).resolve(file));
    }

    JobRequest asked(TaoResult result) throws IOException {
        return JobRequests.of(build, JobHandle.parse(result.getToken()).key());
    }
}
