package io.jenkins.plugins.tao.backend.lepton.logs;

import io.jenkins.plugins.tao.backend.lepton.view.LogLine;
import java.util.List;

/**
 * The range of a log that one question covers. The log store gives the newest lines of a range first, so what is wanted
 * oldest first is asked in ranges small enough to be answered whole. Pure.
 *
 * @param from the first nanosecond
 * @param to the nanosecond behind the last
 * @param now nothing is asked for behind it
 * @param crowd where the lines begin that were too many for an answer; 0 when that is not known
 */
record LogWindow(long from, long to, long now, long crowd) {
    private static final double FILL = 0.7;
    private static final int GROWTH = 4;

    /** From {@code from} on, over {@code span} nanoseconds; 0 for all. */
    static LogWindow of(long from, long span, long now) {
        long end = Math.max(now, from + 1);
        return new LogWindow(from, span == 0 ? end : Math.min(end, from + span), end, 0);
    }

    /** Whether lines of it may be missing in an answer that is full, so that a smaller one must be asked for. */
    boolean divisible() {
        return to - from > 1;
    }

    /** Whether nothing lies behind it. */
    boolean reachesNow() {
        return to >= now;
    }

    /** Its older half, when its answer began with {@code oldest} and did not reach back to its beginning. */
    LogWindow older(long oldest) {
        long known = Math.min(oldest, to);
        return new LogWindow(from, from + half(from, known), now, known);
    }

    /** The range behind it, or behind {@code newest} when that is later; as wide as its {@code lines} propose. */
    LogWindow behind(long newest, List<LogLine> lines) {
        long start = Math.max(to, newest);
        long span = crowd > start ? Math.min(nextSpan(lines), half(start, crowd)) : nextSpan(lines);
        return new LogWindow(start, Math.min(Math.max(now, start + 1), start + span), Math.max(now, start + 1), crowd);
    }

    private static long half(long from, long to) {
        return Math.max(1, (to - from) / 2);
    }

    /** A width that should give a page that is nearly full. */
    long nextSpan(List<LogLine> lines) {
        long length = lines.stream().mapToLong(line -> line.text().length()).sum();
        double factor = Math.min(
                lines.isEmpty() ? GROWTH : Math.min(GROWTH, FILL * LeptonLog.PAGE / lines.size()),
                FILL * LeptonLog.PAGE_LENGTH / Math.max(1, length));
        return Math.max(1, (long) ((to - from) * factor));
    }
}
