package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.jenkins.plugins.sshcredentials.SSHUserPrivateKey;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.util.Optional;

/** Logins of the fields that forms have for them. */
final class SshLogins {
    private SshLogins() {}

    /**
     * The login, its credential looked up now.
     *
     * @throws IllegalArgumentException if a host is no address, or there is no such credential in reach
     */
    static SshLogin of(String hosts, String knownHosts, String credentialsId, CredentialStore credentials) {
        SSHUserPrivateKey key = credentials.sshKey(credentialsId);
        String pem = String.join("\n", key.getPrivateKeys());
        Optional<Secret> passphrase =
                Optional.ofNullable(key.getPassphrase()).map(secret -> Secret.of(secret.getPlainText()));
        return new SshLogin(
                FormText.list(hosts).stream().map(SshAddress::parse).toList(),
                key.getUsername(),
                SshKey.ofText(Secret.of(pem), passphrase, "credential '" + credentialsId + "'"),
                HostKeys.ofText(knownHosts));
    }
}
