package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendContract;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The promises of the port, against a cluster whose pods are processes of this machine. */
class KubernetesBackendTest extends BackendContract {
    @TempDir
    Path temporary;

    private final KubernetesType type = new KubernetesType();
    private SimulatedCluster cluster;
    private KubernetesTarget target;
    private Backend backend;

    /** The minor version whose ways the server has. */
    String minor() {
        return "36";
    }

    @BeforeEach
    void open() throws IOException {
        cluster = new SimulatedCluster(minor(), temporary.resolve("bin"))
                .node("gpu-1", 8, Map.of())
                .claim("tao-jobs", "data", "ReadWriteMany");
        target = Sample.target(cluster)
                .with("volumes", List.of("data:" + temporary + "/pvc"))
                .build();
        backend = type.open(target);
    }

    @AfterEach
    void close() {
        backend.close();
        cluster.close();
    }

    @Override
    protected BackendType type() {
        return type;
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
        return Sample.job(command);
    }

    @Override
    protected String unknownNativeId() {
        return "tao-jobs/tao-none";
    }

    @Override
    protected String shell(String script) throws Exception {
        return new LocalHost().run(script, Duration.ofMinutes(5)).text();
    }

    @Override
    protected String everything() {
        return temporary.toString();
    }

    @Override
    protected Optional<String> outFile(JobHandle job) {
        return Optional.empty();
    }

    /** A claim's files cannot be read by the API; log and status come out of the pods, the rest is told. */
    @Override
    @Test
    protected void logsStatusAndNamedFilesAreFetched() throws Exception {
        JobHandle job = submit(job("echo out; echo err >&2; mkdir -p {results_dir}/train;"
                        + " echo s >{results_dir}/train/status.json; echo m >{results_dir}/train/m.pth")
                .build());
        end(job);
        Fetched sink = new Fetched();

        backend().fetch(job, ArtifactPlan.of(List.of("train/*.pth")), sink);

        assertThat(sink.text("logs/main.out")).isEqualTo("out\nerr\n");
        assertThat(sink.text("results/status.json")).isEqualTo("s\n");
        assertThat(sink.skipped().get("results/train/*.pth"))
                .contains("it stays on the volume, below " + job.resultsDirectory());
    }

    @Test
    @Promise("KU-40")
    void aLogThatGotNoAnswerIsFetchedAgainAndNotTakenForFetched() throws Exception {
        JobHandle job = submit(job("echo out").build());
        end(job);
        Fetched sink = new Fetched();
        cluster.server().faultOnce("GET", "/log?", 503);

        assertThatThrownBy(() -> backend().fetch(job, ArtifactPlan.of(List.of()), sink))
                .isInstanceOf(BackendException.Unreachable.class)
                .hasMessageContaining("could not be fetched");
        assertThat(sink.skipped().values()).anyMatch(why -> why.startsWith("no answer"));

        Fetched again = new Fetched();
        backend().fetch(job, ArtifactPlan.of(List.of()), again);
        assertThat(again.text("logs/main.out")).isEqualTo("out\n");
    }
}
