package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.cloudbees.jenkins.plugins.sshcredentials.SSHUserPrivateKey;
import com.cloudbees.plugins.credentials.common.IdCredentials;
import hudson.util.Secret;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.remote.LoopbackSshServer;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Logins of forms, with a jump host or without. */
@Promise("TR-58")
class SshLoginsTest {
    private static final String LOGIN = "login.example ssh-ed25519 AAAA";

    private record Key(String id, String user, String pem) implements SSHUserPrivateKey {
        @Override
        public String getId() {
            return id;
        }

        @Override
        public String getUsername() {
            return user;
        }

        @Override
        public List<String> getPrivateKeys() {
            return List.of(pem);
        }

        @Override
        public @Nullable Secret getPassphrase() {
            return null;
        }
    }

    private record Store(Map<String, Key> keys) implements CredentialStore {
        @Override
        public <C extends IdCredentials> Optional<C> find(String id, Class<C> type) {
            return Optional.ofNullable(keys.get(id)).map(type::cast);
        }

        @Override
        public String reach() {
            return "";
        }
    }

    private static Store store() {
        return new Store(Map.of("own", new Key("own", "tao", "own"), "gate", new Key("gate", "ann", "of the gate")));
    }

    private static SlurmTargetConfiguration slurm(@Nullable ProxyJumpConfiguration jump, String credentialsId) {
        SlurmTargetConfiguration form =
                new SlurmTargetConfiguration("dgx", "login1, login2:2222", credentialsId, LOGIN, "/lustre/tao");
        form.setProxyJump(jump);
        return form;
    }

    private static String way(SlurmTargetConfiguration form) {
        SlurmTarget target = form.toTarget(store());
        assertThat(target.login().hosts())
                .extracting(host -> host.sshOptions().replaceFirst("^-p 2222 ", ""))
                .hasSize(2)
                .containsOnly(target.login().hosts().get(0).sshOptions());
        return target.login().hosts().get(0).sshOptions();
    }

    @Test
    void allLoginHostsAreReachedThroughTheJumpHost() {
        ProxyJumpConfiguration jump = new ProxyJumpConfiguration("gate.example");
        assertThat(way(slurm(null, "own"))).isEmpty();
        assertThat(way(slurm(jump, "own"))).isEqualTo("-o ProxyJump=tao@gate.example:22 ");

        jump.setPort("2022");
        jump.setCredentialsId("gate");
        assertThat(way(slurm(jump, "own"))).isEqualTo("-o ProxyJump=ann@gate.example:2022 ");
        jump.setUser("bob");
        assertThat(way(slurm(jump, "own"))).isEqualTo("-o ProxyJump=bob@gate.example:2022 ");

        SlurmTargetConfiguration byAgent = slurm(jump, "");
        byAgent.setAgent("/run/agent");
        byAgent.setUser("carl");
        jump.setUser("");
        jump.setCredentialsId("");
        assertThat(way(byAgent)).isEqualTo("-o ProxyJump=carl@gate.example:2022 ");
    }

    @Test
    void aWrongAddressOrCredentialIsRefused() {
        ProxyJumpConfiguration jump = new ProxyJumpConfiguration("gate.example");
        jump.setPort("70000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> slurm(jump, "own").checkFields())
                .withMessageContaining("port must be 1 to 65535, was 70000");
        jump.setPort("");
        jump.setCredentialsId("none");
        assertThatThrownBy(() -> slurm(jump, "own").toTarget(store())).hasMessageContaining("'none'");
    }

    @Test
    void aBoxBehindAJumpHostIsReachedWithTheKeyOfEach() throws Exception {
        try (LoopbackSshServer gate = new LoopbackSshServer().start();
                LoopbackSshServer inner = new LoopbackSshServer().start()) {
            gate.server().setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
            SshTargetConfiguration box = new SshTargetConfiguration(
                    "box",
                    inner.address().toString(),
                    "own",
                    inner.knownHostsLine() + "\n" + gate.knownHostsLine(),
                    "/srv");
            ProxyJumpConfiguration jump = new ProxyJumpConfiguration("127.0.0.1");
            jump.setPort(Integer.toString(gate.address().port()));
            jump.setCredentialsId("gate");
            box.setProxyJump(jump);
            SshLogin login = box.toTarget(new Store(Map.of(
                            "own",
                            new Key("own", LoopbackSshServer.USER, LoopbackSshServer.pem(inner.userKey())),
                            "gate",
                            new Key("gate", LoopbackSshServer.USER, LoopbackSshServer.pem(gate.userKey())))))
                    .login();

            try (SshHost host = new SshHost(login, "box")) {
                assertThat(host.run("echo here", Duration.ofMinutes(5)).text()).isEqualTo("here\n");
            }
            assertThat(gate.connections()).isEqualTo(1);
        }
    }
}
