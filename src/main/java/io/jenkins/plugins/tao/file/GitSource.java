package io.jenkins.plugins.tao.file;

import io.jenkins.plugins.tao.job.GitCode;
import java.util.List;
import java.util.Optional;

/**
 * Code that a job fetches itself, as its file says it: a mapping in place of a directory.
 *
 * @param git the address of the repository
 * @param commit all digits of the commit
 * @param credential where the token, {@code user:password} or private key is found; empty for none
 */
public record GitSource(String git, String commit, Optional<SecretRef> credential) {
    static final String KEY = "code";
    private static final String SECRETS = "secrets";
    private static final FileReader READER = new FileReader();

    /** What the file says of it; empty where it names a directory, or nothing. */
    public static Optional<GitSource> of(Value.Keyed section) {
        Optional<Value> code = section.get(KEY);
        return code.isPresent() && code.get() instanceof Value.Keyed keyed
                ? Optional.of(READER.bind(keyed, GitSource.class))
                : Optional.empty();
    }

    /** The file without it, its credential among the secrets of the job. */
    public Value.Keyed out(Value.Keyed section) {
        Value.Keyed rest = section.without(KEY);
        return credential.isEmpty()
                ? rest
                : rest.with(
                        List.of(SECRETS, GitCode.SECRET),
                        new Value.Text(section.where(), credential.get().toString(), true));
    }

    /** As the job has it. */
    public GitCode code() {
        return new GitCode(git, commit, credential.map(any -> GitCode.SECRET));
    }
}
