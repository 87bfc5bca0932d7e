package io.jenkins.plugins.tao.remote;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.List;

/**
 * Everything needed to log in; two equal ones may share a connection.
 *
 * @param hosts login hosts of one system, tried in this order until one answers
 * @param user the user on all of them
 * @param key the private key that proves who we are
 * @param hostKeys the public keys that prove who they are
 */
public record SshLogin(List<SshAddress> hosts, String user, SshKey key, HostKeys hostKeys) {
    public SshLogin {
        hosts = List.copyOf(hosts);
        require(!hosts.isEmpty(), "there must be at least one login host");
        require(user.matches("[^\\s@:'\"\\\\]+") && !user.startsWith("-"), "'%s' is not a user name", user);
    }
}
