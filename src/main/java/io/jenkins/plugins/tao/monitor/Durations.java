package io.jenkins.plugins.tao.monitor;

import java.time.Duration;

/** Lengths of time for people. */
public final class Durations {
    private Durations() {}

    /** {@code 4s}, {@code 3m12s}, {@code 2h11m} or {@code 3d4h}: the two largest units; a negative length counts as none. */
    public static String words(Duration length) {
        if (length.isNegative()) {
            return "0s";
        }
        if (length.toDays() > 0) {
            return length.toDays() + "d" + length.toHoursPart() + "h";
        }
        if (length.toHours() > 0) {
            return length.toHours() + "h" + length.toMinutesPart() + "m";
        }
        return length.toMinutes() > 0
                ? length.toMinutes() + "m" + length.toSecondsPart() + "s"
                : length.toSeconds() + "s";
    }
}
