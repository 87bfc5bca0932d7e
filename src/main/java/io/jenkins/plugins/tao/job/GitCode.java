package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A commit that a job fetches itself and starts in.
 *
 * @param url where Git finds the repository: {@code https://…}, {@code ssh://…}, {@code user@host:path} or {@code file://…}, without a
 *     password
 * @param commit 40 or 64 hexadecimal digits: a branch would be another commit tomorrow
 * @param secret the name of the job's secret that proves who asks: a token or {@code user:password} for {@code https}, a private key
 *     for {@code ssh}; empty for none
 */
public record GitCode(String url, String commit, Optional<String> secret) {
    /** The name of the secret that doors keep the credential under. */
    public static final String SECRET = "TAO_GIT_CREDENTIAL";

    private static final Pattern URL = Pattern.compile(
            "(https?|ssh|git|file)://[!-~]+|[A-Za-z0-9][A-Za-z0-9._-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[!-~]+");
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}([0-9a-f]{24})?");

    public GitCode {
        require(
                URL.matcher(url).matches(),
                "'%s' is not an address of a Git repository such as https://git.example/team/train.git",
                withoutUser(url));
        require(
                !url.matches("https?://[^/]*@.*") && !url.matches("ssh://[^/@]*:[^/@]*@.*"),
                "the address of a Git repository must hold no user or password; give a credential instead of them in '%s'",
                withoutUser(url));
        require(COMMIT.matcher(commit).matches(), "'%s' is not a commit: 40 hexadecimal digits, all of them", commit);
        secret.ifPresent(Require::requireEnvName);
    }

    /** A text that may be an address, without what may be a password in it. */
    private static String withoutUser(String text) {
        return text.replaceFirst("(://)[^/@]*@", "$1***@");
    }

    /** Whether the repository is asked by SSH. */
    public boolean overSsh() {
        return !url.contains("://") || url.startsWith("ssh://");
    }
}
