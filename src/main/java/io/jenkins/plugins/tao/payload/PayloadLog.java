package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.job.JobKey;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Takes the log of a {@link Payload} apart again: the command's own output, the lines of {@code status.json}, what the node
 * tells of its GPUs, the exit code. Pure and without memory, so that a backend may read on from any saved position: what cannot be told yet of a
 * piece is left to the next one.
 *
 * <p>The frame writes an empty line before each mark. It is taken away with the mark, so that the command's output
 * comes out as it went in even where a mark fell into an unfinished line.
 */
public final class PayloadLog {
    /** Longer lines of status are not told, so that a longer mark is none. */
    private static final int LONGEST_MARK = 1 << 19;

    private static final byte[] STATUS = "status ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MACHINE = "machine ".getBytes(StandardCharsets.US_ASCII);
    private static final int LF = '\n';

    private final byte[] mark;
    private final boolean wholeLines;

    private PayloadLog(JobKey key, boolean wholeLines) {
        mark = ("@tao[" + key + "] ").getBytes(StandardCharsets.US_ASCII);
        this.wholeLines = wholeLines;
    }

    /** Reads a log that holds the bytes as they were written; marks of other jobs are output like any other. */
    public static PayloadLog ofBytes(JobKey key) {
        return new PayloadLog(key, false);
    }

    /** Reads a log that is kept as lines, where empty ones may have been left out. */
    public static PayloadLog ofLines(JobKey key) {
        return new PayloadLog(key, true);
    }

    /**
     * What one piece of a log holds.
     *
     * @param output the command's output, cut anywhere
     * @param status complete lines of {@code status.json}
     * @param machine complete lines of {@code gpus.sh}
     * @param exitCode the command's exit code; empty before the end
     * @param consumed bytes of the piece that are done with; the rest must begin the next piece
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes go from one reader to the next, a copy would double the cost
    public record Piece(byte[] output, byte[] status, byte[] machine, OptionalInt exitCode, int consumed) {}

    /**
     * Splits the next piece.
     *
     * @param bytes what follows the bytes that were consumed before; may begin and end within a line or a character
     * @param ended whether nothing will follow, so that nothing needs to wait
     */
    public Piece split(byte[] bytes, boolean ended) {
        Splitter splitter = new Splitter(bytes);
        return splitter.run(ended);
    }

    /** One piece while it is split: output waits from {@code from}, a line begins at {@code line}. */
    private final class Splitter {
        private final byte[] bytes;
        private final ByteArrayOutputStream output = new ByteArrayOutputStream();
        private final ByteArrayOutputStream status = new ByteArrayOutputStream();
        private final ByteArrayOutputStream machine = new ByteArrayOutputStream();
        private OptionalInt exit = OptionalInt.empty();
        private int from;
        private int line;

        Splitter(byte[] bytes) {
            this.bytes = bytes;
        }

        Piece run(boolean ended) {
            while (line < bytes.length) {
                int end = lineEnd();
                boolean complete = end < bytes.length;
                if (isMarked() && !complete && !ended) {
                    break;
                }
                if (isMarked()) {
                    put(outputEnd());
                    take(line + mark.length, end);
                    from = Math.min(end + 1, bytes.length);
                }
                if (!complete) {
                    break;
                }
                line = end + 1;
            }
            put(ended ? bytes.length : safeEnd());
            int consumed = bytes.length - from > LONGEST_MARK ? bytes.length : from;
            return new Piece(output.toByteArray(), status.toByteArray(), machine.toByteArray(), exit, consumed);
        }

        private void put(int end) {
            output.write(bytes, from, Math.max(0, end - from));
            from = Math.max(from, end);
        }

        private int lineEnd() {
            int end = line;
            while (end < bytes.length && bytes[end] != LF) {
                end++;
            }
            return end;
        }

        private boolean isMarked() {
            return bytes.length - line >= mark.length
                    && Arrays.equals(bytes, line, line + mark.length, mark, 0, mark.length);
        }

        /** Where the output before a mark ends: without the frame's own end of line. */
        private int outputEnd() {
            boolean emptyLine = line - 1 == from || (line - 2 >= from && bytes[line - 2] == LF);
            return line - 1 >= from && (emptyLine || !wholeLines) ? line - 1 : line;
        }

        /** What comes next may turn an end of line, or the beginning of a mark, into the frame's words. */
        private int safeEnd() {
            if (line >= bytes.length) {
                boolean emptyLine =
                        bytes.length - 1 == from || (bytes.length - 2 >= from && bytes[bytes.length - 2] == LF);
                return emptyLine && bytes[bytes.length - 1] == LF ? bytes.length - 1 : bytes.length;
            }
            int shown = Math.min(bytes.length - line, mark.length);
            boolean mayBeMark = Arrays.equals(bytes, line, line + shown, mark, 0, shown);
            return mayBeMark ? outputEnd() : bytes.length;
        }

        private void take(int start, int end) {
            if (line(start, end, STATUS, status) || line(start, end, MACHINE, machine)) {
                return;
            }
            String words = new String(bytes, start, end - start, StandardCharsets.UTF_8);
            if (words.matches("exit \\d{1,3}\\s*")) {
                exit = OptionalInt.of(
                        Integer.parseInt(words.substring("exit ".length()).strip()));
            }
        }

        private boolean line(int start, int end, byte[] kind, ByteArrayOutputStream into) {
            int text = start + kind.length;
            boolean is = text <= end && Arrays.equals(bytes, start, text, kind, 0, kind.length);
            if (is) {
                into.write(bytes, text, end - text);
                into.write(LF);
            }
            return is;
        }
    }
}
