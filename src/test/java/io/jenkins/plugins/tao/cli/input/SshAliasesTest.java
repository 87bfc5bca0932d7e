package io.jenkins.plugins.tao.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.cli.Bench;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshConfig;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Promise({"TR-58", "SL-14"})
class SshAliasesTest {
    private static final String CONFIG = """
            Host dgx login?
              User ann
              IdentityFile ~/.ssh/dgx
              Port 2222
            Host dgx
              HostName dgx.example.com
              ProxyJump gate
            Host gate
              User bob
            Host other
              User carl
            """;

    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void setUp() {
        bench = new Bench(directory, BackendTypes.load());
        Path config = bench.write("home/.ssh/config", CONFIG);
        bench.env.put("PATH", System.getenv("PATH"));
        bench.env.put("TAO_SSH_CONFIG", config.toString());
        Assumptions.assumeTrue(
                SshConfig.find(Optional.empty(), directory, bench.env).isPresent(),
                "no ssh on the PATH: install openssh-client");
    }

    private SshLogin login(String backend, String keys) throws UsageException {
        bench.write(
                "tao-targets.yaml", "targets: {t: {backend: " + backend + ", baseDirectory: /data/tao, " + keys + "}}");
        Target target =
                Targets.find(Optional.empty(), bench.surroundings()).named("t").target();
        return target instanceof SlurmTarget slurm ? slurm.login() : ((SshTarget) target).login();
    }

    @Test
    void anAliasStandsForAllThatTheTargetDoesNotSay() throws UsageException {
        for (String backend : new String[] {"slurm", "ssh"}) {
            SshLogin login = login(backend, "hosts: dgx");

            assertThat(login.hosts().get(0)).hasToString("dgx.example.com:2222");
            assertThat(login.hosts().get(0).jumps()).hasToString("[bob@gate:22]");
            assertThat(login.user()).isEqualTo("ann");
            assertThat(((SshKey.Identities) login.key()).files())
                    .containsExactly(Path.of(System.getProperty("user.home"), ".ssh/dgx"));
        }
    }

    @Test
    void whatTheTargetSaysGoesFirst() throws UsageException {
        SshLogin login = login("ssh", "hosts: 'dgx:22', user: zoe, key: /keys/own");

        assertThat(login.hosts().get(0)).hasToString("dgx.example.com:22");
        assertThat(login.user()).isEqualTo("zoe");
        assertThat(login.key().label()).isEqualTo("/keys/own");
    }

    @Test
    void theAgentStandsBesideTheKeysOfTheFileAndIsUsedAloneWhereTheTargetNamesIt() throws UsageException {
        bench.env.put("SSH_AUTH_SOCK", "/run/agent");

        assertThat(((SshKey.Identities)
                                login("slurm", "hosts: [login1, login2]").key())
                        .agent())
                .contains(Path.of("/run/agent"));
        SshLogin named = login("slurm", "hosts: [login1, login2], agent: /run/own");
        assertThat(named.key()).isEqualTo(SshKey.none());
        assertThat(named.agent()).contains(Path.of("/run/own"));
    }

    @Test
    void theFilesOfKnownHostsAreThoseOfTheConfigurationButForTheTargetsOwn() throws UsageException {
        bench.write("home/.ssh/config", "UserKnownHostsFile /etc/a\nGlobalKnownHostsFile /etc/b\n");

        assertThat(login("ssh", "hosts: dgx, user: u").knownHosts())
                .isEqualTo(HostKeys.ofFiles(List.of(Path.of("/etc/a"), Path.of("/etc/b")), List.of()));
        assertThat(login("ssh", "hosts: dgx, user: u, knownHosts: /etc/c").knownHosts())
                .isEqualTo(HostKeys.ofFile(Path.of("/etc/c")));
    }

    @Test
    void theRevokedKeysOfTheConfigurationHoldBesideTheFilesOfKnownHosts() throws UsageException {
        bench.write(
                "home/.ssh/config",
                "RevokedHostKeys /etc/revoked\nUserKnownHostsFile /etc/a\nGlobalKnownHostsFile none\n");
        List<Path> revoked = List.of(Path.of("/etc/revoked"));

        assertThat(login("ssh", "hosts: [dgx, other], user: u").knownHosts())
                .isEqualTo(HostKeys.ofFiles(List.of(Path.of("/etc/a")), revoked));
        assertThat(login("ssh", "hosts: dgx, user: u, knownHosts: /etc/c").knownHosts())
                .isEqualTo(HostKeys.ofFiles(List.of(Path.of("/etc/c")), revoked));
    }

    @Test
    void withoutAnSshOnThePathNothingIsReadAndOneLineSaysSo() throws UsageException {
        bench.env.put("PATH", "/missing");

        assertThat(login("ssh", "hosts: dgx, user: u, key: k").hosts().get(0)).hasToString("dgx:22");
        assertThat(bench.err())
                .isEqualTo(
                        "tao: there is no ssh on the PATH, so " + bench.env.get("TAO_SSH_CONFIG") + " is not read.\n");
    }

    @Test
    void loginHostsThatDifferInTheUserAreRefused() {
        assertThatThrownBy(() -> login("slurm", "hosts: [login1, other], key: k"))
                .hasMessageContaining("gives the login hosts different values of 'user'")
                .hasMessageContaining("as 'user' of this target");
    }

    @Test
    void aFaultOfTheFileIsOneLineAndNamesItAndTheFileCanBeLeftUnread() throws UsageException {
        bench.write("home/.ssh/config", "Host *\n  Port many\n");

        assertThatThrownBy(() -> login("ssh", "hosts: dgx, user: u, key: k"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("home/.ssh/config line 2: Bad port 'many'");
        bench.env.put("TAO_SSH_CONFIG", "none");
        assertThat(login("ssh", "hosts: dgx, user: u, key: k").hosts().get(0)).hasToString("dgx:22");
        bench.env.put("TAO_SSH_CONFIG", "gone");
        assertThatThrownBy(() -> login("ssh", "hosts: dgx, user: u, key: k"))
                .hasMessageContaining("gone: No such file or directory");
    }
}
