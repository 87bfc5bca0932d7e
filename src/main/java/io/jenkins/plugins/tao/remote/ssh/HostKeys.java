package io.jenkins.plugins.tao.remote.ssh;

import static io.jenkins.plugins.tao.job.Require.require;

import java.nio.file.Path;
import java.util.List;

/**
 * The trusted public keys of servers, in the format of OpenSSH's {@code known_hosts}: hashed names, {@code [host]:port},
 * {@code @cert-authority} and {@code @revoked} included; lines that cannot be read are left out. A server whose key is not
 * among them is refused.
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
        return ofFiles(List.of(path), List.of());
    }

    /** Several files, of which one at least must be there. The keys in the files {@code revoked}, which must all be there, are refused. */
    static HostKeys ofFiles(List<Path> paths, List<Path> revoked) {
        return new FileList(
                paths.stream()
                        .map(path -> path.toAbsolutePath().normalize())
                        .distinct()
                        .toList(),
                revoked.stream().distinct().toList());
    }

    /** Lines given as text. */
    record Text(String lines) implements HostKeys {
        @Override
        public String toString() {
            return "the given host keys";
        }
    }

    /** Lines in files; what is added goes to the first. */
    record FileList(List<Path> paths, List<Path> revoked) implements HostKeys {
        public FileList {
            require(!paths.isEmpty(), "there must be a file of trusted host keys");
        }

        @Override
        public String toString() {
            return paths.get(0).toString();
        }
    }
}
