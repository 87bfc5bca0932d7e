package io.jenkins.plugins.tao.journal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The lines of a {@code status.json} that were followed in a log, joined with what is still there of it. Each process that watches a job
 * reads what is there once more, so the parts overlap.
 */
final class FollowedStatus {
    /** Its name in the folder of a run: a mark before the lines of each process, then the lines as they came. */
    static final String FILE = "followed.jsonl";

    static final String MARK = "# followed";
    private static final String FROM_START = MARK + " from the start";

    private final List<String> lines = new ArrayList<>();
    private boolean whole = true;

    /** The parts in {@code written}, the lines of {@link #FILE}. */
    FollowedStatus(List<String> written) {
        List<String> part = new ArrayList<>();
        boolean fromStart = false;
        for (String line : written) {
            if (line.startsWith(MARK)) {
                join(part, fromStart);
                part = new ArrayList<>();
                fromStart = line.equals(FROM_START);
            } else {
                part.add(line);
            }
        }
        join(part, fromStart);
    }

    /** The line before those of a process that follows the log from its start, or from later on. */
    static String mark(boolean fromStart) {
        return fromStart ? FROM_START : MARK;
    }

    /** Adds what is still there. */
    FollowedStatus with(List<String> there) {
        join(there, false);
        return this;
    }

    List<String> lines() {
        return lines;
    }

    /** Whether no line is missing between the start and the last line. */
    boolean isWhole() {
        return whole;
    }

    private void join(List<String> part, boolean fromStart) {
        if (part.isEmpty()) {
            return;
        }
        int place = 0;
        while (place < lines.size() && !agree(lines.subList(place, lines.size()), part)) {
            place++;
        }
        if (place < lines.size()) {
            int known = lines.size() - place;
            lines.addAll(part.subList(Math.min(known, part.size()), part.size()));
            return;
        }
        Set<String> known = new HashSet<>(lines); // of several pods they come in another order
        whole = whole && (fromStart || known.contains(part.get(0)));
        part.stream().filter(line -> !known.contains(line)).forEach(lines::add);
    }

    private static boolean agree(List<String> rest, List<String> part) {
        int both = Math.min(rest.size(), part.size());
        return rest.subList(0, both).equals(part.subList(0, both));
    }
}
