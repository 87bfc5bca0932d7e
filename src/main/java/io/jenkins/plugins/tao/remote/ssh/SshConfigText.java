package io.jenkins.plugins.tao.remote.ssh;

import static io.jenkins.plugins.tao.job.Require.require;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of an SSH configuration that MINA is to read for one host: those of the keywords we know, included files in their
 * place, the first value of each keyword of a section. A {@code Match} section that holds becomes one for all hosts, another is
 * left out, because MINA refuses a file that has one.
 */
final class SshConfigText {
    private static final int DEEPEST = 16;
    private static final String EVERYWHERE = "Host *";
    private static final int HIGHEST_PORT = 65_535;
    private static final Pattern LINE = Pattern.compile("(\\w+)(?:\\s*=\\s*|\\s+)(\\S.*)");
    private static final Path SYSTEM = Path.of("/etc/ssh");
    private static final Set<String> READ =
            Set.of("hostname", "port", "user", "identityfile", "hostkeyalias", "proxyjump", "proxycommand");

    /** Stands for a blank and for a comma within a value, where MINA would begin another. */
    private static final char BLANK = '\ue000';

    private static final char COMMA = '\ue001';

    private final Path home;
    private final Function<String, SshMatch.Query> sofar;
    private final StringBuilder text = new StringBuilder();
    private final Set<String> seen = new HashSet<>();
    private boolean skipping;

    private SshConfigText(Path home, Function<String, SshMatch.Query> sofar) {
        this.home = home;
        this.sofar = sofar;
    }

    /**
     * The text; errors are {@link IllegalArgumentException}s that name file and line.
     *
     * @param sofar what the text up to a {@code Match} line says of the host that is asked for
     */
    static String read(List<Path> files, Path home, Function<String, SshMatch.Query> sofar) {
        SshConfigText read = new SshConfigText(home, sofar);
        for (Path file : files) {
            read.begin(EVERYWHERE);
            read.add(file, EVERYWHERE, 0);
        }
        return read.text.toString();
    }

    /** The value as it was written. */
    static String written(String value) {
        return value.replace(BLANK, ' ').replace(COMMA, ',');
    }

    /** The lines before the first section of an included file are of the section that includes it. */
    private void add(Path file, String above, int depth) {
        require(depth < DEEPEST, "the SSH configuration %s includes itself", file);
        int number = 0;
        String section = above;
        for (String raw : lines(file)) {
            number++;
            String line = raw.strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                section = add(line, section, new Place(file, number), depth);
            }
        }
    }

    private String add(String line, String section, Place place, int depth) {
        Matcher form = LINE.matcher(line);
        require(form.matches(), "%s: '%s' is not a keyword and its value", place, line);
        String keyword = form.group(1).toLowerCase(Locale.ROOT);
        String value = plain(form.group(2));
        if (keyword.equals("host") || keyword.equals("match")) {
            String header = keyword.equals("host") ? "Host " + value : matches(value, place) ? EVERYWHERE : "";
            begin(header);
            return header;
        }
        if (keyword.equals("include") && holds(section)) {
            for (Path included : included(value, place)) {
                add(included, section, depth + 1);
                begin(section);
            }
        } else if (READ.contains(keyword) && !skipping) {
            keep(keyword, value, place);
        }
        return section;
    }

    /** Nothing of a file is read that is included below a {@code Host} line of others. While nobody is asked for, all is read. */
    private boolean holds(String section) {
        SshMatch.Query query = sofar.apply(text.toString());
        return !skipping && (query.original().isEmpty() || SshMatch.isHost(section.substring("Host ".length()), query));
    }

    private boolean matches(String conditions, Place place) {
        try {
            return SshMatch.holds(conditions, sofar.apply(text.toString()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
        }
    }

    /** An empty header begins a section that is not read. */
    private void begin(String header) {
        skipping = header.isEmpty();
        seen.clear();
        text.append(skipping ? "" : header + "\n");
    }

    private void keep(String keyword, String value, Place place) {
        boolean port = !keyword.equals("port")
                || (value.matches("\\d{1,5}")
                        && Integer.parseInt(value) >= 1
                        && Integer.parseInt(value) <= HIGHEST_PORT);
        require(port, "%s: Port must be 1 to 65535, was '%s'", place, value);
        if (seen.add(keyword) || keyword.equals("identityfile")) {
            String kept = keyword.equals("identityfile")
                    ? whole(value)
                    : keyword.equals("proxycommand") ? value.replace(' ', BLANK).replace(',', COMMA) : value;
            text.append("  ").append(keyword).append(' ').append(kept).append('\n');
        }
    }

    /** A path in quotes is one value, whatever it holds. */
    private static String whole(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted
                ? value.substring(1, value.length() - 1).replace(' ', BLANK).replace(',', COMMA)
                : value.replace(',', COMMA);
    }

    private static String plain(String value) {
        String inner = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
        return inner.matches("[^\\s\",]+") ? inner : value;
    }

    private List<Path> included(String value, Place place) {
        List<Path> files = new ArrayList<>();
        for (String word : value.split("\\s+", -1)) {
            Path path = folderOf(place)
                    .resolve(
                            word.startsWith("~/")
                                    ? home.resolve(word.substring(2)).toString()
                                    : word);
            Path name = path.getFileName();
            Path folder = path.getParent();
            if (name != null && folder != null && Files.isDirectory(folder)) {
                files.addAll(matching(folder, name.toString(), place));
            }
        }
        return files;
    }

    /** Relative paths begin in the folder of the user's file, or in that of the system's. */
    private Path folderOf(Place place) {
        return place.file().startsWith(SYSTEM) ? SYSTEM : home.resolve(".ssh");
    }

    private static List<Path> matching(Path folder, String glob, Place place) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
            List<Path> files = new ArrayList<>();
            found.forEach(files::add);
            return files.stream().filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    place + ": " + folder + " cannot be read (" + e.getClass().getSimpleName() + ")", e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the SSH configuration " + file + " cannot be read ("
                            + e.getClass().getSimpleName()
                            + "); make it readable, or set TAO_SSH_CONFIG=none to leave it unread",
                    e);
        }
    }

    /** A line of a file. */
    private record Place(Path file, int line) {
        @Override
        public String toString() {
            return file + ":" + line;
        }
    }
}
