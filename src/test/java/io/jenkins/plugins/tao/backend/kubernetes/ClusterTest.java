package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Deadlines;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test on a cluster of two nodes. */
public abstract class ClusterTest {
    @TempDir
    public Path temporary;

    public SimulatedCluster cluster;
    public Backend backend;

    @BeforeEach
    void open() throws IOException {
        start("36");
    }

    /** Starts again with the ways of another server version. */
    public final void reopen(String minor) throws IOException {
        close();
        start(minor);
    }

    private void start(String minor) throws IOException {
        cluster = new SimulatedCluster(minor, temporary.resolve("bin"))
                .node("gpu-1", 8, Map.of())
                .node("gpu-2", 8, Map.of());
        backend = new KubernetesType()
                .open(Sample.target(cluster)
                        .with("volumes", List.of("data:" + temporary + "/pvc"))
                        .build());
    }

    @AfterEach
    void close() {
        backend.close();
        cluster.close();
    }

    public static ConditionFactory await() {
        return Awaitility.await().pollInterval(Duration.ofMillis(50));
    }

    public static JobSpec gang(String command) {
        return Sample.job(command).resources(Sample.resources(2, 8)).build();
    }

    public JobStatus look(JobHandle job) throws BackendException {
        return backend.poll(Set.of(job)).getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "ABSENT"));
    }

    /** A look as whoever watches makes it: deadlines are kept. */
    public JobStatus watched(JobHandle job) throws BackendException {
        ((Deadlines) backend).willKeep(Set.of(job));
        JobStatus status = look(job);
        ((Deadlines) backend).endOverdue(Set.of(job));
        return status;
    }

    public JobStatus until(JobHandle job, JobState state) {
        return await().until(() -> watched(job), status -> status.state() == state);
    }

    public String out(JobHandle job) throws BackendException {
        StreamRef ref = new StreamRef(job, Stream.OUT);
        Tail tail = backend.read(Map.of(ref, Position.START)).get(ref);
        return tail == null ? "" : new String(tail.bytes(), UTF_8);
    }

    public JobHandle submit(JobSpec spec, String key) throws BackendException {
        return backend.submit(spec, new JobKey(key));
    }
}
