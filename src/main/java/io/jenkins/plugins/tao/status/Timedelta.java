package io.jenkins.plugins.tao.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads lengths of time as {@code str(datetime.timedelta)} writes them. */
final class Timedelta {
    private static final Pattern FORM =
            Pattern.compile("(?:(\\d{1,6}) days?, )?(\\d{1,6}):(\\d{1,2}):(\\d{1,2})(?:\\.(\\d{1,9})\\d*)?");
    private static final double LONGEST_SECONDS = Duration.ofDays(1_000_000).toSeconds();
    private static final int NANO_DIGITS = 9;

    private Timedelta() {}

    /**
     * The time left.
     *
     * @param value {@code [days day[s], ]hours:minutes:seconds[.fraction]}, or a number of seconds
     * @return empty when it is neither, or negative
     */
    static Optional<Duration> read(JsonNode value) {
        OptionalDouble seconds = Numbers.finite(value);
        if (seconds.isPresent()) {
            return ofSeconds(seconds.getAsDouble());
        }
        Matcher match = FORM.matcher(value.asText().strip());
        return match.matches() ? Optional.of(of(match)) : Optional.empty();
    }

    private static Optional<Duration> ofSeconds(double seconds) {
        boolean sensible = seconds >= 0 && seconds <= LONGEST_SECONDS;
        return sensible ? Optional.of(Duration.ofMillis(Math.round(seconds * 1000))) : Optional.empty();
    }

    private static Duration of(Matcher match) {
        String fraction = match.group(5) == null ? "" : match.group(5);
        return Duration.ofDays(number(match.group(1)))
                .plusHours(number(match.group(2)))
                .plusMinutes(number(match.group(3)))
                .plusSeconds(number(match.group(4)))
                .plusNanos(number(fraction + "0".repeat(NANO_DIGITS - fraction.length())));
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
