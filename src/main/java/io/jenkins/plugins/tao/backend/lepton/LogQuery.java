package io.jenkins.plugins.tao.backend.lepton;

import java.util.OptionalLong;

/**
 * A question to the log store.
 *
 * @param text only lines that contain it; empty for all
 * @param start from this nanosecond on
 * @param end before this nanosecond
 * @param backward the newest first
 */
record LogQuery(String job, String text, OptionalLong start, OptionalLong end, int limit, boolean backward) {
    /** Lines from {@code start} on, the oldest first. */
    static LogQuery from(String job, long start, int limit) {
        return new LogQuery(job, "", OptionalLong.of(start), OptionalLong.empty(), limit, false);
    }

    /** The last lines since {@code start} and before {@code end}. */
    static LogQuery last(String job, long start, OptionalLong end, int limit) {
        return new LogQuery(job, "", OptionalLong.of(start), end, limit, true);
    }

    /** The same for lines that contain {@code words}. */
    LogQuery with(String words) {
        return new LogQuery(job, words, start, end, limit, backward);
    }
}
