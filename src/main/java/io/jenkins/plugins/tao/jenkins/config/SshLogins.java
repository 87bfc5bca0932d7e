package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.jenkins.plugins.sshcredentials.SSHUserPrivateKey;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshHop;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields that forms have for a login.
 *
 * @param jump the host on the way; null for the direct way
 */
record SshLogins(String hosts, String knownHosts, @Nullable ProxyJumpConfiguration jump, CredentialStore credentials) {

    /**
     * A login by a key, its credential looked up now.
     *
     * @throws IllegalArgumentException if a host is no address, or there is no such credential in reach
     */
    SshLogin byKey(String credentialsId) {
        SSHUserPrivateKey key = credentials.sshKey(credentialsId);
        return login(key.getUsername(), key(key, credentialsId), Optional.empty());
    }

    /** A login of {@code user} by the keys of the agent at {@code socket}. */
    SshLogin byAgent(String user, String socket) {
        return login(user, SshKey.none(), Optional.of(Path.of(socket)));
    }

    private SshLogin login(String user, SshKey key, Optional<Path> agent) {
        List<SshHop> jumps = jump == null ? List.of() : List.of(jump.toHop(user, credentials));
        List<SshAddress> addresses = FormText.list(hosts).stream()
                .map(SshAddress::parse)
                .map(host -> new SshAddress(host.host(), host.port(), Optional.empty(), jumps))
                .toList();
        return new SshLogin(addresses, user, key, HostKeys.ofText(knownHosts), agent);
    }

    static SshKey key(SSHUserPrivateKey key, String credentialsId) {
        Optional<Secret> passphrase =
                Optional.ofNullable(key.getPassphrase()).map(secret -> Secret.of(secret.getPlainText()));
        return SshKey.ofText(
                Secret.of(String.join("\n", key.getPrivateKeys())), passphrase, "credential '" + credentialsId + "'");
    }
}
