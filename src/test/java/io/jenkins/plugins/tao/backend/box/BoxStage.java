package io.jenkins.plugins.tao.backend.box;

import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.box.options.BoxSettings;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;

/** One box of the rig with a directory of its own, a backend, and a way past the backend. */
public final class BoxStage implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(5);

    public final SshTarget target;
    public final BoxBackend backend;
    final Host host;
    private final String run = UUID.randomUUID().toString().substring(0, 8);

    public BoxStage(int box) {
        this(box, BoxUsual.SETTINGS);
    }

    public BoxStage(int box, BoxSettings settings) {
        this(new SshTarget(
                "box" + box,
                BoxRig.login(box),
                "/box/" + UUID.randomUUID().toString().substring(0, 8),
                settings));
    }

    BoxStage(SshTarget target) {
        this.target = target;
        host = new SshHost(target.login(), target.name());
        backend = new BoxBackend(BoxPlace.of(target), new SshHost(target.login(), target.name()));
    }

    public static JobSpec.Builder job(String command, int gpus) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(gpus), OptionalInt.empty(), Optional.empty()));
    }

    public JobKey key(String name) {
        return new JobKey(name + "-" + run);
    }

    public JobHandle submit(String name, JobSpec.Builder job) throws BackendException {
        return backend.submit(job.build(), key(name));
    }

    /** Submits a job that starts in {@code tree}. */
    JobHandle submit(String name, JobSpec job, SourceTree tree) throws BackendException {
        backend.deliver(tree, key(name));
        return backend.submit(job.toBuilder().code(new CodeId(tree.version())).build(), key(name));
    }

    public String shell(String script) throws BackendException {
        return host.run(script, Duration.ofMinutes(1)).text();
    }

    JobStatus look(JobHandle job) throws BackendException {
        return backend.poll(Set.of(job)).getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "ABSENT"));
    }

    JobStatus until(JobHandle job, String word) {
        return await(job.key() + " " + word)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(150))
                .until(() -> look(job), status -> status.nativeState().equals(word));
    }

    public JobStatus end(JobHandle job) {
        return await(job.key() + " ends")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(150))
                .until(() -> look(job), status -> status.state() == JobState.ENDED);
    }

    public void waitForFile(String path) {
        await(path)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> shell("[ -e " + path + " ] && echo there || :").equals("there\n"));
    }

    public String text(JobHandle job, Stream stream) throws BackendException {
        StreamRef ref = new StreamRef(job, stream);
        Tail tail = backend.read(Map.of(ref, Position.START)).get(ref);
        return tail == null ? "" : new String(tail.bytes(), StandardCharsets.UTF_8);
    }

    /** The pid of an attempt's wrapper, as it wrote it down. */
    String wrapper(JobHandle job) throws BackendException {
        return shell("cut -d' ' -f1 " + BoxLayout.attempt(job) + "/process").strip();
    }

    @Override
    public void close() {
        backend.close();
        host.close();
    }
}
