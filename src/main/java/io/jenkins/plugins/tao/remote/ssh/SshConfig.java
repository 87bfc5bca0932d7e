package io.jenkins.plugins.tao.remote.ssh;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.BackendException.Denied;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.sshd.client.config.hosts.HostConfigEntry;

/**
 * The configuration files of OpenSSH's {@code ssh}: which host, port, user, key and jump hosts a name stands for. Read are
 * {@code Host}, {@code Match} of hosts and users, {@code HostName}, {@code Port}, {@code User}, {@code IdentityFile},
 * {@code HostKeyAlias}, {@code ProxyJump}, a {@code ProxyCommand} that is a jump host written the old way, and
 * {@code Include}; the first value wins, as in {@code ssh}.
 *
 * @see <a href="https://man.openbsd.org/ssh_config.5">ssh_config(5)</a>
 */
public final class SshConfig {
    private static final int MOST_JUMPS = 8;
    private static final String NONE = "none";
    private static final Pattern PORT = Pattern.compile(".*[^:]:\\d{1,5}");
    private static final Pattern HOP = Pattern.compile("(?:ssh://)?(?:(.+)@)?([^@/]+)/?");

    /** A jump host as it was written before there was {@code ProxyJump}. */
    private static final Pattern OLD_JUMP = Pattern.compile(
            "(?:exec )?(?:\\S*/)?ssh((?: -[axqT]+)*)(?: -W \\[?%h\\]?:%p (\\S+)| (\\S+) -W \\[?%h\\]?:%p| (\\S+) nc %h %p)");

    private final List<Path> files;
    private final Path home;

    private SshConfig(List<Path> files, Path home) {
        this.files = List.copyOf(files);
        this.home = home;
    }

    /**
     * Reads it.
     *
     * @param home the user's home, for {@code ~}
     * @throws IllegalArgumentException naming file and line if it cannot be read
     */
    public static SshConfig read(Path file, Path home) {
        return read(List.of(file), home);
    }

    /** Reads the user's file and then that of the system: what the first says goes before. */
    public static SshConfig read(List<Path> files, Path home) {
        SshConfig config = new SshConfig(files, home);
        SshConfigText.read(files, home, text -> new SshMatch.Query("", "", ""));
        return config;
    }

    private HostConfigEntry collated(String text, String host) {
        try {
            HostConfigEntry found = new HostConfigEntry();
            List<HostConfigEntry> entries = HostConfigEntry.readHostConfigEntries(new StringReader(text), true);
            HostConfigEntry.findMatchingEntries(host, entries).forEach(found::collate);
            return found;
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the SSH configuration " + file() + " cannot be understood: " + e.getMessage(), e);
        }
    }

    /** What is known of {@code host} once {@code text} was read: {@code Match} looks at that. */
    private SshMatch.Query sofar(String text, String host, Optional<String> user) {
        HostConfigEntry found = collated(text, host);
        return new SshMatch.Query(
                host,
                Optional.ofNullable(found.getHostName())
                        .map(name -> name.replace("%h", host))
                        .orElse(host),
                user.or(() -> Optional.ofNullable(found.getUsername())).orElse(System.getProperty("user.name")));
    }

    private Path file() {
        return files.get(0);
    }

    /**
     * What it says of a host.
     *
     * @param host a name or an alias, with a port or without, in the form that {@link SshAddress#parse} takes
     * @throws IllegalArgumentException if it asks for what we do not have, such as {@code ProxyCommand}
     */
    public Entry of(String host) {
        return of(host, Optional.empty());
    }

    /** The same for a {@code user} that is known, for {@code Match user}. */
    public Entry of(String host, Optional<String> user) {
        return of(host, user, 0);
    }

    private Entry of(String text, Optional<String> known, int depth) {
        require(depth < MOST_JUMPS, "the jump hosts of '%s' in %s lead in a circle", text, file());
        SshAddress given = SshAddress.parse(text);
        HostConfigEntry found =
                collated(SshConfigText.read(files, home, before -> sofar(before, given.host(), known)), given.host());
        String command = SshConfigText.written(found.getProperty("ProxyCommand", NONE));
        Optional<String> jump = Optional.ofNullable(found.getProxyJump()).or(() -> oldJump(command));
        require(
                jump.isPresent() || command.equalsIgnoreCase(NONE),
                "%s reaches '%s' by a ProxyCommand that is no jump host, and no program is run for a connection; write it as"
                        + " ProxyJump, or set TAO_SSH_CONFIG=none to leave the file unread",
                file(),
                given.host());
        int port = found.getPort() > 0 && !PORT.matcher(text.strip()).matches() ? found.getPort() : given.port();
        SshAddress address = new SshAddress(
                Optional.ofNullable(found.getHostName())
                        .map(name -> name.replace("%h", given.host()))
                        .orElse(given.host()),
                port,
                Optional.ofNullable(found.getProperty("HostKeyAlias")),
                jump.map(hops -> hops(hops, depth)).orElse(List.of()));
        Optional<String> user = Optional.ofNullable(found.getUsername());
        return new Entry(address, user, identities(found, address, user));
    }

    private static Optional<String> oldJump(String command) {
        Matcher form = OLD_JUMP.matcher(command.strip().replaceAll("\\s+", " "));
        return form.matches()
                ? Stream.of(form.group(2), form.group(3), form.group(4))
                        .filter(Objects::nonNull)
                        .findFirst()
                : Optional.empty();
    }

    /** The first hop is reached as the file says of it, the others through the hop before them. */
    private List<SshHop> hops(String text, int depth) {
        List<SshHop> hops = new ArrayList<>();
        for (String each : text.equalsIgnoreCase(NONE) ? List.<String>of() : List.of(text.split(","))) {
            Matcher form = HOP.matcher(each.strip());
            require(form.matches(), "%s: '%s' is not a jump host", file(), each);
            Entry entry = of(form.group(2), Optional.ofNullable(form.group(1)), depth + 1);
            SshAddress at = entry.address();
            if (hops.isEmpty()) {
                hops.addAll(at.jumps());
            }
            hops.add(new SshHop(
                    new SshAddress(at.host(), at.port(), at.hostKeyAlias(), List.of()),
                    Optional.ofNullable(form.group(1)).or(entry::user).orElse(System.getProperty("user.name")),
                    entry.key(true)));
        }
        return hops;
    }

    private List<Path> identities(HostConfigEntry found, SshAddress address, Optional<String> user) {
        List<Path> paths = new ArrayList<>();
        for (String written : found.getIdentities()) {
            String text = SshConfigText.written(written);
            if (!text.equalsIgnoreCase(NONE)) {
                paths.add(identity(text, address, user.orElse("")));
            }
        }
        return paths;
    }

    private Path identity(String text, SshAddress address, String user) {
        String path = text.startsWith("~/") ? home.resolve(text.substring(2)).toString() : text;
        try {
            return Path.of(HostConfigEntry.resolveIdentityFilePath(path, address.host(), address.port(), user));
        } catch (IOException e) {
            throw new IllegalArgumentException(file() + ": '" + text + "' is no path of a key: " + e.getMessage(), e);
        }
    }

    /**
     * What the file says of one host.
     *
     * @param address host, port, jump hosts and the name of its host key
     * @param user empty where it says nothing of it
     * @param identities paths of private keys, in order
     */
    public record Entry(SshAddress address, Optional<String> user, List<Path> identities) {
        /**
         * The first key that can be used as it is.
         *
         * @param otherwise whether there may be another key: else the first is given though it cannot be used, so that
         *     the login says what is wrong with it
         */
        public Optional<SshKey> key(boolean otherwise) {
            List<SshKey> existing = keys().stream().filter(Entry::readable).toList();
            List<SshKey> left = existing.isEmpty() && !otherwise ? keys() : existing;
            return left.stream().findFirst();
        }

        private List<SshKey> keys() {
            return identities.stream()
                    .sorted((a, b) -> Boolean.compare(Files.exists(b), Files.exists(a)))
                    .map(path -> SshKey.ofFile(path, Optional.empty()))
                    .toList();
        }

        private static boolean readable(SshKey key) {
            try {
                KeyReader.read(key);
                return true;
            } catch (Denied e) {
                return false;
            }
        }
    }
}
