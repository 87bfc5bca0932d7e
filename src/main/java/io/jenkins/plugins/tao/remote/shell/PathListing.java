package io.jenkins.plugins.tao.remote.shell;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Paths.Entry;
import io.jenkins.plugins.tao.backend.Paths.Kind;
import io.jenkins.plugins.tao.backend.Paths.Listing;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One look at a path of a host, whatever characters its names hold: the answer's words end in NUL, as no name can. */
public final class PathListing {
    private static final String SCRIPT = OwnFile.text(PathListing.class, "listing.sh");
    private static final int WORDS = 3;

    private PathListing() {}

    /**
     * Looks at {@code path} on {@code host}.
     *
     * @param target what to call the place in messages
     * @return what is there; empty when nothing is
     */
    public static Optional<Listing> ask(Host host, String target, String path, Duration limit) throws BackendException {
        if (!path.startsWith("/") || path.indexOf('\0') >= 0) {
            throw new Rejected(
                    "'" + path.replace('\0', '?') + "' is no path on target '" + target + "'.",
                    "Write it from the root, as in /data/coco.");
        }
        Reply reply = host.run(render(path), limit);
        return parse(target, path, reply.text());
    }

    static String render(String path) {
        return "tao_path=" + quote(path) + "\ntao_most=" + Paths.MOST + "\n" + SCRIPT;
    }

    static Optional<Listing> parse(String target, String path, String answer) throws BackendException {
        String[] words = answer.split("\0", -1);
        String end = words.length < 2 ? "" : words[words.length - 2];
        if (!end.equals("end") && !end.equals("more")) {
            throw new Unreadable(
                    "Target '" + target + "' gave half an answer about " + path,
                    answer.replace('\0', ' '),
                    "Ask again; look at the path by hand if this stays.");
        }
        if (words[0].equals("absent")) {
            return Optional.empty();
        }
        if (words[0].equals("denied")) {
            throw new Denied(
                    "The user of target '" + target + "' may not look at " + path + ": " + words[1].strip() + ".",
                    "Give that user the right to read it and to pass through the directories above it.");
        }
        return Optional.of(read(words, end.equals("more")));
    }

    private static Listing read(String[] words, boolean more) {
        List<Entry> entries = new ArrayList<>();
        for (int at = 0; at + WORDS < words.length; at += WORDS) {
            entries.add(new Entry(words[at + 2], kind(words[at]), size(words[at + 1])));
        }
        Entry itself = entries.remove(0);
        entries.sort(Comparator.comparing(Entry::name));
        return new Listing(itself, entries, more);
    }

    private static Kind kind(String word) {
        return switch (word) {
            case "file" -> Kind.FILE;
            case "directory" -> Kind.DIRECTORY;
            default -> Kind.OTHER;
        };
    }

    private static OptionalLong size(String word) {
        String digits = word.strip();
        return digits.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(digits)) : OptionalLong.empty();
    }
}
