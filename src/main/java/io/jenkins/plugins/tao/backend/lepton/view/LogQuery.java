package io.jenkins.plugins.tao.backend.lepton.view;

/**
 * A question to the log store; the answer has the newest lines of the range when there are more than {@code limit}.
 *
 * @param text only lines that contain it; empty for all
 * @param start from this nanosecond on
 * @param end before this nanosecond
 */
public record LogQuery(String job, String text, long start, long end, int limit) {
    /** All lines of a range. */
    public static LogQuery between(String job, long start, long end, int limit) {
        return new LogQuery(job, "", start, Math.max(start + 1, end), limit);
    }

    /** The same for another number of lines. */
    public LogQuery atMost(int lines) {
        return new LogQuery(job, text, start, end, lines);
    }

    /** The same for lines that contain {@code words}. */
    public LogQuery with(String words) {
        return new LogQuery(job, words, start, end, limit);
    }
}
