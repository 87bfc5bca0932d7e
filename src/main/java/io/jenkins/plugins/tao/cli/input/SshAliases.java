package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshConfig;
import io.jenkins.plugins.tao.remote.ssh.SshConfig.Entry;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the user's SSH configuration says of a target's login hosts. What the target says itself goes before it. The files
 * are {@code ~/.ssh/config} and {@code /etc/ssh/ssh_config}, or the one that {@code TAO_SSH_CONFIG} names; {@code none} there
 * leaves them unread.
 */
final class SshAliases {
    private static final String HOSTS = "hosts";
    private static final String USER = "user";
    private static final String KEY = "key";
    private static final String AGENT = "agent";
    private static final String FILE = "TAO_SSH_CONFIG";
    private static final Path SYSTEM = Path.of("/etc/ssh/ssh_config");

    private final Surroundings here;

    SshAliases(Surroundings here) {
        this.here = here;
    }

    /** The components of a login that the file decides, by name. */
    Map<String, Object> of(Value.Keyed section) throws UsageException {
        Optional<Value> hosts = section.get(HOSTS);
        List<Path> files = files();
        if (hosts.isEmpty() || files.isEmpty()) {
            return Map.of();
        }
        List<String> names = LoginDefaults.words(hosts.get());
        try {
            SshConfig config = SshConfig.read(files, here.path("~"));
            Optional<String> user = section.get(USER).isEmpty()
                    ? Optional.empty()
                    : LoginDefaults.words(section.get(USER).get()).stream().findFirst();
            return login(
                    section, names.stream().map(name -> config.of(name, user)).toList(), files.get(0));
        } catch (IllegalArgumentException e) {
            throw new UsageException(hosts.get().where() + ": " + e.getMessage() + ".", e);
        }
    }

    private List<Path> files() {
        String given = here.env().getOrDefault(FILE, "").strip();
        if (given.equals("none")) {
            return List.of();
        }
        return given.isEmpty()
                ? Stream.of(here.path("~/.ssh/config"), SYSTEM)
                        .filter(Files::exists)
                        .toList()
                : List.of(here.path(given));
    }

    private Map<String, Object> login(Value.Keyed section, List<Entry> entries, Path file) throws UsageException {
        Map<String, Object> login = new LinkedHashMap<>();
        List<SshAddress> addresses = entries.stream().map(Entry::address).toList();
        login.put(HOSTS, addresses);
        if (section.get(USER).isEmpty()) {
            one(section, USER, entries.stream().map(Entry::user).toList(), file)
                    .ifPresent(user -> login.put(USER, user));
        }
        if (section.get(KEY).isEmpty() && section.get(AGENT).isEmpty()) {
            boolean agent = !here.env().getOrDefault("SSH_AUTH_SOCK", "").isBlank();
            List<Optional<SshKey>> keys =
                    entries.stream().map(entry -> entry.key(agent)).toList();
            one(section, KEY, keys, file).ifPresent(key -> login.put(KEY, key));
        }
        return login;
    }

    /** A login has one user and one key for all its hosts. */
    private static <T> Optional<T> one(Value.Keyed section, String key, List<Optional<T>> values, Path file)
            throws UsageException {
        if (values.stream().distinct().count() > 1) {
            throw new UsageException(section.where() + ": " + file + " gives the login hosts different values of '"
                    + key + "'; give the one for all hosts as '" + key + "' of this target.");
        }
        return values.isEmpty() ? Optional.empty() : values.get(0);
    }
}
