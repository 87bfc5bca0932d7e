package io.jenkins.plugins.tao.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A line of the end of a log, as rules look at it.
 *
 * @param whole as it is to be seen there, cut to a length
 * @param text without the marks of its rank
 * @param near whether it is near the end: what stands further up, the program has outlived
 * @param kind what it is, whatever rules say
 */
record ReadLine(String whole, String text, boolean near, LineKind kind) {
    /** So many lines of ordinary work behind a line, and it is not near the end any more. */
    static final int FAR = 100;

    /** Reads the lines of one log. */
    static List<ReadLine> of(List<String> log) {
        List<ReadLine> lines = new ArrayList<>();
        int ordinary = 0;
        for (int i = log.size() - 1; i >= 0; i--) {
            String whole = LogLine.shown(log.get(i));
            String text = LogLine.of(whole).text();
            LineKind kind = LineKind.of(text);
            lines.add(new ReadLine(whole, text, ordinary <= FAR, kind));
            ordinary += kind.isWork() ? 1 : 0;
        }
        Collections.reverse(lines);
        return lines;
    }
}
