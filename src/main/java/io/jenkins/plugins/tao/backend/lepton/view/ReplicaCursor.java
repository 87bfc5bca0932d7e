package io.jenkins.plugins.tao.backend.lepton.view;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far the workers' own logs were read: of each how many lines, and a digest of the last one. Only the last lines of such
 * a log are given, so the count alone does not find the place again.
 *
 * @param base bytes that were handed out before
 */
public record ReplicaCursor(Map<Integer, Mark> marks, long base) {
    /** How many lines of a worker are done, and a digest of the last of them. */
    record Mark(int count, String last) {}

    private static final String HEAD = "replicas:";
    private static final int DIGEST = 12;
    private static final Pattern MARK = Pattern.compile("(\\d{1,6})=(\\d{1,9})\\.([0-9a-f]{" + DIGEST + "})");

    public static boolean isOne(Position position) {
        return position.file().startsWith(HEAD);
    }

    public static ReplicaCursor parse(Position position) {
        Map<Integer, Mark> marks = new TreeMap<>();
        String[] parts = position.file().split("@", 2);
        Matcher match = MARK.matcher(parts[0]);
        while (match.find()) {
            marks.put(Integer.parseInt(match.group(1)), new Mark(Integer.parseInt(match.group(2)), match.group(3)));
        }
        boolean told = isOne(position) && parts.length == 2 && parts[1].matches("\\d{1,18}");
        return new ReplicaCursor(marks, told ? Long.parseLong(parts[1]) : position.byteOffset());
    }

    public Position position() {
        List<String> words = new ArrayList<>();
        marks.forEach((worker, mark) -> words.add(worker + "=" + mark.count() + "." + mark.last()));
        return new Position(HEAD + String.join(",", words) + "@" + base, base);
    }

    /** The index of the first line of {@code lines} that is new; -1 when the place is no longer among them. */
    public int resume(int worker, List<String> lines) {
        Mark mark = marks.get(worker);
        if (mark == null) {
            return 0;
        }
        if (lines.size() >= mark.count() && digest(lines.get(mark.count() - 1)).equals(mark.last())) {
            return mark.count();
        }
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (digest(lines.get(i)).equals(mark.last())) {
                return i + 1;
            }
        }
        return -1;
    }

    /** The same once {@code further} lines of a worker are done. */
    public ReplicaCursor after(int worker, List<String> further) {
        if (further.isEmpty()) {
            return this;
        }
        Mark mark = marks.get(worker);
        Map<Integer, Mark> all = new TreeMap<>(marks);
        int count = (mark == null ? 0 : mark.count()) + further.size();
        all.put(worker, new Mark(count, digest(further.get(further.size() - 1))));
        return new ReplicaCursor(all, base);
    }

    /** The same with {@code bytes} more handed out. */
    public ReplicaCursor moved(long bytes) {
        return new ReplicaCursor(marks, base + bytes);
    }

    private static String digest(String line) {
        return Fingerprint.of(line, DIGEST);
    }
}
