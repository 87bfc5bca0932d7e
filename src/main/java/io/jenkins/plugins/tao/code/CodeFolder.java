package io.jenkins.plugins.tao.code;

import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** The code of a job in a directory of this machine; shell scripts in it are sent with plain line ends. */
public final class CodeFolder implements SourceTree {
    private static final int PIECE = 256 * 1024;
    private static final Pattern BETWEEN = Pattern.compile("[\\s\"'`;|&()<>=]+");
    private static final Pattern RELATIVE_FILE = Pattern.compile("(?!/)[^{}$*?]*[./][^{}$*?]*");
    private static final Pattern CHANGES_DIRECTORY = Pattern.compile("\\bcd\\s");

    private final Path root;
    private final CodeListing listing;
    private final CodeId id;

    private CodeFolder(Path root, CodeListing listing) {
        this.root = root;
        this.listing = listing;
        id = listing.id();
    }

    /**
     * Reads which files belong to the code, and all of them once.
     *
     * @throws Unfit if they are no code that can be sent, in words for a person
     */
    public static CodeFolder read(Path root, CodeLimits limits) throws IOException {
        try {
            return new CodeFolder(root, new CodeReader(root, Optional.of(limits)).read());
        } catch (UncheckedIOException e) {
            IOException cause = Objects.requireNonNull(e.getCause());
            String which = cause instanceof FileSystemException file ? "'" + file.getFile() + "'" : "a directory";
            throw new Unfit(which + " cannot be read: " + Sentences.why(cause));
        }
    }

    /**
     * Reads all files of a directory, except {@code .git}, whatever their size.
     *
     * @throws Unfit as above
     * @throws UncheckedIOException if a directory in it cannot be read
     */
    public static CodeFolder whole(Path root) throws IOException {
        return new CodeFolder(root, new CodeReader(root, Optional.empty()).read());
    }

    /** The directory whose {@code listing} was read before. */
    public static CodeFolder of(Path root, CodeListing listing) {
        return new CodeFolder(root, listing);
    }

    /** Warns of a file that the command names and that lies in {@code folder} alone, because the job sends no code. */
    public static Optional<Report.Check> unsent(JobSpec job, Path folder) {
        String command = job.hooks().around(job.command());
        boolean elsewhere = job.code().isPresent()
                || job.gitCode().isPresent()
                || CHANGES_DIRECTORY.matcher(command).find();
        return elsewhere
                ? Optional.empty()
                : BETWEEN.splitAsStream(command)
                        .filter(word -> RELATIVE_FILE.matcher(word).matches())
                        .filter(word -> Files.isRegularFile(folder.resolve(word)))
                        .findFirst()
                        .map(word -> Report.Check.warning(
                                "code",
                                "the command names " + word + ", which lies in " + folder + " and is not sent",
                                "Add 'code: " + folder + "' to the job file ('code: .' where that is the current"
                                        + " directory), unless the image or the target has the file."));
    }

    /** What was read. */
    public CodeListing listing() {
        return listing;
    }

    @Override
    public String version() {
        return id.value();
    }

    @Override
    public Map<String, Entry> files() {
        return Collections.unmodifiableMap(listing.files());
    }

    @Override
    public Map<String, String> links() {
        return Collections.unmodifiableMap(listing.links());
    }

    @Override
    public void write(List<String> names, OutputStream out) throws IOException {
        for (String name : names) {
            write(name, 0, out);
        }
    }

    @Override
    public void write(String name, long from, OutputStream out) throws IOException {
        Entry entry = listing.files().get(name);
        if (entry == null) {
            throw new Unfit("'" + name + "' is no file of the code");
        }
        long left = entry.size() - from;
        byte[] piece = new byte[PIECE];
        try (InputStream file = opened(name)) {
            file.skipNBytes(from);
            while (left > 0) {
                int count = file.read(piece, 0, (int) Math.min(PIECE, left));
                if (count < 0) {
                    throw new Unfit("'" + name + "' is " + left + " bytes shorter than it was");
                }
                out.write(piece, 0, count);
                left -= count;
            }
        }
    }

    private InputStream opened(String name) throws Unfit {
        try {
            return SentFile.of(name, root.resolve(name)).open();
        } catch (IOException e) {
            throw new Unfit("'" + name + "' cannot be read any more: " + Sentences.why(e));
        }
    }
}
