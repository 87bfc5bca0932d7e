package io.jenkins.plugins.tao.backend.lepton;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendContract;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.MemorySink;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The promises of the port, against a simulated workspace that really runs the containers' commands. */
@Timeout(120)
class LeptonBackendTest extends BackendContract {
    private Path directory;
    private LeptonSimulator simulator;
    private LeptonTarget target;
    private Backend backend;

    @BeforeEach
    void start(@TempDir Path temporary) throws Exception {
        directory = LeptonSimulator.prepare(temporary);
        simulator = new LeptonSimulator(directory);
        target = simulator.target().with("nodeGroup", "my-h100-pool").build();
        backend = type().open(target);
    }

    @AfterEach
    void stop() {
        backend.close();
        simulator.close();
    }

    @Override
    protected BackendType type() {
        return new LeptonType();
    }

    @Override
    protected Target target() {
        return target;
    }

    @Override
    protected Backend backend() {
        return backend;
    }

    @Override
    protected JobSpec.Builder job(String command) {
        return JobSpec.of(command).image("nvcr.io/nvidia/tao/tao-toolkit:6.26.3-pyt");
    }

    @Override
    protected String shell(String script) throws Exception {
        Process process = new ProcessBuilder("/bin/sh", "-c", script)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return out;
    }

    @Override
    protected String everything() {
        return directory.toString();
    }

    @Override
    protected Optional<String> outFile(JobHandle job) {
        return Optional.empty();
    }

    /** Files on a volume come home by S3 alone; here what comes without it. */
    @Test
    @Override
    protected void logsStatusAndNamedFilesAreFetched() throws Exception {
        JobHandle job = submit(job("echo out; echo err >&2; mkdir -p {results_dir}/train;"
                        + " echo '{\"status\": \"SUCCESS\"}' >{results_dir}/train/status.json")
                .build());
        end(job);
        MemorySink sink = new MemorySink();

        backend().fetch(job, ArtifactPlan.of(List.of("train/*.pth")), sink);

        assertThat(sink.text("results/status.json")).isEqualTo("{\"status\": \"SUCCESS\"}\n");
        assertThat(sink.text("logs/main.out")).contains("out\n", "err\n");
        assertThat(sink.skipped()).containsKey("results/train/*.pth");
    }

    @Test
    void resultsLieOnTheSharedVolume() throws Exception {
        JobHandle job = submit(job("echo x >{results_dir}/x").build());
        end(job);

        assertThat(job.resultsDirectory()).isEqualTo(simulator.mount() + "/results/" + job.key());
        assertThat(Files.readString(Path.of(job.resultsDirectory(), "x"))).isEqualTo("x\n");
    }

    @Test
    void aTimeLimitThatIsNotReachedEndsWithItsJob() throws Exception {
        Resources halfAnHour =
                new Resources(1, OptionalInt.empty(), OptionalInt.empty(), Optional.of(Duration.ofMinutes(30)));

        JobStatus status = end(submit(job("echo short").resources(halfAnHour).build()));

        assertThat(status.exitCode()).hasValue(0);
    }
}
