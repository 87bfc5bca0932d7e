package io.jenkins.plugins.tao.monitor;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Makes whole lines of pieces of a log; what stands before a carriage return was overwritten and is left out. */
final class LogLines {
    private static final int LONGEST_LINE = 16 * 1024;

    private ByteArrayOutputStream held = new ByteArrayOutputStream(0);

    /** Takes the next bytes and gives the lines they complete; damaged UTF-8 is replaced. */
    List<String> feed(byte[] bytes) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        if (held.size() > 0) {
            int end = 0;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            hold(bytes, 0, end, lines);
            if (end == bytes.length) {
                return lines;
            }
            lines.addAll(flush());
            from = end + 1;
        }
        int whole = bytes.length; // behind the last line end
        while (whole > from && bytes[whole - 1] != '\n') {
            whole--;
        }
        split(new String(bytes, from, whole - from, StandardCharsets.UTF_8), lines);
        hold(bytes, whole, bytes.length, lines);
        return lines;
    }

    /** A search in a text takes a tenth of the time of one in bytes. */
    private static void split(String text, List<String> lines) {
        int from = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
            for (; end - from > LONGEST_LINE; from += LONGEST_LINE) {
                lines.add(fold(text.substring(from, from + LONGEST_LINE)));
            }
            lines.add(fold(text.substring(from, end)));
            from = end + 1;
        }
    }

    private void hold(byte[] bytes, int from, int to, List<String> lines) {
        int at = from;
        while (held.size() + to - at > LONGEST_LINE) {
            int room = LONGEST_LINE - held.size();
            held.write(bytes, at, room);
            lines.addAll(flush());
            at += room;
        }
        held.write(bytes, at, to - at);
    }

    /** Gives what is left when the log has ended without a line end. */
    List<String> flush() {
        if (held.size() == 0) {
            return List.of();
        }
        String line = held.toString(StandardCharsets.UTF_8);
        held = new ByteArrayOutputStream(0);
        return List.of(fold(line));
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
