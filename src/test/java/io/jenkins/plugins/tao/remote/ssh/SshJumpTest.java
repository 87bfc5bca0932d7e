package io.jenkins.plugins.tao.remote.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.remote.LoopbackSshServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;
import org.apache.sshd.server.forward.RejectAllForwardingFilter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A login host behind a jump host, both real servers on loopback. */
@Promise("TR-58")
class SshJumpTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private LoopbackSshServer gate;
    private LoopbackSshServer inner;

    @BeforeEach
    void start() throws Exception {
        inner = new LoopbackSshServer().start();
        gate = new LoopbackSshServer().start();
        gate.server().setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
    }

    @AfterEach
    void stop() throws Exception {
        inner.close();
        gate.close();
    }

    /** The login to {@code inner}, by a key of its own on the gate. */
    private SshLogin login(Optional<String> hostKeyAlias, String... knownHosts) {
        SshAddress at = inner.address();
        List<SshHop> jumps = List.of(new SshHop(gate.address(), LoopbackSshServer.USER, Optional.of(gate.key())));
        return new SshLogin(
                List.of(new SshAddress(at.host(), at.port(), hostKeyAlias, jumps)),
                LoopbackSshServer.USER,
                inner.key(),
                HostKeys.ofText(String.join("\n", knownHosts)));
    }

    private static String run(SshLogin login) throws Exception {
        try (SshHost host = new SshHost(login, "lab")) {
            return host.run("echo here", LIMIT).text();
        }
    }

    @Test
    void aScriptRunsBehindTheJumpHostAndBothConnectionsEndTogether() throws Exception {
        assertThat(run(login(Optional.empty(), inner.knownHostsLine(), gate.knownHostsLine())))
                .isEqualTo("here\n");

        assertThat(gate.connections()).isEqualTo(1);
        assertThat(inner.connections()).isEqualTo(1);
        Awaitility.await().until(() -> gate.server().getActiveSessions().isEmpty());
    }

    @Test
    void aLostWayIsOpenedAgain() throws Exception {
        try (SshHost host =
                new SshHost(login(Optional.empty(), inner.knownHostsLine(), gate.knownHostsLine()), "lab")) {
            host.run("echo one", LIMIT);
            inner.cut();
            Awaitility.await().until(() -> gate.server().getActiveSessions().isEmpty());

            assertThat(host.run("echo two", LIMIT).text()).isEqualTo("two\n");
            assertThat(gate.connections()).isEqualTo(2);
        }
    }

    @Test
    void theKeyOfEachHostOnTheWayMustBeKnown() throws Exception {
        String other = gate.knownHostsLine(KeyUtils.generateKeyPair("ssh-ed25519", 256));

        assertThatThrownBy(() -> run(login(Optional.empty(), inner.knownHostsLine())))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("host key of " + gate.address() + " is not known");
        assertThatThrownBy(() -> run(login(Optional.empty(), inner.knownHostsLine(), other)))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("host key of " + gate.address() + " has CHANGED");
        assertThat(inner.connections()).isZero();
        assertThatThrownBy(() -> run(login(Optional.empty(), gate.knownHostsLine())))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("host key of " + inner.address() + " is not known");
        Awaitility.await().until(() -> gate.server().getActiveSessions().isEmpty());
    }

    @Test
    void aHostKeyAliasIsTheOnlyNameThatCounts() throws Exception {
        String aliased = inner.knownHostsLine().replaceFirst("\\S+", "cluster");

        assertThat(run(login(Optional.of("cluster"), aliased, gate.knownHostsLine())))
                .isEqualTo("here\n");
        assertThatThrownBy(() -> run(login(Optional.of("cluster"), inner.knownHostsLine(), gate.knownHostsLine())))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("is not known");
    }

    @Test
    void aJumpHostThatDoesNotAnswerForwardOrLetUsInIsNamed() throws Exception {
        SshLogin login = login(Optional.empty(), inner.knownHostsLine(), gate.knownHostsLine());
        SshHop stranger = new SshHop(gate.address(), "stranger", Optional.of(gate.key()));
        SshAddress behind = new SshAddress("127.0.0.1", inner.address().port(), Optional.empty(), List.of(stranger));

        assertThatThrownBy(() -> run(new SshLogin(List.of(behind), "tao", inner.key(), login.knownHosts())))
                .isInstanceOf(Denied.class)
                .hasMessageContaining(gate.address().toString())
                .hasMessageContaining("'stranger'");
        gate.server().setForwardingFilter(RejectAllForwardingFilter.INSTANCE);
        assertThatThrownBy(() -> run(login))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("through jump host " + gate.address());
        gate.close();
        assertThatThrownBy(() -> run(login))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("jump host " + gate.address());
    }
}
