package io.jenkins.plugins.tao.backend.kubernetes.access;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * How long the API server asks to wait when it is asked too much: the header {@code Retry-After} of an answer 429, in
 * seconds. The server's priority and fairness sends it beside a text that is no {@code Status}. Source:
 * https://kubernetes.io/docs/concepts/cluster-administration/flow-control/
 */
public final class ServerPatience implements Interceptor {
    private static final int TOO_MANY = 429;

    private volatile Optional<Duration> asked = Optional.empty();

    /** What the last answer 429 asked for; empty when it asked for nothing that can be read. */
    public Optional<Duration> asked() {
        return asked;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        if (response.code() == TOO_MANY) {
            asked = Optional.ofNullable(response.header("Retry-After"))
                    .map(String::strip)
                    .filter(text -> text.matches("\\d{1,9}"))
                    .map(text -> Duration.ofSeconds(Long.parseLong(text)));
        }
        return response;
    }
}
