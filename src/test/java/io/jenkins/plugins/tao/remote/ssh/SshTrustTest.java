package io.jenkins.plugins.tao.remote.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.LoopbackSshServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.auth.keyboard.UserAuthKeyboardInteractiveFactory;
import org.apache.sshd.server.auth.password.UserAuthPasswordFactory;
import org.apache.sshd.server.auth.pubkey.UserAuthPublicKeyFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom we trust and who trusts us. */
class SshTrustTest {
    private LoopbackSshServer server;

    @BeforeEach
    void start() throws Exception {
        server = new LoopbackSshServer().start();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Test
    @Promise("SL-88")
    void anUnknownHostKeyIsRefusedAndTheLineToAddIsShown() {
        Denied denied = denied(HostKeys.ofText(""));

        assertThat(denied).hasMessageContaining("not known").hasMessageContaining("SHA256:");
        assertThat(denied.remedy()).contains(server.knownHostsLine()).contains("ssh-keyscan -p");
    }

    @Test
    void aProgramThatKnowsTheKeyIsNamedAndNotRun(@TempDir Path directory) throws Exception {
        Path run = directory.resolve("run");
        SshAddress at = server.address();
        SshAddress address = new SshAddress(
                at.host(), at.port(), Optional.empty(), List.of(), Optional.empty(), Optional.of("touch " + run));
        Path missing = directory.resolve("known_hosts");

        for (HostKeys keys : List.of(HostKeys.ofText(""), HostKeys.ofFile(missing))) {
            assertThat(denied(new SshLogin(List.of(address), "tao", server.key(), keys))
                            .remedy())
                    .contains("The KnownHostsCommand 'touch " + run + "' of the SSH configuration is not run")
                    .contains("for 127.0.0.1 in that file");
        }
        assertThat(run).doesNotExist();
        assertThat(denied(HostKeys.ofText("")).remedy()).doesNotContain("KnownHostsCommand");
    }

    @Test
    @Promise("SL-88")
    void aChangedHostKeyIsAHardErrorWithBothFingerprints() throws Exception {
        KeyPair old = KeyUtils.generateKeyPair("ssh-ed25519", 256);

        Denied denied = denied(HostKeys.ofText(server.knownHostsLine(old)));

        assertThat(denied)
                .hasMessageContaining("CHANGED")
                .hasMessageContaining(KeyUtils.getFingerPrint(old.getPublic()))
                .message()
                .containsPattern("(?s)SHA256:.*SHA256:");
        assertThat(denied.remedy()).contains("ssh-keygen -R");
    }

    @Test
    @Promise("SL-88")
    void aRevokedHostKeyIsRefusedEvenIfItIsAlsoKnown() {
        String line = server.knownHostsLine();

        assertThat(denied(HostKeys.ofText(line + "\n@revoked " + line))).hasMessageContaining("revoked");
    }

    @Test
    @Promise("SL-88")
    void hashedNamesPlainNamesAndDamagedLinesAreRead(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("known_hosts"), server.knownHostsLine() + "\n");
        Process hash = new ProcessBuilder("ssh-keygen", "-H", "-f", file.toString()).start();
        assertThat(hash.waitFor()).isZero();
        String hashed = Files.readString(file);
        assertThat(hashed).startsWith("|1|");

        assertThat(run(HostKeys.ofFile(file))).isEqualTo("ok\n");
        assertThat(run(HostKeys.ofText("# comment\n\nbroken\nx ssh-new AAAA\n" + hashed)))
                .isEqualTo("ok\n");
        assertThat(run(HostKeys.ofText(server.knownHostsLine().replaceFirst("\\S+", "127.0.0.1"))))
                .isEqualTo("ok\n");
    }

    @Test
    @Promise("SL-88")
    void linesAreReadAsOpenSshReadsThem(@TempDir Path directory) throws Exception {
        String key = server.knownHostsLine().replaceFirst("\\S+ ", "");
        String port = "[127.0.0.1]:" + server.address().port();
        for (String line : List.of(
                port + " " + key + " se\u00f1or \"half a quote # and more",
                "\t" + port + "\t" + key.replace(' ', '\t') + "\r",
                "unix/x,!other,*.0.0.1," + port + " " + key,
                "[127.0.0.?]:" + server.address().port() + " " + key)) {
            Path file = directory.resolve("known_hosts");
            Files.writeString(file, "caf\u00e9 " + key + "\n" + line + "\n", ISO_8859_1);

            assertThat(run(HostKeys.ofFiles(List.of(directory.resolve("missing"), file), List.of())))
                    .as(line)
                    .isEqualTo("ok\n");
        }
        assertThat(denied(HostKeys.ofText("!127.0.0.1,127.*,!" + port + " " + key)))
                .hasMessageContaining("is not known");
        assertThat(denied(HostKeys.ofFiles(List.of(directory.resolve("a"), directory.resolve("b")), List.of())))
                .hasMessageContaining(directory.resolve("a") + " cannot be read (no such file or directory)");
    }

    @Test
    @Promise({"SL-04", "SL-18"})
    void theRemedyOfARefusedKeyNeverWritesOverIt(@TempDir Path directory) throws Exception {
        Path key = Files.writeString(
                directory.resolve("own"), LoopbackSshServer.pem(KeyUtils.generateKeyPair("ssh-ed25519", 256)));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));

        assertThat(denied(login(SshKey.ofFile(key, Optional.empty()))).remedy())
                .contains(" 1. see which key it is: ssh-keygen -f " + key + " -y")
                .doesNotContain("ssh-keygen -t");
    }

    @Test
    @Promise({"SL-04", "SL-13", "SL-18", "SL-80"})
    void aRefusedKeyNamesUserHostKeyAndTheStepsButNoSecret() throws Exception {
        String pem = LoopbackSshServer.pem(KeyUtils.generateKeyPair("ssh-ed25519", 256));
        SshLogin login = login(SshKey.ofText(Secret.of(pem), Optional.empty(), "credential 'wrong'"));

        Denied denied = denied(login);

        assertThat(denied)
                .hasMessageContaining(server.address().toString())
                .hasMessageContaining("'tao'")
                .hasMessageContaining("credential 'wrong'")
                .hasMessageContaining("'lab'");
        assertThat(denied.remedy())
                .contains("the private key of credential 'wrong' in a file KEY: ssh-keygen -y -f KEY > KEY.pub")
                .contains("ssh-copy-id", "tao@127.0.0.1", "ssh-keyscan", "chmod 600 KEY", "ssh -o BatchMode=yes")
                .doesNotContain("ssh-keygen -t", "~/.ssh", "mounted"); // Jenkins has the key in no file
        assertThat(denied.explain()).doesNotContain(pem.substring(50, 90));
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    @Promise({"SL-12", "SL-17"})
    void aServerThatOnlyPromptsFailsFastAndIsExplained() {
        server.server().setPasswordAuthenticator((user, password, session) -> false);
        server.server()
                .setUserAuthFactories(
                        List.of(UserAuthKeyboardInteractiveFactory.INSTANCE, UserAuthPasswordFactory.INSTANCE));

        assertThat(denied(server.login()))
                .hasMessageContaining("keyboard-interactive")
                .hasMessageContaining("key authentication is not enough");
    }

    @Test
    @Promise({"SL-12", "SL-17"})
    void aSecondFactorAfterTheKeyIsExplained() {
        server.server()
                .setUserAuthFactories(
                        List.of(UserAuthPublicKeyFactory.INSTANCE, UserAuthKeyboardInteractiveFactory.INSTANCE));
        CoreModuleProperties.AUTH_METHODS.set(server.server(), "publickey,keyboard-interactive");

        assertThat(denied(server.login()))
                .hasMessageContaining("asks for interactive input (keyboard-interactive) after it took the key")
                .hasMessageContaining("key authentication is not enough");
    }

    /** As Active Directory names them: sshd has them with their domain. */
    @Test
    void aUserOfADomainIsAskedForAsSuch() {
        for (String user : List.of("ann@corp.example", "CORP\\ann")) {
            Denied denied = denied(new SshLogin(
                    List.of(server.address()), user, server.key(), HostKeys.ofText(server.knownHostsLine())));

            assertThat(denied).hasMessageContaining("asked as user '" + user + "'");
            assertThat(denied.remedy()).contains("@127.0.0.1").doesNotContain(" CORP\\ann");
        }
    }

    private SshLogin login(SshKey key) {
        return new SshLogin(List.of(server.address()), "tao", key, HostKeys.ofText(server.knownHostsLine()));
    }

    private Denied denied(HostKeys keys) {
        return denied(new SshLogin(List.of(server.address()), "tao", server.key(), keys));
    }

    private static Denied denied(SshLogin login) {
        try (SshHost host = new SshHost(login, "lab")) {
            return catchThrowableOfType(Denied.class, () -> host.run("echo x", Duration.ofMinutes(5)));
        }
    }

    private String run(HostKeys keys) throws Exception {
        SshLogin login = new SshLogin(List.of(server.address()), "tao", server.key(), keys);
        try (SshHost host = new SshHost(login, "lab")) {
            return host.run("echo ok", Duration.ofMinutes(5)).text();
        }
    }
}
