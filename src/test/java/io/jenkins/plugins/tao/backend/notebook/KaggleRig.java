package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.awaitility.Awaitility;

/** A Kaggle of our own with a backend for it. */
final class KaggleRig implements AutoCloseable {
    static final JobKey KEY = new JobKey("hello-0123456789ab");

    final KaggleSimulator kaggle;
    final KaggleBackend backend;

    KaggleRig(Path directory) throws IOException {
        kaggle = new KaggleSimulator(directory);
        backend = backend(kaggle.target());
    }

    static KaggleBackend backend(KaggleTarget target) {
        return backend(target, Duration.ofMinutes(5));
    }

    /** One that takes a log for read after a silence of this length. */
    static KaggleBackend backend(KaggleTarget target, Duration quiet) {
        return new KaggleBackend(target, new KaggleApi(target, quiet));
    }

    JobHandle submit(JobSpec spec) throws BackendException {
        return backend.submit(spec, KEY);
    }

    JobStatus run(JobSpec spec) throws BackendException {
        return end(submit(spec));
    }

    JobStatus look(JobHandle job) throws BackendException {
        return backend.poll(Set.of(job)).getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "ABSENT"));
    }

    JobStatus end(JobHandle job) {
        return Awaitility.await()
                .pollInterval(Duration.ofMillis(100))
                .until(() -> look(job), status -> status.state() == JobState.ENDED);
    }

    String read(JobHandle job, Stream stream) throws BackendException {
        StreamRef ref = new StreamRef(job, stream);
        Tail tail = backend.read(Map.of(ref, Position.START)).get(ref);
        return tail == null ? "" : new String(tail.bytes(), StandardCharsets.UTF_8);
    }

    Sink fetch(JobHandle job, String... globs) throws BackendException {
        Sink sink = new Sink();
        backend.fetch(job, ArtifactPlan.of(List.of(globs)), sink);
        return sink;
    }

    /** Lets the time of a session be over once its command has made the file {@code name} in its directory. */
    void sessionsEndWithFile(String name) {
        kaggle.sessionLimit = OptionalLong.of(6000);
        kaggle.edit = text -> text.replace("\\\"sessionSeconds\\\" : 60", "\\\"sessionSeconds\\\" : 6000")
                .replace("\\\"marginSeconds\\\" : 6", "\\\"marginSeconds\\\" : 900")
                .replace("\\\"lookSeconds\\\" : 2", "\\\"lookSeconds\\\" : 0.1")
                .replace(
                        "now = time.monotonic()\\n",
                        "now = time.monotonic() + 1e6 * (self.directory / '" + name + "').exists()\\n");
    }

    @Override
    public void close() {
        backend.close();
        kaggle.close();
    }
}
