package io.jenkins.plugins.tao.remote.ssh;

import java.nio.file.Path;

/**
 * The trusted public keys of servers, in the format of OpenSSH's {@code known_hosts}: hashed names, {@code [host]:port}
 * and {@code @revoked} included; {@code @cert-authority} lines and lines that cannot be read pass by. A server whose key
 * is not among them is refused.
 *
 * @see <a href="https://man.openbsd.org/sshd.8#SSH_KNOWN_HOSTS_FILE_FORMAT">sshd(8), SSH_KNOWN_HOSTS FILE FORMAT</a>
 */
public sealed interface HostKeys {
    /** Lines that are at hand. */
    static HostKeys ofText(String knownHosts) {
        return new Text(knownHosts);
    }

    /** A file of this machine, read at each connect. */
    static HostKeys ofFile(Path path) {
        return new File(path.toAbsolutePath().normalize());
    }

    /** Lines given as text. */
    record Text(String lines) implements HostKeys {
        @Override
        public String toString() {
            return "the given host keys";
        }
    }

    /** Lines in a file. */
    record File(Path path) implements HostKeys {
        @Override
        public String toString() {
            return path.toString();
        }
    }
}
