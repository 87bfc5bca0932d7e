package io.jenkins.plugins.tao.remote.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.remote.LoopbackSshServer;
import io.jenkins.plugins.tao.remote.ssh.SshConfig.Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same configuration and the same known hosts, once with OpenSSH's client and once with ours. */
class SameLoginTest {
    private static final String PATH = System.getenv("PATH");

    @TempDir
    Path directory;

    private LoopbackSshServer server;

    @BeforeEach
    void start() throws Exception {
        Assumptions.assumeTrue(
                SshConfig.find(Optional.empty(), directory, Map.of("PATH", PATH))
                        .isPresent(),
                "no ssh on the PATH: install openssh-client");
        server = new LoopbackSshServer().start();
        server.server().setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
        Path key = Files.writeString(directory.resolve("key"), LoopbackSshServer.pem(server.userKey()));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    /** Options with commas between them, {@code PORT}, {@code KEY} and {@code DIR} for the server's, and whether ssh connects. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|[127.0.0.1]:PORT KEY|true",
                "|127.0.0.1 KEY|true",
                "|other KEY|false",
                "|[127.0.0.?]:* KEY caf\u00e9 # and more|true",
                "|!127.0.0.1,[127.0.0.1]:PORT KEY|true",
                "|![127.0.0.1]:PORT,* KEY|true",
                "|@cert-authority * KEY|false",
                "|@revoked * KEY;127.0.0.1 KEY|false",
                "|#127.0.0.1 KEY|false",
                "HostKeyAlias cluster|cluster KEY|true",
                "HostKeyAlias Cluster|cluster KEY|true",
                "HostKeyAlias cluster|[127.0.0.1]:PORT KEY|false",
                "HostName localhost|[localhost]:PORT KEY|true",
                "HostName LOCALHOST|[localhost]:PORT KEY|true",
                "HostName localhost|[127.0.0.1]:PORT KEY|false",
                "User nobody|127.0.0.1 KEY|false",
                "IdentityFile none|127.0.0.1 KEY|true",
                "IdentityFile ${KEYS}/key|127.0.0.1 KEY|true",
                "IdentityFile DIR/%%key|127.0.0.1 KEY|true",
                "IdentitiesOnly yes|127.0.0.1 KEY|true",
                "IdentityAgent none|127.0.0.1 KEY|true",
                "CertificateFile DIR/missing|127.0.0.1 KEY|true",
                "UserKnownHostsFile none,GlobalKnownHostsFile none|127.0.0.1 KEY|false",
                "UserKnownHostsFile /dev/null,GlobalKnownHostsFile DIR/known|127.0.0.1 KEY|true",
                "UserKnownHostsFile DIR/missing DIR/known|127.0.0.1 KEY|true",
                "UserKnownHostsFile ${KEYS}/known|127.0.0.1 KEY|true",
                "RevokedHostKeys DIR/revoked.pub|127.0.0.1 KEY|false",
                "RevokedHostKeys DIR/other.pub|127.0.0.1 KEY|true",
                "RevokedHostKeys DIR/blanks.pub|127.0.0.1 KEY|false",
                "RevokedHostKeys DIR/line.pub|127.0.0.1 KEY|false",
                "RevokedHostKeys DIR/missing|127.0.0.1 KEY|false",
                "RevokedHostKeys DIR|127.0.0.1 KEY|false",
                "RevokedHostKeys /dev/null|127.0.0.1 KEY|true",
                "RevokedHostKeys none|127.0.0.1 KEY|true",
                "ProxyJump gate|127.0.0.1 KEY|true",
                "ProxyJump gate,HostName nowhere.invalid|[nowhere.invalid]:PORT KEY|false",
                "ProxyJump none|127.0.0.1 KEY|true",
                "ConnectTimeout 60|127.0.0.1 KEY|true",
                "AddressFamily inet|127.0.0.1 KEY|true",
            })
    void weConnectWhereSshDoes(String options, String known, boolean connects) throws Exception {
        Path config = directory.resolve("config");
        Files.writeString(
                config,
                "Host dgx\n" + filled(options == null ? "" : options.replace(",", "\n"))
                        + "\nHost dgx gate\nHostName 127.0.0.1\nPort "
                        + server.address().port()
                        + "\nUser tao\nUserKnownHostsFile " + directory + "/known\nIdentityFile " + directory
                        + "/key\n",
                ISO_8859_1);
        Files.writeString(directory.resolve("known"), filled(known).replace(";", "\n") + "\n", ISO_8859_1);
        String other = PublicKeyEntry.toString(
                KeyUtils.generateKeyPair("ssh-ed25519", 256).getPublic());
        for (String[] file : new String[][] {
            {"revoked.pub", other + "\n# comment\nKEY at the site\n"},
            {"other.pub", "#KEY\n\t# KEY\n\n" + other + "\n"},
            {"blanks.pub", " \tKEY\n"},
            {"line.pub", "127.0.0.1 " + other + "\n"}
        }) {
            Files.writeString(directory.resolve(file[0]), filled(file[1]));
        }

        assertThat(sshConnects(config)).as("ssh").isEqualTo(connects);
        assertThat(weConnect(config)).isEqualTo(connects);
    }

    private String filled(String text) {
        String key = server.knownHostsLine().replaceFirst("\\S+ ", "");
        return text.replace("PORT", Integer.toString(server.address().port()))
                .replace("KEY", key)
                .replace("${" + key + "S}", "${KEYS}")
                .replace("DIR", directory.toString());
    }

    private boolean sshConnects(Path config) throws Exception {
        ProcessBuilder ssh = new ProcessBuilder(
                "ssh",
                "-F",
                config.toString(),
                "-o",
                "BatchMode=yes",
                "-o",
                "StrictHostKeyChecking=yes",
                "dgx",
                "true");
        ssh.environment().remove("SSH_AUTH_SOCK");
        ssh.environment().put("KEYS", directory.toString());
        ssh.redirectErrorStream(true).redirectOutput(directory.resolve("said").toFile());
        Process process = ssh.start();
        process.getOutputStream().close();
        return process.waitFor() == 0;
    }

    private boolean weConnect(Path config) throws Exception {
        Map<String, String> env = Map.of("PATH", PATH, "KEYS", directory.toString());
        Entry entry = SshConfig.find(Optional.of(config), directory, env)
                .orElseThrow()
                .of("dgx", Optional.empty());
        HostKeys known = entry.knownHosts().isEmpty()
                ? HostKeys.ofText("")
                : HostKeys.ofFiles(entry.knownHosts(), entry.revoked());
        SshLogin login = new SshLogin(List.of(entry.address()), entry.user().orElse("unknown"), entry.key(), known);
        try (SshHost host = new SshHost(login, "lab")) {
            host.run("true", Duration.ofMinutes(5));
            return true;
        } catch (BackendException e) {
            return false;
        }
    }
}
