package io.jenkins.plugins.tao.backend.kubernetes.view;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The lines of a pod's log after a mark.
 *
 * @param lines complete lines with their end, as the container wrote them
 * @param more whether the log holds more than was taken
 */
public record LogReply(List<Line> lines, boolean more) {
    private static final int LONGEST_TIME = 40;
    /** A longer line is given out in pieces: a progress bar may write for days without a line end. */
    static final int LONGEST_LINE = 64 * 1024;

    /** A line and when the container wrote it. */
    @SuppressWarnings("ArrayRecordComponent") // a line goes from one reader to the next
    public record Line(Instant at, byte[] text) {}

    /**
     * Reads on behind {@code mark}: the server gives whole seconds, so the lines before it come again.
     *
     * @param over whether nothing will follow, so that a last line without its end is one
     * @param maxBytes what is read at most of new lines
     */
    public static LogReply read(BufferedInputStream in, Optional<LogCursor.Mark> mark, boolean over, long maxBytes)
            throws IOException {
        List<Line> lines = new ArrayList<>();
        int same = 0;
        long bytes = 0;
        Instant last = mark.map(LogCursor.Mark::at).orElse(Instant.EPOCH);
        while (bytes < maxBytes) {
            Optional<byte[]> raw = line(in, over);
            if (raw.isEmpty()) {
                return new LogReply(lines, false);
            }
            Line line = split(raw.get(), last);
            boolean known = mark.isPresent() && line.at().isBefore(mark.get().at());
            if (mark.isPresent() && line.at().equals(mark.get().at())) {
                known = ++same <= mark.get().lines();
            }
            if (!known) {
                lines.add(line);
                bytes += line.text().length;
            }
            last = line.at();
        }
        return new LogReply(lines, true);
    }

    private static Optional<byte[]> line(BufferedInputStream in, boolean over) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = in.read();
        while (next >= 0 && next != '\n' && line.size() < LONGEST_LINE) {
            line.write(next);
            in.mark(1);
            next = in.read();
        }
        if (line.size() == LONGEST_LINE && next != '\n' && next >= 0) {
            in.reset();
        } else if (next < 0 && line.size() < LONGEST_LINE && (line.size() == 0 || !over)) {
            return Optional.empty();
        }
        line.write('\n');
        return Optional.of(line.toByteArray());
    }

    /** A line without a time is what the server itself put there, or the rest of a cut one. */
    private static Line split(byte[] raw, Instant before) {
        int blank = 0;
        while (blank < Math.min(raw.length, LONGEST_TIME) && raw[blank] != ' ') {
            blank++;
        }
        String time = new String(raw, 0, blank, StandardCharsets.US_ASCII).strip();
        Optional<Instant> at = PodView.time(time);
        int from = at.isPresent() ? Math.min(blank + 1, raw.length - 1) : 0;
        byte[] text = java.util.Arrays.copyOfRange(raw, from, raw.length);
        return new Line(at.orElse(before), text);
    }
}
