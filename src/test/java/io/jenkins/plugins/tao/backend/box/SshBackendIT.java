package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendContract;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The promises every backend keeps, over a real sshd and nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig("box")
final class SshBackendIT extends BackendContract {
    private final SshType type = new SshType();
    private final SshTarget target =
            BoxRig.target(3, "contract-" + UUID.randomUUID().toString().substring(0, 8));
    private final Backend backend = type.open(target);
    private final Host host = new SshHost(target.login(), "box3");

    @BeforeAll
    static void rig() {
        BoxRig.assumeUp();
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

    /** Host, port and key are settings; nothing but sshd answers there. */
    @Test
    @Promise({"GB-01", "GB-05"})
    @Override
    protected void theExitCodeOfTheCommandComesThrough() throws Exception {
        super.theExitCodeOfTheCommandComesThrough();
    }

    @Test
    @Promise("GB-25")
    @Override
    protected void aCommandThatReadsStandardInputFindsItEmpty() throws Exception {
        super.aCommandThatReadsStandardInputFindsItEmpty();
    }

    @Test
    @Promise("TR-77")
    void jobsAreCancelledTogetherWhateverBecameOfOneOfThem() throws Exception {
        severalJobsAreCancelledTogether();
    }
}
