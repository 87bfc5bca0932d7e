package io.jenkins.plugins.tao.jenkins.page;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last lines of a job's log, for its page; bounded in lines and in their length. */
final class JobTail {
    private static final int MOST_LINES = 80;
    private static final int MOST_CHARACTERS = 400;

    private final Deque<String> lines = new ArrayDeque<>();

    synchronized void add(List<String> more) {
        for (String line : more.subList(Math.max(0, more.size() - MOST_LINES), more.size())) {
            if (lines.size() == MOST_LINES) {
                lines.removeFirst();
            }
            lines.addLast(line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "…");
        }
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}
