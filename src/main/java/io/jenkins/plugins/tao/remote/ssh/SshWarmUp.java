package io.jenkins.plugins.tao.remote.ssh;

import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.shell.ProcessShellFactory;

/**
 * An SSH server on loopback for one process: a command that connects to it loads the classes that any connection needs,
 * those of the JDK's cryptography too. It knows one key, which is made for it and lies in a directory of its own.
 */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class SshWarmUp implements AutoCloseable {
    private static final String ADDRESS = "127.0.0.1";
    private static final int KEY_BITS = 256;

    private final SshServer server;
    private final Path directory;

    /**
     * Starts one.
     *
     * @param directory where the key and the known host go
     */
    public static SshWarmUp start(Path directory) throws IOException, GeneralSecurityException {
        KeyPair pair = KeyUtils.generateKeyPair(KeyPairProvider.SSH_ED25519, KEY_BITS);
        SshServer server = SshServer.setUpDefaultServer();
        server.setHost(ADDRESS);
        server.setKeyPairProvider(KeyPairProvider.wrap(pair));
        server.setPublickeyAuthenticator((user, key, session) -> KeyUtils.compareKeys(key, pair.getPublic()));
        SshWarmUp started = new SshWarmUp(server, directory);
        String path = "PATH=" + ShellCommand.quote(started.programs().toString()) + ":\"$PATH\"; ";
        server.setCommandFactory((channel, command) ->
                new ProcessShellFactory(command, "/bin/sh", "-c", path + command).createShell(channel));
        started.write(pair);
        server.start();
        Files.writeString(
                started.knownHosts(),
                "[" + ADDRESS + "]:" + server.getPort() + " " + PublicKeyEntry.toString(pair.getPublic()) + "\n");
        return started;
    }

    private void write(KeyPair pair) throws IOException, GeneralSecurityException {
        Files.createFile(key(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (OutputStream out = Files.newOutputStream(key())) {
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(pair, "", null, out);
        }
    }

    /** Host and port. */
    public String address() {
        return ADDRESS + ":" + server.getPort();
    }

    /** The private key that it lets in. */
    public Path key() {
        return directory.resolve("key");
    }

    /** Programs in this directory are found before those of the machine; it is not made here. */
    public Path programs() {
        return directory.resolve("bin");
    }

    /** The file that names its own key. */
    public Path knownHosts() {
        return directory.resolve("known_hosts");
    }

    @Override
    public void close() throws IOException {
        server.stop(true);
    }
}
