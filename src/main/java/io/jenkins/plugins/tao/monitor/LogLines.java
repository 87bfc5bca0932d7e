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
        int start = 0;
        while (start < bytes.length) {
            int most = Math.min(bytes.length, start + LONGEST_LINE - held.size());
            int end = lineEnd(bytes, start, most);
            if (end == bytes.length) {
                break;
            }
            lines.add(take(bytes, start, end));
            start = bytes[end] == '\n' ? end + 1 : end;
        }
        held.write(bytes, start, bytes.length - start);
        return lines;
    }

    private static int lineEnd(byte[] bytes, int from, int most) {
        int at = from;
        while (at < most && bytes[at] != '\n') {
            at++;
        }
        return at;
    }

    /** Gives what is left when the log has ended without a line end. */
    List<String> flush() {
        return held.size() == 0 ? List.of() : List.of(take(new byte[0], 0, 0));
    }

    /** Bytes that were taken and not yet given out. */
    int heldBytes() {
        return held.size();
    }

    private String take(byte[] bytes, int from, int to) {
        if (held.size() == 0) {
            return fold(new String(bytes, from, to - from, StandardCharsets.UTF_8));
        }
        held.write(bytes, from, to - from);
        String line = held.toString(StandardCharsets.UTF_8);
        held = new ByteArrayOutputStream(0);
        return fold(line);
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
