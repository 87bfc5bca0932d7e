package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshConfig;
import io.jenkins.plugins.tao.remote.ssh.SshConfig.Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the user's SSH configuration says of a target's login hosts, as {@code ssh -G} prints it. What the target says
 * itself goes before it. {@code TAO_SSH_CONFIG} names one file to read; {@code none} there leaves all unread.
 */
record SshAliases(Surroundings here) {
    private static final String HOSTS = "hosts";
    private static final String USER = "user";
    private static final String KEY = "key";
    private static final String AGENT = "agent";
    private static final String FILE = "TAO_SSH_CONFIG";

    /** The home that {@code ssh} takes, whatever {@code HOME} says. */
    private static final Path ACCOUNT = Path.of(System.getProperty("user.home"));

    /** The components of a login that the configuration decides, by name. */
    Map<String, Object> of(Value.Keyed section) throws UsageException {
        Optional<Value> hosts = section.get(HOSTS);
        String given = here.env().getOrDefault(FILE, "").strip();
        if (hosts.isEmpty() || given.equals("none")) {
            return Map.of();
        }
        Optional<Path> file = Optional.of(given).filter(text -> !text.isEmpty()).map(here::path);
        Optional<SshConfig> config = SshConfig.find(file, ACCOUNT, here.env());
        if (config.isEmpty()) {
            Path unread = file.orElse(here.path("~/.ssh/config"));
            if (Files.exists(unread)) {
                here.err().println("tao: there is no ssh on the PATH, so " + unread + " is not read.");
            }
            return Map.of();
        }
        Optional<String> user = section.get(USER)
                .flatMap(value -> LoginDefaults.words(value).stream().findFirst());
        try {
            return login(
                    section,
                    LoginDefaults.words(hosts.get()).stream()
                            .map(name -> config.get().of(name, user))
                            .toList());
        } catch (IllegalArgumentException e) {
            throw new UsageException(hosts.get().where() + ": " + e.getMessage() + ".", e);
        }
    }

    private Map<String, Object> login(Value.Keyed section, List<Entry> entries) throws UsageException {
        Map<String, Object> login = new LinkedHashMap<>();
        login.put(HOSTS, entries.stream().map(Entry::address).toList());
        if (section.get(USER).isEmpty()) {
            one(section, USER, entries, Entry::user).flatMap(user -> user).ifPresent(user -> login.put(USER, user));
        }
        if (section.get(KEY).isEmpty() && section.get(AGENT).isEmpty()) {
            one(section, KEY, entries, Entry::key).ifPresent(key -> login.put(KEY, key));
        }
        List<Path> known =
                entries.stream().flatMap(entry -> entry.knownHosts().stream()).toList();
        List<Path> revoked =
                entries.stream().flatMap(entry -> entry.revoked().stream()).toList();
        if (section.get(LoginDefaults.KNOWN_HOSTS).isEmpty() && !known.isEmpty()) {
            login.put(LoginDefaults.KNOWN_HOSTS, HostKeys.ofFiles(known, revoked));
        } else if (!revoked.isEmpty()
                && section.get(LoginDefaults.KNOWN_HOSTS).orElse(null) instanceof Value.Text text) {
            login.put(LoginDefaults.KNOWN_HOSTS, HostKeys.ofFiles(List.of(here.path(text.text())), revoked));
        }
        return login;
    }

    /** A login has one user and one key for all its hosts. */
    private static <T> Optional<T> one(Value.Keyed section, String key, List<Entry> entries, Function<Entry, T> value)
            throws UsageException {
        List<T> values = entries.stream().map(value).distinct().toList();
        if (values.size() > 1) {
            throw new UsageException(
                    section.where() + ": the SSH configuration gives the login hosts different values of '" + key
                            + "'; give the one for all hosts as '" + key + "' of this target.");
        }
        return values.stream().findFirst();
    }
}
