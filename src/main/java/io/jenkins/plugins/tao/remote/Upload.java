package io.jenkins.plugins.tao.remote;

import static io.jenkins.plugins.tao.remote.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Brings a tree to a host as a version of its own, named by its content. What the version before has already is copied there,
 * not sent; the rest goes in pieces that are appended, so that a transfer that breaks off goes on where it stopped: in this
 * call as long as tries bring something, or in a later one. A version is complete once its checksums agree there. No file
 * is shared between versions, since jobs may write into the one that they work in.
 */
public final class Upload {
    private static final int PIECE = 1024 * 1024;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    /** Exit code: some files had other checksums and are gone. */
    private static final int DIFFERENT = 9;
    /** The copies of a version that a job has changed are found and sent in the second round. */
    private static final int ROUNDS = 2;
    /** So many tries in a row that bring nothing are the end: a line that is down for long is waited for by its user. */
    private static final int FRUITLESS_TRIES = 4;

    private static final Pattern SIZE_LINE = Pattern.compile("(\\d{1,18}) \\./(.+)");

    private final Host host;
    private final String directory;
    private final LocalTree tree;
    private final String part;
    private long sent;
    private long there;

    private Upload(Host host, String directory, LocalTree tree) {
        this.host = host;
        this.directory = directory;
        this.tree = tree;
        part = directory + "/" + tree.version() + ".part";
    }

    /**
     * What was done.
     *
     * @param path where the version lies
     * @param sentBytes what went over the line
     * @param repaired scripts whose line ends of Windows were taken out on the way
     */
    public record Done(String path, long sentBytes, int files, List<String> repaired) {}

    /** Brings {@code from} to {@code directory/version} and lets {@code directory/current} point there. */
    public static Done push(Host host, Path from, String directory) throws BackendException {
        LocalTree tree;
        try {
            tree = LocalTree.read(from);
        } catch (IOException | UncheckedIOException e) {
            throw new Rejected(
                    "The directory " + from + " could not be read: " + e.getMessage() + ".",
                    "Name a directory of readable files, all folders in it included.");
        }
        Upload upload = new Upload(host, directory, tree);
        upload.run();
        return new Done(
                directory + "/" + tree.version(), upload.sent, tree.files().size(), tree.repaired());
    }

    private void run() throws BackendException {
        int fruitless = 0;
        while (true) {
            long before = there;
            try {
                bring();
                return;
            } catch (Unreachable e) {
                fruitless = there > before ? 0 : fruitless + 1;
                if (fruitless == FRUITLESS_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** All of it, from the step that is missing there; each step may be done twice, for an answer can be lost. */
    private void bring() throws BackendException {
        if (!must("[ -e " + quote(directory + "/" + tree.version()) + " ] && echo there || :\n")
                .contains("there")) {
            must(prepare());
            complete();
        }
        must("cd " + quote(directory) + " && ln -s " + tree.version() + " current.$$ && mv -fT current.$$ current\n");
    }

    private void complete() throws BackendException {
        for (int round = 0; round < ROUNDS; round++) {
            send();
            Reply reply = host.run(finish(), LIMIT);
            if (reply.exitCode() != DIFFERENT) {
                checked(reply);
                return;
            }
        }
        throw new Rejected(
                "What was sent to " + directory + " on " + host.name() + " has other checksums than the files here.",
                "Push again while nobody writes to the files, here or there.");
    }

    /** Makes the directories and copies what the version before says it has; whether that is so is seen at the end. */
    private String prepare() {
        StringBuilder script = new StringBuilder("umask 077; mkdir -p -- " + quote(part) + " && cd " + quote(part)
                + " || exit 1\ntao_old=" + quote(directory + "/current") + "\n");
        tree.directories()
                .forEach(name ->
                        script.append("mkdir -p -- ").append(quote("./" + name)).append('\n'));
        script.append("tao_have() { [ -e \"$2\" ] || ! grep -qxF \"$1  $2\" \"$tao_old/.tao-manifest\" 2>/dev/null"
                + " || cp -- \"$tao_old/$2\" \"$2\" || :; }\n");
        tree.files()
                .forEach((name, file) -> script.append("tao_have ")
                        .append(file.sha256())
                        .append(' ')
                        .append(quote("./" + name))
                        .append('\n'));
        return script.toString();
    }

    private void send() throws BackendException {
        Map<String, Long> sizes = sizes();
        while (!complete(sizes)) {
            sendMissing(sizes);
            sizes = sizes();
        }
    }

    private boolean complete(Map<String, Long> sizes) {
        return tree.files().entrySet().stream()
                .allMatch(file -> sizes.getOrDefault(file.getKey(), -1L)
                        == file.getValue().size());
    }

    private void sendMissing(Map<String, Long> sizes) throws BackendException {
        for (Map.Entry<String, LocalTree.Entry> file : tree.files().entrySet()) {
            long at = sizes.getOrDefault(file.getKey(), 0L);
            long size = file.getValue().size();
            if (at > size) {
                must("rm -f -- " + quote(part + "/" + file.getKey()) + "\n");
                at = 0;
            }
            if (size == 0) {
                must(": >" + quote(part + "/" + file.getKey()) + "\n");
            }
            while (at < size) {
                byte[] piece = piece(file.getKey(), at);
                must("cd " + quote(part) + " && tao_f=" + quote("./" + file.getKey())
                        + "\n[ \"$(wc -c 2>/dev/null <\"$tao_f\" || echo 0)\" -eq "
                        + at + " ] || exit 0\nprintf %s '" + Base64.getEncoder().encodeToString(piece)
                        + "' | base64 -d >>\"$tao_f\"\n");
                sent += piece.length;
                at += piece.length;
            }
        }
    }

    private byte[] piece(String name, long at) throws Rejected {
        try {
            return tree.read(name, at, PIECE);
        } catch (IOException e) {
            throw new Rejected(
                    "The file " + name + " changed while it was sent: " + e.getMessage() + ".", "Push again.");
        }
    }

    private Map<String, Long> sizes() throws BackendException {
        Map<String, Long> sizes = new HashMap<>();
        String script = "cd " + quote(part) + " && find . -type f -exec stat -c '%s %n' -- {} +\n";
        must(script)
                .lines()
                .map(SIZE_LINE::matcher)
                .filter(Matcher::matches)
                .forEach(line -> sizes.put(line.group(2), Long.valueOf(line.group(1))));
        there = Math.max(
                there, sizes.values().stream().mapToLong(Long::longValue).sum());
        return sizes;
    }

    private String finish() {
        StringBuilder modes = new StringBuilder();
        tree.files().forEach((name, file) -> {
            String path = quote("./" + name);
            modes.append(file.executable() ? "[ -x " : "[ ! -x ")
                    .append(path)
                    .append(file.executable() ? " ] || chmod u+x -- " : " ] || chmod a-x -- ")
                    .append(path)
                    .append('\n');
        });
        String version = quote(directory + "/" + tree.version());
        return "cd " + quote(part) + " || exit 1\n" + modes
                + Staging.file(part + "/.tao-manifest", tree.manifest())
                + "if ! sha256sum -c .tao-manifest >.tao-sums 2>/dev/null; then\n"
                + "  sed -n 's/: FAILED.*$//p' .tao-sums | while IFS= read -r tao_f; do rm -f -- \"$tao_f\"; done\n"
                + "  exit " + DIFFERENT + "\nfi\nrm -f .tao-sums\n"
                + "mv -T -- " + quote(part) + " " + version + " || [ -e " + version + " ]\n";
    }

    private String must(String script) throws BackendException {
        return checked(host.run(script, LIMIT));
    }

    private String checked(Reply reply) throws Rejected {
        if (!reply.ok()) {
            throw new Rejected(
                    "The tree could not be written to " + directory + " on " + host.name() + ": "
                            + reply.err().strip() + ".",
                    "Make the directory writable with free space, then push again: it goes on where it stopped.");
        }
        return reply.text();
    }
}
