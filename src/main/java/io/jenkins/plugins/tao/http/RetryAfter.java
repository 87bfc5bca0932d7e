package io.jenkins.plugins.tao.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;

/**
 * How long a service asks to wait.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#field.retry-after">RFC 9110, 10.2.3</a>
 */
final class RetryAfter {
    private static final Duration LONGEST = Duration.ofHours(1);

    private RetryAfter() {}

    /** Seconds, or a date against the answer's own {@code Date}; at most an hour; empty when absent, past or odd. */
    static Optional<Duration> of(Headers headers) {
        String value = headers.get("Retry-After");
        if (value == null) {
            return Optional.empty();
        }
        Optional<Duration> wait = value.strip().matches("\\d{1,9}")
                ? Optional.of(Duration.ofSeconds(Long.parseLong(value.strip())))
                : date(value).flatMap(until -> date(headers.get("Date")).map(now -> Duration.between(now, until)));
        return wait.filter(time -> !time.isNegative() && !time.isZero())
                .map(time -> time.compareTo(LONGEST) > 0 ? LONGEST : time);
    }

    static Optional<Instant> date(@Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
