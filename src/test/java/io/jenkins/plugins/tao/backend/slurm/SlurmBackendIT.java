package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendContract;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The promises every backend keeps, on the real cluster of the rig. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmBackendIT extends BackendContract {
    private final SlurmType type = new SlurmType();
    private final SlurmTarget target = SlurmRig.target(
                    "contract-" + UUID.randomUUID().toString().substring(0, 8))
            .build();
    private final Backend backend = type.open(target);
    private final Host host = new SshHost(target.login(), "rig");

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() {
        backend.close();
        host.close();
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
    protected String shell(String script) throws Exception {
        return host.run(script, Duration.ofMinutes(1)).text();
    }

    @Override
    protected String everything() {
        return target.baseDirectory();
    }

    @Override
    protected JobSpec.Builder job(String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(1), OptionalInt.of(1), Optional.of(Duration.ofMinutes(10))));
    }

    @Override
    protected Optional<String> outFile(JobHandle job) {
        return Optional.of(target.layout().log(job, "out"));
    }

    @Test
    @Promise("TR-77")
    void jobsAreCancelledTogetherWhateverBecameOfOneOfThem() throws Exception {
        severalJobsAreCancelledTogether();
    }
}
