package io.jenkins.plugins.tao.http;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Duration;
import java.util.Optional;

/**
 * How to talk to a service; the doors fill in the proxy.
 *
 * @param proxy the way out of this network; empty: directly, whatever the JVM's own properties say
 * @param connect the longest wait for a connection
 * @param read the longest silence within an answer
 * @param call the longest time for a whole call, so that an answer in drips ends too
 * @param maxBytes the longest answer that is kept in memory
 */
public record HttpSettings(Optional<HttpProxy> proxy, Duration connect, Duration read, Duration call, long maxBytes) {
    private static final Duration CONNECT = Duration.ofSeconds(20);
    private static final Duration READ = Duration.ofMinutes(1);
    private static final Duration CALL = Duration.ofMinutes(2);
    private static final long MAX_BYTES = 32L << 20;

    public HttpSettings {
        require(
                connect.toMillis() > 0 && read.toMillis() > 0 && call.toMillis() > 0,
                "time-outs of HTTP must be positive, were %s, %s and %s",
                connect,
                read,
                call);
        require(maxBytes > 0, "maxBytes must be positive, was %d", maxBytes);
    }

    /** No proxy; 20 s to connect, 60 s of silence, two minutes a call, 32 MiB an answer. */
    public static HttpSettings defaults() {
        return new HttpSettings(Optional.empty(), CONNECT, READ, CALL, MAX_BYTES);
    }

    /** The same through {@code other}. */
    public HttpSettings proxy(Optional<HttpProxy> other) {
        return new HttpSettings(other, connect, read, call, maxBytes);
    }

    /** The same with another longest time for a whole call, and for silence when that is shorter. */
    public HttpSettings call(Duration other) {
        return new HttpSettings(proxy, connect, read.compareTo(other) < 0 ? read : other, other, maxBytes);
    }

    /** The same with another longest answer. */
    public HttpSettings maxBytes(long other) {
        return new HttpSettings(proxy, connect, read, call, other);
    }
}
