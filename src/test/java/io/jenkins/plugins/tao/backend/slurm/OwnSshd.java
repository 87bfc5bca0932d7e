package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.FreePort;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/**
 * One more login host of the rig's cluster for one test, by OpenSSH's own server, with settings that would disturb the
 * others: limits, banners, another shell, other commands on the PATH, a full disk.
 */
final class OwnSshd implements AutoCloseable {
    private static final Path KEYS = SlurmRig.STATE.resolve("keys");

    private final Path configuration;
    private final Process process;
    private final int port;

    private OwnSshd(Path configuration, Process process, int port) {
        this.configuration = configuration;
        this.process = process;
        this.port = port;
    }

    /** A server with these lines of sshd_config. */
    static OwnSshd start(String... lines) throws IOException {
        return startAfter(":", lines);
    }

    /** The same after {@code prelude}, shell text that runs as root where mounts are seen by this host alone. */
    static OwnSshd startAfter(String prelude, String... lines) throws IOException {
        return start(List.of("unshare", "--mount", "--uts"), "hostname login3 && " + prelude, lines);
    }

    /** The same where mounts are seen by this host and by one node of the rig. */
    static OwnSshd startBeside(String node, String prelude) throws IOException {
        long started = Long.parseLong(
                Files.readString(SlurmRig.STATE.resolve("pid/" + node + ".pid")).split(" ", -1)[0]);
        long first = ProcessHandle.of(started)
                .flatMap(process -> process.children().findFirst())
                .map(ProcessHandle::pid)
                .orElseThrow(() -> new IOException(node + " is not up"));
        return start(List.of("nsenter", "--target", Long.toString(first), "--mount", "--pid"), prelude);
    }

    private static OwnSshd start(List<String> where, String prelude, String... lines) throws IOException {
        int port = FreePort.find();
        Path configuration = Files.createTempFile(SlurmRig.STATE, "own-sshd", ".conf");
        Files.writeString(
                configuration,
                String.join(
                                "\n",
                                "ListenAddress 127.0.0.1:" + port,
                                "HostKey " + KEYS.resolve("login1_host"),
                                "AuthorizedKeysFile " + KEYS.resolve("authorized_keys"),
                                "PidFile none",
                                "PasswordAuthentication no",
                                "KbdInteractiveAuthentication no",
                                "AllowUsers tao",
                                "UsePAM no",
                                String.join("\n", lines))
                        + "\n");
        List<String> words = new ArrayList<>(where);
        words.addAll(List.of("/bin/sh", "-c", prelude + " && exec /usr/sbin/sshd -D -e -f " + configuration));
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Awaitility.await("sshd listens").until(() -> !process.isAlive() || answers(port));
        return new OwnSshd(configuration, process, port);
    }

    int port() {
        return port;
    }

    SshAddress address() {
        return new SshAddress("127.0.0.1", port);
    }

    SshLogin login() throws IOException {
        return loginThrough(List.of(address()));
    }

    /** A login at these addresses, all of which lead to a server with the rig's first host key. */
    static SshLogin loginThrough(List<SshAddress> addresses) throws IOException {
        String[] key = Files.readString(KEYS.resolve("login1_host.pub")).split(" ", -1);
        StringBuilder known = new StringBuilder();
        for (SshAddress address : addresses) {
            known.append("[127.0.0.1]:" + address.port() + " " + key[0] + " " + key[1] + "\n");
        }
        SshKey own = SshKey.ofFile(KEYS.resolve("tao_ed25519"), Optional.empty());
        return new SshLogin(addresses, "tao", own, HostKeys.ofText(known.toString()));
    }

    /** A target of its own directory, reached through this server. */
    SlurmTarget target(String subdirectory) throws IOException {
        return Records.of(
                SlurmTarget.class,
                "name",
                "rig",
                "login",
                login(),
                "baseDirectory",
                "/lustre/tao/" + subdirectory,
                "maxGpusPerNode",
                8);
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        Files.delete(configuration);
    }

    private static boolean answers(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (java.net.ConnectException e) {
            return false;
        }
    }
}
