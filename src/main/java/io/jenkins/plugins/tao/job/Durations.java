package io.jenkins.plugins.tao.job;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lengths of time as people write and read them. */
public final class Durations {
    /** Lengths of time in each form but that of minutes without a unit. */
    public static final String EXAMPLES = "1d12h, 4h, 90m, 30s, 1-12:00:00";

    /** What is asked for where a text is no length of time. */
    public static final String FORM = "a length of time such as " + EXAMPLES + ", or a number of minutes";

    private static final Pattern UNITS =
            Pattern.compile("(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9})s)?");
    private static final Pattern CLOCK = Pattern.compile("(?:(\\d{1,6})-)?(\\d{1,6}):(\\d{2}):(\\d{2})");
    private static final Pattern MINUTES = Pattern.compile("\\d{1,9}");
    private static final Pattern HOURS = Pattern.compile("\\d{1,6}\\.\\d{1,4}h?");
    private static final int SECONDS_PER_HOUR = 3600;

    private Durations() {}

    /**
     * Reads {@link #EXAMPLES}, {@code 3.8h}, {@code 4:00:00} (hours, minutes, seconds), or minutes as a bare number.
     *
     * @return empty if it is none of these
     */
    public static Optional<Duration> parse(String text) {
        String plain = text.replace(" ", "").toLowerCase(Locale.ROOT);
        if (MINUTES.matcher(plain).matches()) {
            return Optional.of(Duration.ofMinutes(Long.parseLong(plain)));
        }
        if (HOURS.matcher(plain).matches() && plain.endsWith("h")) {
            return Optional.of(ofHours(Double.parseDouble(plain.substring(0, plain.length() - 1))));
        }
        return Stream.of(UNITS, CLOCK)
                .map(form -> form.matcher(plain))
                .filter(match -> !plain.isEmpty() && match.matches())
                .findFirst()
                .map(parts -> sum(part(parts, 1), part(parts, 2), part(parts, 3), part(parts, 4)));
    }

    /** A length of {@code hours}, to the nearest second. */
    public static Duration ofHours(double hours) {
        return Duration.ofSeconds(Math.round(hours * SECONDS_PER_HOUR));
    }

    private static Duration sum(long days, long hours, long minutes, long seconds) {
        return Duration.ofDays(days).plusHours(hours).plusMinutes(minutes).plusSeconds(seconds);
    }

    private static long part(Matcher match, int group) {
        return match.group(group) == null ? 0 : Long.parseLong(match.group(group));
    }

    /** The two largest units: {@code 2d4h}, {@code 3m12s}, {@code 0s}; a negative length counts as none. */
    public static String words(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        long[] parts = {seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60};
        String[] units = {"d", "h", "m", "s"};
        int first = 0;
        while (first < 3 && parts[first] == 0) {
            first++;
        }
        String text = parts[first] + units[first];
        return first < 3 && parts[first + 1] > 0 ? text + parts[first + 1] + units[first + 1] : text;
    }
}
