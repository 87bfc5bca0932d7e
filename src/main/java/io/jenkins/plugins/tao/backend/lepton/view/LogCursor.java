package io.jenkins.plugins.tao.backend.lepton.view;

import io.jenkins.plugins.tao.backend.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a job's log was read: for each worker the time of its last line and how many lines of that very time are done,
 * for one nanosecond may have several.
 *
 * @param base bytes that were handed out before
 * @param span how many nanoseconds the next page should cover, as the one before told; 0 for all up to now
 */
public record LogCursor(Map<Integer, Mark> marks, long base, long span) {
    /** Before anything was read. */
    public static final LogCursor NONE = new LogCursor(Map.of(), 0, 0);

    /** The last line of a worker. */
    public record Mark(long at, int count) {}

    private static final Pattern MARK = Pattern.compile("(\\d{1,6})=(\\d{1,19})\\.(\\d{1,9})");
    private static final Pattern REST = Pattern.compile("(\\d{1,18})(?:~(\\d{1,18}))?");

    /** A worker whose lines come late is waited for this long, in the log's own time. */
    private static final long PATIENCE = 120_000_000_000L;

    public static LogCursor parse(Position position) {
        Map<Integer, Mark> marks = new TreeMap<>();
        String[] parts = position.file().split("@", 2);
        Matcher match = MARK.matcher(parts[0]);
        while (match.find()) {
            marks.put(
                    Integer.parseInt(match.group(1)),
                    new Mark(Long.parseLong(match.group(2)), Integer.parseInt(match.group(3))));
        }
        Matcher rest = REST.matcher(parts.length == 2 ? parts[1] : "");
        if (!rest.matches()) {
            return new LogCursor(marks, position.byteOffset(), 0);
        }
        long span = rest.group(2) == null ? 0 : Long.parseLong(rest.group(2));
        return new LogCursor(marks, Long.parseLong(rest.group(1)), span);
    }

    public Position position() {
        List<String> words = new ArrayList<>();
        marks.forEach((worker, mark) -> words.add(worker + "=" + mark.at() + "." + mark.count()));
        return new Position(String.join(",", words) + "@" + base + (span > 0 ? "~" + span : ""), base);
    }

    /** The nanosecond to ask from; {@code first} before anything was read. */
    public long start(long first) {
        long newest = newest();
        if (newest == 0) {
            return first;
        }
        long oldest = marks.values().stream().mapToLong(Mark::at).min().orElse(first);
        return Math.max(first, Math.max(oldest, newest - PATIENCE));
    }

    public long newest() {
        return marks.values().stream().mapToLong(Mark::at).max().orElse(0);
    }

    /** Whether a line, the {@code nth} of its worker and time, was read before. */
    public boolean done(LogLine line, int nth) {
        Mark mark = marks.get(line.worker());
        return mark != null && (line.at() < mark.at() || (line.at() == mark.at() && nth <= mark.count()));
    }

    public LogCursor moved(Map<Integer, Mark> further, long bytes, long nextSpan) {
        Map<Integer, Mark> all = new TreeMap<>(marks);
        all.putAll(further);
        return new LogCursor(all, base + bytes, nextSpan);
    }
}
