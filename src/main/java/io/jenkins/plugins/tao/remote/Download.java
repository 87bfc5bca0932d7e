package io.jenkins.plugins.tao.remote;

import io.jenkins.plugins.tao.backend.ArtifactChoice;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Copies files of a host to a sink, within the limits of one plan. Symbolic links are told, not followed. */
public final class Download {
    private static final Duration LIST_LIMIT = Duration.ofMinutes(2);
    private static final Duration LEAST_LIMIT = Duration.ofMinutes(2);
    private static final long SLOWEST_BYTES_PER_SECOND = 256 * 1024;
    private static final Pattern LISTED = Pattern.compile("([fl]) (\\d{1,18}) \\./(.+)");

    private final Host host;
    private final ArtifactSink sink;
    private final ArtifactChoice choice;

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
     * @throws Rejected if the sink does not take them
     */
    public void copy(String prefix, String directory, List<String> globs) throws BackendException {
        Predicate<String> wanted = choice.matching(globs);
        Reply reply = host.run(listing(directory), LIST_LIMIT);
        for (String line : reply.text().split("\n", -1)) {
            Matcher file = LISTED.matcher(line);
            if (file.matches() && wanted.test(file.group(3))) {
                boolean link = file.group(1).equals("l");
                take(prefix, directory, file.group(3), link, Long.parseLong(file.group(2)));
            }
        }
    }

    /** {@code -exec +} asks for all files in a few processes; {@code stat -c} is of GNU and busybox. */
    private static String listing(String directory) {
        return "cd " + ShellCommand.quote(directory) + " 2>/dev/null || exit 0\n"
                + "find . -type f -exec stat -c 'f %s %n' -- {} + 2>/dev/null\n"
                + "find . -type l -exec stat -c 'l %s %n' -- {} + 2>/dev/null\n";
    }

    private void take(String prefix, String directory, String path, boolean link, long size) throws BackendException {
        String name = prefix + "/" + path;
        if (link) {
            if (choice.isNew(name)) {
                sink.skipped(name, "is a symbolic link; name the file it points to");
            }
        } else if (choice.take(name, size)) {
            copyFile(name, directory, path, size);
        }
    }

    private void copyFile(String name, String directory, String path, long size) throws BackendException {
        String script = "cd " + ShellCommand.quote(directory) + " && head -c " + size + " -- "
                + ShellCommand.quote("./" + path) + "\n";
        try (OutputStream file = sink.open(name)) {
            Reply reply = host.stream(script, new FirstBytes(file, size), limit(size));
            if (!reply.ok()) {
                sink.skipped(name, "could not be read: " + reply.err().strip());
            }
        } catch (IOException e) {
            throw new Rejected(
                    "The artifact " + name + " could not be stored: " + e.getMessage() + ".",
                    "Make room or mend permissions where artifacts are stored, then fetch again.");
        }
    }

    private static Duration limit(long size) {
        return LEAST_LIMIT.plusSeconds(size / SLOWEST_BYTES_PER_SECOND);
    }
}
