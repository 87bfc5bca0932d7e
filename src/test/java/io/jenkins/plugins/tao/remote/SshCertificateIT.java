package io.jenkins.plugins.tao.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.FreePort;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real sshd that takes certificates of its authority alone and shows one itself. */
@Promise({"TR-58", "SL-17"})
final class SshCertificateIT {
    private static final String SSHD = "/usr/sbin/sshd";
    private static final String USER = System.getProperty("user.name");

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();
    private int port;

    @BeforeEach
    void server() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of(SSHD)) && Files.isExecutable(Path.of("/usr/bin/ssh-agent")),
                "no OpenSSH: install openssh-server and openssh-client");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        for (String name : List.of("authority", "host")) {
            key(name, "ed25519");
        }
        sign("host", "-h", "-n", "127.0.0.1,cluster");
        port = FreePort.find();
        Files.createDirectories(Path.of("/run/sshd"));
        List<String> words =
                new ArrayList<>(List.of(SSHD, "-D", "-e", "-f", "/dev/null", "-p", Integer.toString(port)));
        for (String option : List.of(
                "HostKey=" + file("host"),
                "HostCertificate=" + file("host-cert.pub"),
                "ListenAddress=127.0.0.1",
                "PidFile=none",
                "StrictModes=no",
                "TrustedUserCAKeys=" + file("authority.pub"),
                "AuthorizedKeysFile=none",
                "PasswordAuthentication=no",
                "KbdInteractiveAuthentication=no",
                "PermitRootLogin=prohibit-password")) {
            words.addAll(List.of("-o", option));
        }
        started.add(start(words.toArray(String[]::new)));
        Awaitility.await().until(this::answers);
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : started) {
            process.destroy();
            process.waitFor(5, TimeUnit.MINUTES);
        }
    }

    private boolean answers() {
        try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return probe.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private Process start(String... words) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("SSH_AUTH_SOCK", file("agent").toString());
        return builder.start();
    }

    private void run(String... words) throws Exception {
        assertThat(start(words).waitFor()).as(String.join(" ", words)).isZero();
    }

    private void key(String name, String type) throws Exception {
        run("ssh-keygen", "-q", "-t", type, "-N", "", "-f", file(name).toString());
    }

    private void sign(String name, String... more) throws Exception {
        List<String> words = new ArrayList<>(
                List.of("ssh-keygen", "-q", "-s", file("authority").toString(), "-I", name));
        words.addAll(List.of(more));
        words.add(file(name + ".pub").toString());
        run(words.toArray(String[]::new));
    }

    private SshKey identities(List<Path> certificates, boolean agent, String... names) {
        return new SshKey.Identities(
                List.of(names).stream().map(this::file).toList(),
                certificates,
                Optional.of(file("agent")).filter(socket -> agent),
                true);
    }

    private String id(SshKey key) throws Exception {
        return id(key, "[127.0.0.1]:" + port + " " + Files.readString(file("host.pub")), Optional.empty());
    }

    private String id(SshKey key, String known, Optional<String> alias) throws Exception {
        return id(key, HostKeys.ofText(known), alias);
    }

    private String id(SshKey key, HostKeys known, Optional<String> alias) throws Exception {
        SshAddress address = new SshAddress("127.0.0.1", port, alias, List.of());
        try (SshHost host = new SshHost(new SshLogin(List.of(address), USER, key, known), "dgx")) {
            return host.run("id -un", Duration.ofMinutes(5)).text().strip();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ed25519", "rsa", "ecdsa"})
    void aCertificateBesideTheKeyIsOffered(String type) throws Exception {
        key("site", type);
        assertThatThrownBy(() -> id(SshKey.ofFile(file("site"), Optional.empty())))
                .isInstanceOf(Denied.class);

        sign("site", "-n", USER);

        assertThat(id(SshKey.ofFile(file("site"), Optional.empty()))).isEqualTo(USER);
        assertThat(id(identities(List.of(), false, "missing", "site"))).isEqualTo(USER);
        Path elsewhere = Files.move(file("site-cert.pub"), file("elsewhere"));
        assertThat(id(identities(List.of(elsewhere), false, "site"))).isEqualTo(USER);
    }

    @Test
    void anExpiredCertificateIsNamedInTheRefusal() throws Exception {
        key("site", "ed25519");
        sign("site", "-n", USER, "-V", "20200101:20200102");

        assertThatThrownBy(() -> id(SshKey.ofFile(file("site"), Optional.empty())))
                .isInstanceOf(Denied.class)
                .hasMessageContaining(
                        "The certificate " + file("site-cert.pub") + " does not hold now: it is valid from 20")
                .hasMessageContaining(" to 2020-01-0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ed25519", "rsa", "ecdsa"})
    void aCertificateOfTheAgentOrForAKeyOfTheAgentLogsIn(String type) throws Exception {
        started.add(start("ssh-agent", "-D", "-a", file("agent").toString()));
        Awaitility.await().until(() -> Files.exists(file("agent")));
        key("site", type);
        sign("site", "-n", USER);
        run("ssh-add", "-q", file("site").toString());
        Files.delete(file("site"));

        assertThat(id(identities(List.of(), true, "site"))).isEqualTo(USER);
        run("ssh-add", "-q", "-d", file("site-cert.pub").toString());
        assertThat(id(identities(List.of(), true, "site.pub", "site"))).isEqualTo(USER);
        Files.delete(file("site-cert.pub"));
        assertThatThrownBy(() -> id(identities(List.of(), true, "site"))).isInstanceOf(Denied.class);
        assertThatThrownBy(() -> id(identities(List.of(), true, "other"))).isInstanceOf(Denied.class);
    }

    /** ssh refuses a revoked authority, too, where the key that it signed is known. */
    @Test
    void aRevokedKeyAuthorityOrCertificateIsRefused() throws Exception {
        key("site", "ed25519");
        sign("site", "-n", USER);
        SshKey site = SshKey.ofFile(file("site"), Optional.empty());
        String authority = "@cert-authority * " + Files.readString(file("authority.pub"));
        String plain = "127.0.0.1 " + Files.readString(file("host.pub"));
        for (String lines : List.of(authority, plain, authority + plain)) {
            Path known = Files.writeString(file("known"), lines);
            for (String revoked : List.of("authority.pub", "host.pub", "host-cert.pub")) {
                HostKeys keys = HostKeys.ofFiles(List.of(known), List.of(file(revoked)));
                assertThatThrownBy(() -> id(site, keys, Optional.empty()))
                        .as(revoked + " of " + lines)
                        .hasMessageContaining("is revoked");
            }
            assertThat(id(site, HostKeys.ofFiles(List.of(known), List.of(file("site.pub"))), Optional.empty()))
                    .isEqualTo(USER);
        }
    }

    @Test
    void aHostIsKnownByItsAuthority() throws Exception {
        key("site", "ed25519");
        sign("site", "-n", USER);
        SshKey site = SshKey.ofFile(file("site"), Optional.empty());
        String authority = "@cert-authority *.0.0.1,cluster,cloud " + Files.readString(file("authority.pub"));
        String plain = Files.readString(file("host.pub"));

        assertThat(id(site, authority, Optional.empty())).isEqualTo(USER);
        assertThat(id(site, authority, Optional.of("cluster"))).isEqualTo(USER);
        assertThatThrownBy(() -> id(site, authority, Optional.of("cloud")))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("is not known");
        assertThatThrownBy(() -> id(site, authority + "\n@revoked * " + plain, Optional.empty()))
                .hasMessageContaining("is revoked");
        assertThatThrownBy(() -> id(
                        site, authority + "\n@revoked * " + Files.readString(file("authority.pub")), Optional.empty()))
                .isInstanceOf(Denied.class);
        assertThat(id(site, authority.replace("0.0.1", "0.0.9") + "\n127.0.0.1 " + plain, Optional.empty()))
                .isEqualTo(USER);
    }
}
