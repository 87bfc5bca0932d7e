package io.jenkins.plugins.tao.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Takes the curves out of the line of a record before it is parsed: they are nine tenths of it, and few readers need them. The rest of the
 * line stays as it is. A curve that has other than numbers in it stays too: the parser judges it.
 */
final class CurveCut {
    private static final byte[] METRICS = "\"metrics\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CURVE = "\"curve\":[".getBytes(StandardCharsets.US_ASCII);
    /** Shorter ones stay: the number in their place may be longer. */
    private static final int SHORTEST = 12;
    /** Numbers, NaN and infinities as texts. */
    private static final String IN_CURVES = "0123456789.,-+eE[]\"NaInfity ";

    private static final boolean[] KNOWN = new boolean[256];

    static {
        IN_CURVES.chars().forEach(known -> KNOWN[known] = true);
    }

    private CurveCut() {}

    /** Writes in place of each curve of {@code metrics} the byte of the line at which it began, and gives the new length of {@code line}. */
    static int cut(byte[] line, int length) {
        boolean metrics = false; // whether the newest text of the outermost object is this key
        int depth = 0;
        int out = 0;
        int kept = 0; // from here on the line is still to be copied
        int next;
        for (int i = 0; i < length; i = next) {
            next = i + 1;
            if (line[i] == '"') {
                next = textEnd(line, i, length);
                metrics = depth == 1 ? isAt(METRICS, line, i, length) : metrics;
                int begin = next + 1;
                int end = metrics && depth == 3 && isAt(CURVE, line, i, length) ? curveEnd(line, begin, length) : 0;
                if (end > 0) {
                    out = copy(line, kept, begin - kept, line, out);
                    byte[] place = Integer.toString(begin).getBytes(StandardCharsets.US_ASCII);
                    out = copy(place, 0, place.length, line, out);
                    kept = end;
                    next = end;
                }
            } else if (line[i] == '{' || line[i] == '[') {
                depth++;
            } else if (line[i] == '}' || line[i] == ']') {
                depth--;
            }
        }
        return copy(line, kept, length - kept, line, out);
    }

    private static int copy(byte[] from, int begin, int length, byte[] to, int out) {
        System.arraycopy(from, begin, to, out, length);
        return out + length;
    }

    private static boolean isAt(byte[] wanted, byte[] line, int from, int length) {
        int to = from + wanted.length;
        return to <= length && Arrays.equals(wanted, 0, wanted.length, line, from, to);
    }

    /** The byte after the text that begins at {@code from}. */
    private static int textEnd(byte[] line, int from, int length) {
        int i = from + 1;
        while (i < length && line[i] != '"') {
            i += line[i] == '\\' ? 2 : 1;
        }
        return Math.min(i + 1, length);
    }

    /** The byte after the list that begins at {@code from}; 0 where it is not known to be a curve. */
    private static int curveEnd(byte[] line, int from, int length) {
        int depth = 0;
        for (int i = from; i < length && KNOWN[line[i] & 0xff]; i++) {
            if (line[i] == '[') {
                depth++;
            } else if (line[i] == ']' && --depth == 0) {
                return i + 1 - from >= SHORTEST ? i + 1 : 0;
            }
        }
        return 0;
    }
}
