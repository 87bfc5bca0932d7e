package io.jenkins.plugins.tao.backend.slurm.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.SecretSource;
import io.jenkins.plugins.tao.job.text.Option;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a cluster's {@code slurmrestd} is asked instead of Slurm's commands, without a proxy. Files still go by the target's login.
 *
 * @param url where it answers, without a version: {@code https://slurm.example}
 * @param user the user whose token it is; jobs run as that user
 * @param token a token of auth/jwt, as {@code scontrol token} prints it, with or without {@code SLURM_JWT=}; read for each
 *     request, so a renewed one is used at once
 * @param plainText whether {@code http} may be used to another machine, where others on the network can read the token
 * @see <a href="https://slurm.schedmd.com/rest.html">Slurm REST API</a>, read for Slurm 22.05
 */
public record SlurmRest(
        String url,
        String user,
        SecretSource token,
        @Option(defaultsTo = "no") Optional<Boolean> plainText) {
    private static final Pattern ADDRESS = Pattern.compile("https?://[^/?#@\\s]++(/[^?#\\s]*+)?+");
    private static final Pattern SAFE =
            Pattern.compile("https://.*|http://(localhost|127(\\.\\d++){3}|\\[::1\\])([:/].*)?");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@-]*+");

    public SlurmRest {
        url = url.strip().replaceAll("/+$", "");
        require(
                ADDRESS.matcher(url).matches(),
                "url must be the address of slurmrestd as in https://slurm.example:6820, without user or query, was '%s'",
                url);
        require(
                SAFE.matcher(url).matches() || plainText.orElse(false),
                "url '%s' is not https, so that the token could be read on the network. Put a proxy with TLS before slurmrestd, or"
                        + " allow it with plainText: true",
                url);
        require(USER.matcher(user).matches(), "user must be the name of a user of the cluster, was '%s'", user);
    }
}
