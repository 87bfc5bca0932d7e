package io.jenkins.plugins.tao.monitor;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Makes whole lines of pieces of a log, many in one text, each with its line end: a log may have millions. What stands before a
 * carriage return was overwritten and is left out.
 */
final class LogLines {
    private static final int LONGEST_LINE = 16 * 1024;

    private ByteArrayOutputStream held = new ByteArrayOutputStream(0);

    /** Takes the next bytes and gives the lines they complete; damaged UTF-8 is replaced. */
    String feed(byte[] bytes) {
        int whole = bytes.length; // behind the last line end
        while (whole > 0 && bytes[whole - 1] != '\n') {
            whole--;
        }
        String lines = "";
        if (whole > 0) {
            held.write(bytes, 0, whole);
            lines = tidy(taken());
        }
        held.write(bytes, whole, bytes.length - whole);
        return held.size() < LONGEST_LINE ? lines : lines + cut();
    }

    private String taken() {
        String all = held.toString(StandardCharsets.UTF_8);
        held = new ByteArrayOutputStream(0);
        return all;
    }

    /** Of a line that is too long already, what makes whole pieces. */
    private String cut() {
        byte[] line = held.toByteArray();
        int whole = line.length - line.length % LONGEST_LINE;
        held = new ByteArrayOutputStream(0);
        held.write(line, whole, line.length - whole);
        StringBuilder pieces = new StringBuilder();
        for (int from = 0; from < whole; from += LONGEST_LINE) {
            String piece = new String(line, from, LONGEST_LINE, StandardCharsets.UTF_8);
            pieces.append(fold(piece)).append('\n');
        }
        return pieces.toString();
    }

    private static String tidy(String lines) {
        if (lines.indexOf('\r') < 0 && !hasTooLong(lines)) {
            return lines;
        }
        StringBuilder tidy = new StringBuilder(lines.length());
        int from = 0;
        for (int end = lines.indexOf('\n'); end >= 0; end = lines.indexOf('\n', from)) {
            for (; end - from > LONGEST_LINE; from += LONGEST_LINE) {
                tidy.append(fold(lines.substring(from, from + LONGEST_LINE))).append('\n');
            }
            tidy.append(fold(lines.substring(from, end))).append('\n');
            from = end + 1;
        }
        return tidy.toString();
    }

    private static boolean hasTooLong(String lines) {
        int from = 0;
        while (lines.length() - from > LONGEST_LINE) {
            int end = lines.lastIndexOf('\n', from + LONGEST_LINE);
            if (end < from) {
                return true;
            }
            from = end + 1;
        }
        return false;
    }

    /** Gives what is left when the log has ended without a line end. */
    String flush() {
        return held.size() == 0 ? "" : fold(taken()) + "\n";
    }

    /** Bytes that were taken and not yet given out. */
    int heldBytes() {
        return held.size();
    }

    private static String fold(String line) {
        if (line.indexOf('\r') < 0) {
            return line;
        }
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == '\r') { // a program on a terminal line may end with "\r\r\n"
            end--;
        }
        return line.substring(line.lastIndexOf('\r', end - 1) + 1, end);
    }
}
