package io.jenkins.plugins.tao.remote.ssh;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.Option;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Everything needed to log in; two equal ones may share a connection.
 *
 * @param hosts login hosts of one system, at least one, tried in this order until one answers
 * @param user the user on all of them
 * @param key the private key that proves who we are; none for those of the agent
 * @param knownHosts the public keys that prove who they are
 * @param agent the socket of an SSH agent; asked only when there is no key
 */
public record SshLogin(
        @Option(defaultsTo = "required") List<SshAddress> hosts,
        String user,
        SshKey key,
        HostKeys knownHosts,
        Optional<Path> agent) {
    public SshLogin {
        hosts = List.copyOf(hosts);
        require(!hosts.isEmpty(), "there must be at least one login host");
        require(user.matches("[^\\s:'\"]+") && !user.startsWith("-"), "'%s' is not a user name", user);
        boolean byAgent = key instanceof SshKey.None;
        require(
                !byAgent || agent.isPresent(),
                "there must be a key, the path of a private key, or an agent, the path of an SSH agent's socket");
        agent = byAgent ? agent : Optional.empty();
    }

    /** A login by a key. */
    public SshLogin(List<SshAddress> hosts, String user, SshKey key, HostKeys knownHosts) {
        this(hosts, user, key, knownHosts, Optional.empty());
    }
}
