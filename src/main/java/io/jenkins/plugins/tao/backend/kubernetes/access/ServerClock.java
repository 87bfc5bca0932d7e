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
    private volatile long setAt = System.nanoTime();

    /** The time of the last answer; empty before the first. */
    public Optional<Instant> now() {
        return now;
    }

    /** The time by now, as far as can be said without another answer. */
    public Optional<Instant> estimate() {
        return now.map(last -> last.plusNanos(Math.max(0, System.nanoTime() - setAt)));
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        if (response.header("Date") != null) {
            setAt = System.nanoTime();
            now = Optional.ofNullable(response.headers().getInstant("Date"));
        }
        return response;
    }
}
