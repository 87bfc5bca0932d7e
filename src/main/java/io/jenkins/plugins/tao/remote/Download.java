package io.jenkins.plugins.tao.remote;

import io.jenkins.plugins.tao.backend.ArtifactChoice;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Copies files of a host to a sink, within the limits of one plan. A copy that breaks off goes on where it stopped, as long
 * as each try brings something. Symbolic links are told, not followed.
 */
public final class Download {
    private static final Duration LIST_LIMIT = Duration.ofMinutes(2);
    private static final Duration LEAST_LIMIT = Duration.ofMinutes(2);
    private static final long SLOWEST_BYTES_PER_SECOND = 256 * 1024;
    private static final Pattern LISTED = Pattern.compile("([fl]) (\\d{1,18}) \\./(.+)");
    private static final Pattern SUM = Pattern.compile("([0-9a-f]{64}) [ *]\\./(.+)");

    private final Host host;
    private final ArtifactSink sink;
    private final ArtifactChoice choice;
    private long total;

    /** Copies from {@code host}; the limits hold for all calls of {@link #copy} together. */
    public Download(Host host, ArtifactPlan plan, ArtifactSink sink) {
        this.host = host;
        this.sink = sink;
        this.choice = new ArtifactChoice(plan, sink);
    }

    /**
     * Copies the files below {@code directory} that match one of {@code globs} to {@code prefix/path}; one that is not
     * there has no files.
     *
     * @return the SHA-256 of what was copied, in hexadecimal digits, by path below {@code directory}
     * @throws Rejected if the sink does not take them
     */
    public Map<String, String> copy(String prefix, String directory, List<String> globs) throws BackendException {
        Predicate<String> wanted = choice.matching(globs);
        Map<String, String> sums = new LinkedHashMap<>();
        Reply reply = host.run(listing(directory), LIST_LIMIT);
        for (String line : reply.text().split("\n", -1)) {
            Matcher file = LISTED.matcher(line);
            if (file.matches() && wanted.test(file.group(3))) {
                boolean link = file.group(1).equals("l");
                take(new Item(prefix, directory, file.group(3)), link, Long.parseLong(file.group(2)), sums);
            }
        }
        return sums;
    }

    /**
     * Compares what was copied with what lies there now.
     *
     * @param sums what {@link #copy} has told
     * @throws Unreadable if a file differs: it was damaged on its way, or has been written since
     */
    public void verify(String directory, Map<String, String> sums) throws BackendException {
        if (sums.isEmpty()) {
            return;
        }
        StringBuilder script = new StringBuilder("cd " + ShellCommand.quote(directory) + " || exit 1\n");
        sums.keySet()
                .forEach(path -> script.append("sha256sum -- ")
                        .append(ShellCommand.quote("./" + path))
                        .append('\n'));
        Map<String, String> there = new LinkedHashMap<>();
        host.run(script.toString(), LIST_LIMIT.plusSeconds(total / SLOWEST_BYTES_PER_SECOND))
                .text()
                .lines()
                .map(SUM::matcher)
                .filter(Matcher::matches)
                .forEach(line -> there.put(line.group(2), line.group(1)));
        for (Map.Entry<String, String> sum : sums.entrySet()) {
            String found = there.getOrDefault(sum.getKey(), "no such file any more");
            if (!found.equals(sum.getValue())) {
                throw new Unreadable(
                        "The copy of " + sum.getKey() + " has another checksum than the file in " + directory,
                        found,
                        "Fetch again; until then the files are not safe.");
            }
        }
    }

    /** {@code -exec +} asks for all files in a few processes; {@code stat -c} is of GNU and busybox. */
    private static String listing(String directory) {
        return "cd " + ShellCommand.quote(directory) + " 2>/dev/null || exit 0\n"
                + "find . -type f -exec stat -c 'f %s %n' -- {} + 2>/dev/null\n"
                + "find . -type l -exec stat -c 'l %s %n' -- {} + 2>/dev/null\n";
    }

    private record Item(String prefix, String directory, String path) {
        String name() {
            return prefix + "/" + path;
        }

        /** The rest of the file from this byte on, up to {@code size}. */
        String script(long from, long size) {
            String file = ShellCommand.quote("./" + path);
            String read = from == 0
                    ? "head -c " + size + " -- " + file
                    : "tail -c +" + (from + 1) + " -- " + file + " | head -c " + (size - from);
            return "cd " + ShellCommand.quote(directory) + " && " + read + "\n";
        }
    }

    private void take(Item item, boolean link, long size, Map<String, String> sums) throws BackendException {
        if (link) {
            if (choice.isNew(item.name())) {
                sink.skipped(item.name(), "is a symbolic link; name the file it points to");
            }
        } else if (choice.take(item.name(), size)) {
            total += size;
            copyFile(item, size, sums);
        }
    }

    private void copyFile(Item item, long size, Map<String, String> sums) throws BackendException {
        try (OutputStream file = sink.open(item.name())) {
            MeasuredOutput measured = new MeasuredOutput(file);
            Reply reply = resumed(item, size, measured);
            if (!reply.ok()) {
                sink.skipped(item.name(), "could not be read: " + reply.err().strip());
            } else if (measured.count() != size) {
                sink.skipped(
                        item.name(), "changed while it was read: " + measured.count() + " of " + size + " bytes came");
            } else {
                sums.put(item.path(), measured.sha256());
            }
        } catch (IOException e) {
            throw new Rejected(
                    "The artifact " + item.name() + " could not be stored: " + e.getMessage() + ".",
                    "Make room or mend permissions where artifacts are stored, then fetch again.");
        }
    }

    /** Each try must bring at least a byte, so that this ends. */
    private Reply resumed(Item item, long size, MeasuredOutput measured) throws BackendException {
        while (true) {
            long from = measured.count();
            try {
                FirstBytes rest = new FirstBytes(measured, size - from);
                return host.stream(item.script(from, size), rest, limit(size - from));
            } catch (BackendException.Unreachable e) {
                if (measured.count() == from) {
                    throw e;
                }
            }
        }
    }

    private static Duration limit(long size) {
        return LEAST_LIMIT.plusSeconds(size / SLOWEST_BYTES_PER_SECOND);
    }
}
