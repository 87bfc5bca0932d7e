package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/** The API server's clock, from the {@code Date} of its answers: deadlines hold whatever the clock of this machine says. */
final class ServerClock implements Interceptor {
    private volatile Optional<Instant> now = Optional.empty();

    /** The time of the last answer; empty before the first. */
    Optional<Instant> now() {
        return now;
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        String date = response.header("Date");
        if (date != null) {
            try {
                now = Optional.of(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant());
            } catch (DateTimeException e) {
                now = Optional.empty();
            }
        }
    }
}
