package io.jenkins.plugins.tao.http;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Secret;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;
import okhttp3.Credentials;

/** Who asks. It is named in errors, never shown; texts of a service that repeat it are masked. */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class HttpCredential {
    private final String name;
    private final String renewal;
    private final Optional<Secret> header;
    private final List<Secret> hidden;

    /**
     * A token, sent as {@code Authorization: Bearer}.
     *
     * @param name as an error names it: {@code credential 'lepton'}
     * @param renewal a sentence: how to get another one
     */
    public static HttpCredential bearer(String name, Secret token, String renewal) {
        String value = usable(name, token.reveal().strip());
        return new HttpCredential(name, renewal, Optional.of(Secret.of("Bearer " + value)), List.of(Secret.of(value)));
    }

    /** A user and a password or key, sent as {@code Authorization: Basic}. */
    public static HttpCredential basic(String name, String user, Secret password, String renewal) {
        String value = password.reveal().strip();
        String header = Credentials.basic(user, value);
        return new HttpCredential(
                name, renewal, Optional.of(Secret.of(header)), List.of(Secret.of(value), Secret.of(header)));
    }

    /** Nothing is added to requests: they carry signatures of their own, or need none. */
    public static HttpCredential ofRequests(String name, String renewal, Secret... hidden) {
        return new HttpCredential(name, renewal, Optional.empty(), List.of(hidden));
    }

    String name() {
        return name;
    }

    String renewal() {
        return renewal;
    }

    Optional<Secret> header() {
        return header;
    }

    Stream<Secret> hidden() {
        return hidden.stream();
    }

    @Override
    public String toString() {
        return name;
    }

    private static String usable(String name, String value) {
        require(!value.isEmpty(), "%s is empty", name);
        require(
                value.chars().allMatch(c -> c > ' ' && c < 0x7f),
                "%s holds a space, a line break or a letter that no token has",
                name);
        return value;
    }
}
