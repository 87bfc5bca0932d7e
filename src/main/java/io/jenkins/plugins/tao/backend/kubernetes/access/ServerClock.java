package io.jenkins.plugins.tao.backend.kubernetes.access;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * The API server's clock, from the {@code Date} of its answers: deadlines hold whatever the clock of this machine says. It
 * is set before an answer is handed on; fabric8's own interceptors are called in no fixed order with the caller.
 */
public final class ServerClock implements Interceptor {
    private volatile Optional<Instant> now = Optional.empty();

    /** The time of the last answer; empty before the first. */
    public Optional<Instant> now() {
        return now;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        if (response.header("Date") != null) {
            now = Optional.ofNullable(response.headers().getInstant("Date"));
        }
        return response;
    }
}
