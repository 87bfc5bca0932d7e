package io.jenkins.plugins.tao.remote.ssh;

import java.util.List;
import java.util.Optional;

/**
 * A jump host on the way to a login host.
 *
 * @param address where it listens, as the hop before it sees it
 * @param user the user on it
 * @param key the key that it takes; empty for the one of the login
 */
public record SshHop(SshAddress address, String user, Optional<SshKey> key) {
    /** The login to this hop, for a login that comes through it. */
    SshLogin login(SshLogin through) {
        return new SshLogin(List.of(address), user, key.orElse(through.key()), through.knownHosts(), through.agent());
    }

    /** The form that OpenSSH takes: {@code user@host:port}. */
    @Override
    public String toString() {
        return user + "@" + address;
    }
}
