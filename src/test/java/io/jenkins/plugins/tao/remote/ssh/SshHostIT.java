package io.jenkins.plugins.tao.remote.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Rigs;
import io.jenkins.plugins.tao.remote.LargeHostContract;
import io.jenkins.plugins.tao.remote.host.Host;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same promises against the real sshd of the Slurm rig. */
@NeedsRig(value = "slurm", shared = true)
class SshHostIT extends LargeHostContract {
    private static final Path KEYS = Rigs.SLURM.resolve("keys");
    private static final SshAddress LOGIN1 = SshAddress.parse("127.0.0.1:2222");
    private static final SshAddress LOGIN2 = SshAddress.parse("127.0.0.1:2223");

    private static @Nullable SshHost host;

    @BeforeAll
    static void connect() {
        Rigs.assumeUp(Rigs.SLURM);
        host = new SshHost(login(List.of(LOGIN1, LOGIN2)), "rig");
    }

    @AfterAll
    static void disconnect() {
        if (host != null) {
            host.close();
        }
    }

    @Override
    public Host host() {
        return Objects.requireNonNull(host);
    }

    @Test
    @Promise("SL-11")
    void aDeadFirstHostIsPassedOver() throws Exception {
        try (SshHost other = new SshHost(login(List.of(SshAddress.parse("127.0.0.1:1"), LOGIN2)), "rig")) {
            assertThat(other.run("echo here", LIMIT).text()).isEqualTo("here\n");
            assertThat(other.name()).isEqualTo("tao@127.0.0.1:2223");
        }
    }

    private static SshLogin login(List<SshAddress> hosts) {
        SshKey key = SshKey.ofFile(KEYS.resolve("tao_ed25519"), Optional.empty());
        return new SshLogin(hosts, "tao", key, HostKeys.ofFile(KEYS.resolve("known_hosts")));
    }
}
