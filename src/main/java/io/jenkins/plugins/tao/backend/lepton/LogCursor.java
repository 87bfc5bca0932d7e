package io.jenkins.plugins.tao.backend.lepton;

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
 */
record LogCursor(Map<Integer, Mark> marks, long base) {
    /** The last line of a worker. */
    record Mark(long at, int count) {}

    private static final Pattern MARK = Pattern.compile("(\\d{1,6})=(\\d{1,19})\\.(\\d{1,9})");

    /** A worker whose lines come late is waited for this long, in the log's own time. */
    private static final long PATIENCE = 120_000_000_000L;

    static LogCursor parse(Position position) {
        Map<Integer, Mark> marks = new TreeMap<>();
        String[] parts = position.file().split("@", 2);
        Matcher match = MARK.matcher(parts[0]);
        while (match.find()) {
            marks.put(
                    Integer.parseInt(match.group(1)),
                    new Mark(Long.parseLong(match.group(2)), Integer.parseInt(match.group(3))));
        }
        boolean told = parts.length == 2 && parts[1].matches("\\d{1,18}");
        return new LogCursor(marks, told ? Long.parseLong(parts[1]) : position.byteOffset());
    }

    Position position() {
        List<String> words = new ArrayList<>();
        marks.forEach((worker, mark) -> words.add(worker + "=" + mark.at() + "." + mark.count()));
        return new Position(String.join(",", words) + "@" + base, base);
    }

    /** The nanosecond to ask from; {@code first} before anything was read. */
    long start(long first) {
        long newest = newest();
        if (newest == 0) {
            return first;
        }
        long oldest = marks.values().stream().mapToLong(Mark::at).min().orElse(first);
        return Math.max(first, Math.max(oldest, newest - PATIENCE));
    }

    long newest() {
        return marks.values().stream().mapToLong(Mark::at).max().orElse(0);
    }

    /** Whether a line, the {@code nth} of its worker and time, was read before. */
    boolean done(LogLine line, int nth) {
        Mark mark = marks.get(line.worker());
        return mark != null && (line.at() < mark.at() || (line.at() == mark.at() && nth <= mark.count()));
    }

    LogCursor moved(Map<Integer, Mark> further, long bytes) {
        Map<Integer, Mark> all = new TreeMap<>(marks);
        all.putAll(further);
        return new LogCursor(all, base + bytes);
    }
}
