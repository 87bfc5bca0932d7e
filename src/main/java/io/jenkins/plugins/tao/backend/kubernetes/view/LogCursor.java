package io.jenkins.plugins.tao.backend.kubernetes.view;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How far the logs of a job's pods were read: for each pod the time of the last line and how many lines of that very time.
 * Its text form is {@code pod@2026-11-21T17:00:00.123Z#1,…}. Pure.
 */
public record LogCursor(Map<String, Mark> marks) {
    /** The last line that was read of one pod. */
    public record Mark(Instant at, int lines) {
        /** The mark after a line of this time. */
        public static Mark after(Optional<Mark> before, Instant at) {
            boolean same = before.map(mark -> mark.at.equals(at)).orElse(false);
            return new Mark(at, same ? before.orElseThrow().lines + 1 : 1);
        }
    }

    /** Reads the text form; what is damaged counts as not read. */
    public static LogCursor parse(String text) {
        Map<String, Mark> marks = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            int at = part.indexOf('@');
            int hash = part.lastIndexOf('#');
            if (at > 0 && hash > at && part.substring(hash + 1).matches("\\d{1,9}")) {
                PodView.time(part.substring(at + 1, hash))
                        .ifPresent(time -> marks.put(
                                part.substring(0, at), new Mark(time, Integer.parseInt(part.substring(hash + 1)))));
            }
        }
        return new LogCursor(marks);
    }

    public String render() {
        return marks.entrySet().stream()
                .map(entry -> entry.getKey() + "@" + entry.getValue().at() + "#"
                        + entry.getValue().lines())
                .collect(Collectors.joining(","));
    }

    public Optional<Mark> of(String pod) {
        return Optional.ofNullable(marks.get(pod));
    }

    public LogCursor with(String pod, Mark mark) {
        Map<String, Mark> changed = new TreeMap<>(marks);
        changed.put(pod, mark);
        return new LogCursor(changed);
    }
}
