package io.jenkins.plugins.tao.remote.files;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.shell.HostSums;
import io.jenkins.plugins.tao.remote.shell.ShellWords;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Brings a tree to a host as a version of its own, named by its content. What the version before has already is copied there,
 * not sent; the rest goes in one stream. A transfer that breaks off goes on where it stopped: in this call as long as tries bring
 * something, or in a later one. A version is complete once its checksums agree there. No file is shared between versions,
 * since jobs may write into the one that they work in.
 */
public final class Upload {
    private static final Duration LEAST_LIMIT = Duration.ofMinutes(5);
    private static final long SLOWEST_BYTES_PER_SECOND = 256 * 1024;
    /** Exit codes of tree-receive.sh: the stream did not end well; some files had other checksums and are gone. */
    private static final int CUT = 8;

    private static final int DIFFERENT = 9;
    /** The copies of a version that a job has changed are found and sent in the second round. */
    private static final int ROUNDS = 2;
    /** So many tries in a row that bring nothing are the end: a line that is down for long is waited for by its user. */
    private static final int FRUITLESS_TRIES = 4;

    private static final int MIB = 1024 * 1024;

    private final Host host;
    private final String directory;
    private final SourceTree tree;
    private final String place;
    private TreeReply there = TreeReply.NOTHING;
    private long sent;
    private long most;

    private Upload(Host host, String directory, SourceTree tree, Kind kind) {
        this.host = host;
        this.directory = directory;
        this.tree = tree;
        place = "tao_directory=" + quote(directory) + "; tao_version=" + tree.version() + "; tao_part="
                + quote(tree.version() + kind.part()) + "; tao_link=" + kind.link() + "; tao_fixed=" + kind.fixed()
                + "\n";
    }

    /**
     * What differs between the trees that people push and the code of jobs.
     *
     * @param part the end of the name of a version that is not complete yet
     * @param link the name of the link to the version that came last
     * @param fixed {@code 1} where a version is read-only once it is complete
     */
    private record Kind(String part, String link, String fixed) {}

    /**
     * What was done.
     *
     * @param path where the version lies
     * @param sentBytes what went over the line
     * @param notes what is to be reported of the files, a line each
     */
    public record Done(String path, long sentBytes, int files, String notes) {}

    /** Brings {@code from} to {@code directory/version} and lets {@code directory/current} point there. */
    public static Done push(Host host, Path from, String directory) throws BackendException {
        CodeFolder tree;
        try {
            tree = CodeFolder.whole(from);
        } catch (SourceTree.Unfit e) {
            throw new Rejected(
                    "The directory " + from + " was not pushed: " + e.getMessage() + ".",
                    "Put a file in its place or take it away, then push again; links within the directory are pushed as links.");
        } catch (IOException | UncheckedIOException e) {
            throw new Rejected(
                    "The directory " + from + " could not be read: " + e.getMessage() + ".",
                    "Name a directory of readable files, all folders in it included.");
        }
        return new Upload(host, directory, tree, new Kind(".part", "current", ""))
                .run(tree.listing().notes());
    }

    /**
     * Brings {@code tree} to {@code directory/version}, read-only. Each {@code owner} has a directory of its own for what is
     * not complete yet, so that two who send the same tree never write into each other's files.
     *
     * @param owner letters, digits, {@code . _ -}
     */
    public static Done keep(Host host, SourceTree tree, String directory, String owner) throws BackendException {
        return new Upload(host, directory, tree, new Kind("." + owner + ".part", ".newest", "1")).run("");
    }

    private Done run(String notes) throws BackendException {
        tries();
        return new Done(
                directory + "/" + tree.version(),
                sent,
                tree.files().size() + tree.links().size(),
                notes);
    }

    private void tries() throws BackendException {
        int fruitless = 0;
        while (true) {
            long before = most;
            try {
                bring();
                return;
            } catch (Unreachable e) {
                fruitless = most > before ? 0 : fruitless + 1;
                if (fruitless == FRUITLESS_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** All of it, from the step that is missing there; each step may be done twice, for an answer can be lost. */
    private void bring() throws BackendException {
        for (int round = 0; round < ROUNDS; round++) {
            look();
            if (!there.complete() && round == 0) {
                reuse();
            }
            if (there.complete() || receive()) {
                return;
            }
        }
        throw new Rejected(
                "What was sent to " + directory + " on " + host.name() + " has other checksums than the files here.",
                "Push again while nothing writes to the files, here or there.");
    }

    private void look() throws BackendException {
        there = TreeReply.read(checked(host.run(place + script("tree-look.sh"), LEAST_LIMIT)));
        most = Math.max(most, there.bytes());
    }

    private void reuse() throws BackendException {
        List<String> same = tree.files().entrySet().stream()
                .filter(file -> !there.has(file) && there.old(file))
                .map(Map.Entry::getKey)
                .toList();
        for (ShellWords.Portion portion : ShellWords.portions(same)) {
            host.run(place + portion.script() + script("tree-reuse.sh"), LEAST_LIMIT);
        }
        if (!same.isEmpty()) {
            look();
        }
    }

    /** Whether the version is in its place. */
    private boolean receive() throws BackendException {
        for (Map.Entry<String, SourceTree.Entry> file : tree.files().entrySet()) {
            long mib = there.begun(file) / MIB;
            if (mib > 0) {
                rest(file.getKey(), mib);
            }
        }
        long size = tree.files().entrySet().stream()
                .filter(file -> !there.has(file))
                .mapToLong(file -> file.getValue().size())
                .sum();
        String script = place + HostSums.tool() + script("tree-receive.sh");
        Reply reply = host.send(script, this::stream, limit(size));
        if (reply.exitCode() == CUT) {
            throw new Unreachable("The stream to " + host.name() + " ended early.", "It continues where it stopped.");
        }
        if (reply.exitCode() == DIFFERENT) {
            return false;
        }
        checked(reply);
        return true;
    }

    private void rest(String name, long mib) throws BackendException {
        String script = place + "tao_name=" + quote("./" + name) + "; tao_mib=" + mib + "\n" + script("tree-rest.sh");
        long size = Objects.requireNonNull(tree.files().get(name)).size();
        checked(host.send(
                script, out -> sending(() -> tree.write(name, mib * MIB, counted(out))), limit(size - mib * MIB)));
        there = there.with(name, size);
    }

    private void stream(OutputStream out) throws IOException, BackendException {
        TarWriter tar = new TarWriter(out);
        List<Map.Entry<String, SourceTree.Entry>> missing = tree.files().entrySet().stream()
                .filter(file -> !there.has(file))
                .toList();
        sending(() -> {
            FramedFiles framed = new FramedFiles(out, tar, missing);
            tree.write(missing.stream().map(Map.Entry::getKey).toList(), counted(framed));
            framed.finish();
        });
        for (Map.Entry<String, String> link : tree.links().entrySet()) {
            tar.link("./" + link.getKey(), link.getValue());
        }
        own(tar, "./.tao-executable", executables());
        own(tar, "./.tao-manifest", SourceTree.manifest(tree.files()));
        tar.end();
    }

    /** The files that may be executed, {@code ./NAME} a line. */
    private String executables() {
        StringBuilder text = new StringBuilder();
        tree.files().forEach((name, file) -> text.append(file.executable() ? "./" + name + "\n" : ""));
        return text.toString();
    }

    private static void own(TarWriter tar, String name, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        tar.file(name, bytes.length, false, content -> content.write(bytes));
    }

    /** A file that changed is the user's to know, not a fault of the line. */
    private static void sending(Step step) throws IOException, Rejected {
        try {
            step.run();
        } catch (SourceTree.Unfit e) {
            throw new Rejected("A file changed while it was sent: " + e.getMessage() + ".", "Push again.");
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private OutputStream counted(OutputStream out) {
        return new CountedOutput(out, count -> sent += count);
    }

    private static Duration limit(long size) {
        return LEAST_LIMIT.plusSeconds(size / SLOWEST_BYTES_PER_SECOND);
    }

    private static String script(String name) {
        return OwnFile.text(Upload.class, name);
    }

    private String checked(Reply reply) throws Rejected {
        if (!reply.ok()) {
            throw new Rejected(
                    "The tree could not be written to " + directory + " on " + host.name() + ": "
                            + reply.err().strip() + ".",
                    "Make the directory writable with free space, then push again: it continues where it stopped.");
        }
        return reply.text();
    }
}
