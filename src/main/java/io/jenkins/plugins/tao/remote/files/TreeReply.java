package io.jenkins.plugins.tao.remote.files;

import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.SourceTree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What of a tree is on a host, as tree-look.sh tells it.
 *
 * @param complete whether the version is in its place
 * @param sizes of the files that came before, by name
 * @param old checksum and name of each file of the version before
 */
record TreeReply(boolean complete, Map<String, Long> sizes, Set<String> old) {
    static final TreeReply NOTHING = new TreeReply(false, Map.of(), Set.of());

    private static final Pattern PART = Pattern.compile("part (\\d{1,18}) \\./(.+)");
    private static final Pattern OLD = Pattern.compile("old ([0-9a-f]{64}) {2}\\./(.+)");

    static TreeReply read(String text) throws Unreadable {
        if (text.endsWith("there\n")) {
            return new TreeReply(true, Map.of(), Set.of());
        }
        if (!text.endsWith("end\n")) {
            throw new Unreadable("The listing of the tree on the host is incomplete", text, "Push again.");
        }
        Map<String, Long> sizes = new HashMap<>();
        Set<String> old = new HashSet<>();
        text.lines().forEach(line -> {
            Matcher part = PART.matcher(line);
            Matcher before = OLD.matcher(line);
            if (part.matches()) {
                sizes.put(part.group(2), Long.valueOf(part.group(1)));
            } else if (before.matches()) {
                old.add(before.group(1) + " " + before.group(2));
            }
        });
        return new TreeReply(false, sizes, old);
    }

    /** What came so far, in bytes. */
    long bytes() {
        return sizes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether a file lies there in its whole length. */
    boolean has(Map.Entry<String, SourceTree.Entry> file) {
        return sizes.getOrDefault(file.getKey(), -1L) == file.getValue().size();
    }

    /** How much of a file that is not whole lies there, in bytes; 0 when more of it does than it should have. */
    long begun(Map.Entry<String, SourceTree.Entry> file) {
        long size = sizes.getOrDefault(file.getKey(), 0L);
        return size < file.getValue().size() ? size : 0;
    }

    /** Whether the version before has the same content under this name. */
    boolean old(Map.Entry<String, SourceTree.Entry> file) {
        return old.contains(file.getValue().sha256() + " " + file.getKey());
    }

    /** The same once a file is whole. */
    TreeReply with(String name, long size) {
        Map<String, Long> more = new HashMap<>(sizes);
        more.put(name, size);
        return new TreeReply(complete, more, old);
    }
}
