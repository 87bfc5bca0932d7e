package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.CodeStore.Delivery;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.code.CodeLimits;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of jobs on the real cluster of the rig. */
@NeedsRig(value = "slurm", shared = true)
final class SlurmCodeIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    @TempDir
    Path directory;

    private final SlurmTarget target = SlurmRig.target("code-" + RUN).build();
    private SlurmBackend backend;

    @BeforeEach
    void open() {
        SlurmRig.assumeUp();
        backend = new SlurmBackend(target, new SshHost(target.login(), "rig"));
    }

    @AfterEach
    void close() {
        if (backend != null) {
            backend.close();
        }
    }

    private static JobSpec job(String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(1), OptionalInt.of(1), Optional.of(Duration.ofMinutes(10))))
                .build();
    }

    private JobStatus untilEnded(JobHandle job) {
        return await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(300))
                .until(
                        () -> backend.poll(Set.of(job)).get(job),
                        status -> status != null && status.state() == JobState.ENDED);
    }

    private String out(JobHandle job) throws BackendException {
        StreamRef ref = new StreamRef(job, Stream.OUT);
        Tail tail = backend.read(Map.of(ref, Position.START)).get(ref);
        return tail == null ? "" : new String(tail.bytes(), StandardCharsets.UTF_8);
    }

    @Test
    @Promise({"NS-01", "NS-04"})
    void aJobStartsInItsCodeWhichItCannotChange() throws Exception {
        Files.writeString(directory.resolve("train.py"), "print('trained ' + str(6 * 7))\n");
        CodeFolder code = CodeFolder.read(directory, CodeLimits.defaults());
        CodeId id = code.listing().id();

        Delivery first = backend.deliver(code, new JobKey("first-" + RUN));
        Delivery second = backend.deliver(code, new JobKey("second-" + RUN));
        JobHandle job = backend.submit(
                job("python3 train.py; pwd; echo \"$TAO_CODE_DIR\"; test -w train.py || echo fixed").toBuilder()
                        .code(id)
                        .build(),
                new JobKey("first-" + RUN));

        assertThat(untilEnded(job).exitCode()).hasValue(0);
        String path = target.layout().code(id);
        assertThat(out(job)).contains("trained 42\n" + path + "\n" + path + "\nfixed\n");
        assertThat(first.sentBytes()).isPositive();
        assertThat(second.sentBytes()).isZero();
        assertThat(backend.tidy(true).jobs()).isEmpty();
    }

    @Test
    @Promise("NS-04")
    void aJobWhoseCodeIsNotThereIsRefusedAndNotSent() {
        JobSpec job = job("true").toBuilder()
                .code(new CodeId("0".repeat(CodeId.DIGITS)))
                .build();

        assertThatThrownBy(() -> backend.submit(job, new JobKey("absent-" + RUN)))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("The code of job absent-" + RUN + " is not on");
    }
}
