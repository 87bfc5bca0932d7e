package io.jenkins.plugins.tao.jenkins.run;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.job.GitCode;
import io.jenkins.plugins.tao.job.text.Suggestions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Code that a job fetches itself, as a step says it: {@code code: [git: …, commit: …, credentialsId: …]} in place of a directory. */
public final class GitRequest {
    private static final String GIT = "git";
    private static final String COMMIT = "commit";
    private static final String CREDENTIAL = "credentialsId";
    private static final Set<String> KEYS = Set.of(GIT, COMMIT, CREDENTIAL);

    private GitRequest() {}

    /** Whether {@code code} names a repository, and no directory of the workspace. */
    public static boolean isGit(String code) {
        return code.matches("(?s)(.*[\\s{])?[\"']?(git|commit|credentialsId)[\"']?:\\s.*");
    }

    /**
     * The commit; empty where {@code code} is a directory or nothing.
     *
     * @throws IllegalArgumentException if something is missing or unknown
     */
    static Optional<GitCode> of(String code) {
        if (!isGit(code)) {
            return Optional.empty();
        }
        Map<String, String> keys = FormText.texts("code", code);
        Suggestions.check("code", keys.keySet(), KEYS);
        require(
                keys.containsKey(GIT) && keys.containsKey(COMMIT),
                "code by Git needs git, the address, and commit, all its digits, as in env.GIT_COMMIT");
        return Optional.of(new GitCode(
                Optional.ofNullable(keys.get(GIT)).orElse(""),
                Optional.ofNullable(keys.get(COMMIT)).orElse(""),
                credential(code).map(id -> GitCode.SECRET)));
    }

    /** The id of the credential that proves who asks. */
    static Optional<String> credential(String code) {
        return isGit(code)
                ? Optional.ofNullable(FormText.texts("code", code).get(CREDENTIAL))
                        .filter(id -> !id.isBlank())
                : Optional.empty();
    }
}
