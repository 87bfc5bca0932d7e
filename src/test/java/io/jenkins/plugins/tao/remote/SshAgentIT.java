package io.jenkins.plugins.tao.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.FreePort;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.remote.host.Deadline;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshConnector;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.client.session.ClientSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent of OpenSSH and its sshd, both the real ones. */
final class SshAgentIT {
    private static final byte SIGN_REQUEST = 13; // SSH_AGENTC_SIGN_REQUEST
    private static final Path SSHD = Path.of("/usr/sbin/sshd");

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();
    private Path socket;
    private int port;

    @BeforeEach
    void agentAndServer() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(SSHD) && Files.isExecutable(Path.of("/usr/bin/ssh-agent")),
                "no OpenSSH: install openssh-server and openssh-client");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        socket = directory.resolve("agent");
        started.add(start("ssh-agent", "-D", "-a", socket.toString()));
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file("host"));
        port = FreePort.find();
        Files.writeString(directory.resolve("authorized"), "");
        Files.createDirectories(Path.of("/run/sshd"));
        started.add(start(
                SSHD.toString(),
                "-D",
                "-e",
                "-f",
                "/dev/null",
                "-p",
                Integer.toString(port),
                "-h",
                file("host"),
                "-o",
                "ListenAddress=127.0.0.1",
                "-o",
                "PidFile=none",
                "-o",
                "StrictModes=no",
                "-o",
                "AuthorizedKeysFile=" + file("authorized"),
                "-o",
                "PasswordAuthentication=no",
                "-o",
                "KbdInteractiveAuthentication=no",
                "-o",
                "PermitRootLogin=prohibit-password"));
        org.awaitility.Awaitility.await().until(() -> Files.exists(socket) && answers());
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : started) {
            process.destroy();
            process.waitFor(5, TimeUnit.MINUTES);
        }
    }

    private boolean answers() {
        try (java.net.Socket probe = new java.net.Socket(java.net.InetAddress.getLoopbackAddress(), port)) {
            return probe.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private Process start(String... words) throws IOException {
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void run(String... words) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile());
        builder.environment().putAll(Map.of("SSH_AUTH_SOCK", socket.toString()));
        assertThat(builder.start().waitFor()).as(String.join(" ", words)).isZero();
    }

    private void addKey(String type, boolean accepted) throws Exception {
        String key = file("key-" + type + accepted);
        run("ssh-keygen", "-q", "-t", type, "-N", "", "-f", key);
        run("ssh-add", "-q", key);
        Files.delete(Path.of(key));
        if (accepted) {
            Files.writeString(directory.resolve("authorized"), Files.readString(Path.of(key + ".pub")));
        }
    }

    private SshLogin login(SshKey key) throws IOException {
        String hostKey = Files.readString(directory.resolve("host.pub"));
        return new SshLogin(
                List.of(new SshAddress("127.0.0.1", port)),
                System.getProperty("user.name"),
                key,
                HostKeys.ofText("[127.0.0.1]:" + port + " " + hostKey),
                Optional.of(socket));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ed25519", "rsa", "ecdsa"})
    @Promise("SL-17")
    void aKeyThatOnlyTheAgentHasLogsIn(String type) throws Exception {
        addKey(type, true);

        try (SshHost host = new SshHost(login(SshKey.none()), "dgx")) {
            assertThat(host.run("echo in", Duration.ofSeconds(20)).text()).isEqualTo("in\n");
        }
    }

    @Test
    void theRightOneOfSeveralKeysIsFound() throws Exception {
        addKey("rsa", false);
        addKey("ecdsa", false);
        addKey("ed25519", true);

        try (SshHost host = new SshHost(login(SshKey.none()), "dgx")) {
            assertThat(host.run("echo in", Duration.ofSeconds(20)).ok()).isTrue();
        }
    }

    @Test
    @Promise("SL-18")
    void aKeyFileGoesBeforeTheAgent() throws Exception {
        addKey("ed25519", true);
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file("own"));

        try (SshHost host = new SshHost(login(SshKey.ofFile(directory.resolve("own"), Optional.empty())), "dgx")) {
            assertThatThrownBy(() -> host.run("echo in", Duration.ofSeconds(20)))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining(file("own"));
        }
    }

    @Test
    void anAgentMayAskAPersonForLongerThanAHostMayTake() throws Exception {
        addKey("ed25519", true);
        Path slow = directory.resolve("slow");
        try (ServerSocketChannel asking = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            asking.bind(UnixDomainSocketAddress.of(slow));
            Thread person = new Thread(() -> confirmAfter(Duration.ofSeconds(2), asking));
            person.setDaemon(true);
            person.start();
            SshLogin known = login(SshKey.none());
            SshLogin login =
                    new SshLogin(known.hosts(), known.user(), known.key(), known.knownHosts(), Optional.of(slow));

            try (SshConnector connector = new SshConnector(login, "dgx", Duration.ofSeconds(1));
                    ClientSession session = connector.connect(Deadline.in(Duration.ofSeconds(20)))) {
                assertThat(session.isAuthenticated()).isTrue();
            }
        }
    }

    /** Hands every request on to the real agent, a request for a signature after {@code pause}. */
    private void confirmAfter(Duration pause, ServerSocketChannel asking) {
        while (asking.isOpen()) {
            try (SocketChannel asker = asking.accept();
                    SocketChannel agent = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                for (ByteBuffer request = message(asker); request.hasRemaining(); request = message(asker)) {
                    if (request.get(Integer.BYTES) == SIGN_REQUEST) {
                        new CountDownLatch(1).await(pause.toMillis(), TimeUnit.MILLISECONDS);
                    }
                    agent.write(request);
                    asker.write(message(agent));
                }
            } catch (IOException | InterruptedException e) {
                return; // the test is over
            }
        }
    }

    /** One message with its length before it; empty at the end. */
    private static ByteBuffer message(SocketChannel from) throws IOException {
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
        while (length.hasRemaining()) {
            if (from.read(length) < 0) {
                return ByteBuffer.allocate(0);
            }
        }
        ByteBuffer whole = ByteBuffer.allocate(Integer.BYTES + length.getInt(0)).putInt(length.getInt(0));
        int read = 0;
        while (whole.hasRemaining() && read >= 0) {
            read = from.read(whole);
        }
        return whole.flip();
    }

    @Test
    void anAgentWithoutAKeyOrWithoutALifeIsToldApart() throws Exception {
        try (SshHost host = new SshHost(login(SshKey.none()), "dgx")) {
            assertThatThrownBy(() -> host.run("true", Duration.ofSeconds(20)))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining("holds no key");
        }
        Process agent = started.get(0);
        agent.destroy();
        agent.waitFor();

        try (SshHost host = new SshHost(login(SshKey.none()), "dgx")) {
            assertThatThrownBy(() -> host.run("true", Duration.ofSeconds(20)))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining("does not answer");
        }
    }

    @Test
    void aRefusedAgentIsToldWithTheSetup() throws Exception {
        addKey("ed25519", false);

        try (SshHost host = new SshHost(login(SshKey.none()), "dgx")) {
            assertThatThrownBy(() -> host.run("true", Duration.ofSeconds(20)))
                    .isInstanceOfSatisfying(
                            Denied.class, e -> assertThat(e.explain()).contains("SSH agent", "ssh-copy-id"));
        }
    }
}
