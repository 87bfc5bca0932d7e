package io.jenkins.plugins.tao.remote.ssh;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.remote.host.LocalProgram;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/**
 * The configuration of OpenSSH as its own {@code ssh} reads it: {@code ssh -G HOST} prints every option that holds for a
 * host, whatever files, patterns and quotes it comes from. A program of {@code Match exec} is run by it, as for every
 * connection of {@code ssh}.
 *
 * @see <a href="https://man.openbsd.org/ssh_config.5">ssh_config(5)</a>
 */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class SshConfig {
    private static final int MOST_JUMPS = 8;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String NONE = "none";
    private static final String OWN_USER = System.getProperty("user.name");
    private static final String OTHER_HOST = "any-other-host.invalid";
    private static final Pattern PORT = Pattern.compile(".*[^:]:\\d{1,5}");
    private static final Pattern HOP = Pattern.compile("(?:ssh://)?(?:(.+)@)?([^@/]+)/?");

    /** A path begins with a slash, a tilde, a token or a variable: blanks within one are not marked in the output. */
    private static final Pattern BETWEEN_PATHS = Pattern.compile(" +(?=[/~%$])");

    /** Options of {@code ssh} that change nothing for a jump host. */
    private static final Pattern FLAGS = Pattern.compile("-[AaCKkNnqTtvXxYy46]+");

    /** What the jump host is asked for where {@code ssh} does not connect itself. */
    private static final Pattern RELAY =
            Pattern.compile("(?:\\S*/)?(?:nc|ncat|netcat)(?: -[iqw] ?\\d+)* %h %p(?: 2> ?/dev/null)?");

    private final List<String> command;
    private final Path home;
    private final Map<String, String> env;

    /**
     * The configuration that {@code ssh} would read.
     *
     * @param file the one file to read; empty for the user's and the system's
     * @param home the user's home, for {@code ~}
     * @param env the variables; {@code PATH} says where {@code ssh} is
     * @return empty where there is no {@code ssh}
     */
    public static Optional<SshConfig> find(Optional<Path> file, Path home, Map<String, String> env) {
        return Stream.of(env.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "ssh"))
                .filter(program -> Files.isRegularFile(program) && Files.isExecutable(program))
                .findFirst()
                .map(program -> {
                    List<String> command = new ArrayList<>(List.of(program.toString(), "-G", "-T"));
                    file.ifPresent(path -> command.addAll(List.of("-F", path.toString())));
                    return new SshConfig(command, home, env);
                });
    }

    /**
     * What it says of a host.
     *
     * @param host a name or an alias, with a port or without, in the form that {@link SshAddress#parse} takes
     * @param user the user, where that is known
     * @throws IllegalArgumentException if {@code ssh} refuses its files, or they ask for what we do not have, such as
     *     {@code ProxyCommand}
     */
    public Entry of(String host, Optional<String> user) {
        return of(host, user, 0);
    }

    private Entry of(String text, Optional<String> user, int depth) {
        require(depth < MOST_JUMPS, "the jump hosts of '%s' in the SSH configuration lead in a circle", text);
        SshAddress given = SshAddress.parse(text);
        boolean portGiven = PORT.matcher(text.strip()).matches();
        Map<String, List<String>> options = ask(given, portGiven, user, List.of());
        Optional<String> jump = jump(options, given.host());
        String hostName = first(options, "hostname").orElse(given.host());
        Optional<String> alias = first(options, "hostkeyalias").filter(name -> !name.equals(NONE));
        List<Path> known = new ArrayList<>();
        List<Path> revoked = new ArrayList<>();
        SshAddress address = new SshAddress(
                hostName,
                first(options, "port").map(Integer::valueOf).orElse(given.port()),
                alias,
                jump.map(hops -> hops(hops, depth, known, revoked)).orElse(List.of()),
                first(options, "connecttimeout")
                        .filter(seconds -> seconds.matches("[1-9]\\d{0,8}"))
                        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds))),
                first(options, "knownhostscommand").filter(program -> !program.equals(NONE)));
        Optional<String> name = first(options, "user")
                .filter(found -> !found.equals(OWN_USER) || user.isPresent() || isAbout(given, portGiven, options));
        SshTokens tokens = new SshTokens(
                home,
                env,
                address,
                given.host(),
                name.orElse(OWN_USER),
                path -> expanded(given, portGiven, user, path));
        known.addAll(0, files(options, tokens, "globalknownhostsfile"));
        known.addAll(0, files(options, tokens, "userknownhostsfile"));
        revoked.addAll(files(options, tokens, "revokedhostkeys"));
        return new Entry(address, name, key(options, tokens), known, revoked);
    }

    private static Optional<String> jump(Map<String, List<String>> options, String host) {
        String proxy = first(options, "proxycommand").orElse(NONE);
        Optional<String> jump = first(options, "proxyjump").or(() -> oldJump(proxy));
        require(
                jump.isPresent() || proxy.equalsIgnoreCase(NONE),
                "the SSH configuration reaches '%s' by the ProxyCommand '%s', which is not a jump host, and no program is"
                        + " run for a connection; write it as ProxyJump, or set TAO_SSH_CONFIG=none to leave the configuration"
                        + " unread",
                host,
                proxy);
        return jump;
    }

    /** {@code ssh -G} replaces everything in this option, and in few others. */
    private String expanded(SshAddress host, boolean portGiven, Optional<String> user, String path) {
        String quoted = path.replace("\\", "\\\\").replace("\"", "\\\"");
        List<String> option = List.of("-o", "UserKnownHostsFile=\"" + quoted + "\"");
        return first(ask(host, portGiven, user, option), "userknownhostsfile").orElse(path);
    }

    /** Whether the configuration says anything of a host that it does not say of all. */
    private boolean isAbout(SshAddress host, boolean portGiven, Map<String, List<String>> options) {
        Map<String, List<String>> ofAll =
                ask(new SshAddress(OTHER_HOST, host.port()), portGiven, Optional.empty(), List.of());
        return options.keySet().stream()
                .filter(name -> !name.equals("host"))
                .anyMatch(name -> !options.getOrDefault(name, List.of())
                        .equals(ofAll.getOrDefault(name, List.of()).stream()
                                .map(value ->
                                        value.equals(OTHER_HOST) ? host.host().toLowerCase(Locale.ROOT) : value)
                                .toList()));
    }

    private Map<String, List<String>> ask(
            SshAddress host, boolean portGiven, Optional<String> user, List<String> option) {
        List<String> words = new ArrayList<>(command);
        words.addAll(option);
        user.ifPresent(name -> words.addAll(List.of("-l", name)));
        if (portGiven) {
            words.addAll(List.of("-p", Integer.toString(host.port())));
        }
        words.addAll(List.of("--", host.host()));
        ProcessBuilder program = new ProcessBuilder(words);
        program.environment().clear();
        program.environment().putAll(env);
        program.environment().put("LC_ALL", "C");
        Map<String, List<String>> options = new HashMap<>();
        for (String line : printed(program, host).split("\n", -1)) {
            int blank = line.indexOf(' ');
            if (blank > 0) {
                options.computeIfAbsent(line.substring(0, blank), key -> new ArrayList<>())
                        .add(line.substring(blank + 1).stripTrailing());
            }
        }
        return options;
    }

    private static String printed(ProcessBuilder program, SshAddress host) {
        try {
            return LocalProgram.output(program, LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException("ssh -G " + host.host() + " was interrupted", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "ssh -G " + host.host() + " "
                            + String.valueOf(e.getMessage()).replaceFirst("\\.$", "")
                            + "; correct the SSH configuration, or set TAO_SSH_CONFIG=none to leave it unread",
                    e);
        }
    }

    private static Optional<String> first(Map<String, List<String>> options, String name) {
        return options.getOrDefault(name, List.of()).stream().findFirst();
    }

    /** The jump host of a {@code ProxyCommand} as it was written before there was {@code ProxyJump}; empty for another command. */
    private static Optional<String> oldJump(String command) {
        Deque<String> words = new ArrayDeque<>(
                List.of(command.strip().replaceFirst("^exec\\s+", "").split("\\s+", -1)));
        if (!words.remove().matches("(\\S*/)?ssh")) {
            return Optional.empty();
        }
        Map<Character, String> given = new HashMap<>();
        while (!words.isEmpty() && (isOption(words.element()) || !given.containsKey('@'))) {
            String word = words.remove();
            if (word.matches("-[Wlp].*")) {
                given.put(word.charAt(1), word.length() > 2 ? word.substring(2) : String.valueOf(words.poll()));
            } else if (!isOption(word)) {
                given.put('@', word);
            }
        }
        String rest = String.join(" ", words);
        boolean direct = rest.isEmpty() && given.getOrDefault('W', "").matches("\\[?%h\\]?:%p");
        boolean relayed = !given.containsKey('W') && RELAY.matcher(rest).matches();
        return Optional.ofNullable(given.get('@'))
                .filter(host -> !host.startsWith("-") && (direct || relayed))
                .map(host -> (given.containsKey('l') ? given.get('l') + "@" : "")
                        + host
                        + (given.containsKey('p') ? ":" + given.get('p') : ""));
    }

    private static boolean isOption(String word) {
        return word.matches("-[Wlp].*") || FLAGS.matcher(word).matches();
    }

    /** The first hop is reached as the configuration says of it, the others through the hop before them. */
    private List<SshHop> hops(String text, int depth, List<Path> known, List<Path> revoked) {
        List<SshHop> hops = new ArrayList<>();
        for (String each : text.equalsIgnoreCase(NONE) ? List.<String>of() : List.of(text.split(",", -1))) {
            Matcher form = HOP.matcher(each.strip());
            require(form.matches(), "'%s' in the SSH configuration is not a jump host", each);
            Entry entry = of(form.group(2), Optional.ofNullable(form.group(1)), depth + 1);
            SshAddress at = entry.address();
            known.addAll(entry.knownHosts());
            revoked.addAll(entry.revoked());
            if (hops.isEmpty()) {
                hops.addAll(at.jumps());
            }
            hops.add(new SshHop(
                    new SshAddress(at.host(), at.port(), at.hostKeyAlias(), List.of(), at.timeout(), at.keyCommand()),
                    entry.user().orElse(OWN_USER),
                    Optional.of(entry.key())));
        }
        return hops;
    }

    private SshKey key(Map<String, List<String>> options, SshTokens tokens) {
        String agent = first(options, "identityagent").orElse(SshTokens.AGENT);
        String socket = agent.equals(SshTokens.AGENT) ? env.getOrDefault(agent, "") : tokens.agent(agent);
        return new SshKey.Identities(
                paths(options, "identityfile", tokens),
                paths(options, "certificatefile", tokens),
                Optional.of(socket)
                        .filter(path -> !path.isBlank() && !path.equals(NONE))
                        .map(Path::of),
                first(options, "identitiesonly").filter("yes"::equals).isPresent());
    }

    private static List<Path> paths(Map<String, List<String>> options, String name, SshTokens tokens) {
        return options.getOrDefault(name, List.of()).stream()
                .filter(text -> !text.equalsIgnoreCase(NONE))
                .map(text -> Path.of(tokens.path(text)))
                .toList();
    }

    private static List<Path> files(Map<String, List<String>> options, SshTokens tokens, String name) {
        return first(options, name).stream()
                .flatMap(BETWEEN_PATHS::splitAsStream)
                .filter(text -> !text.equalsIgnoreCase(NONE) && !text.equals("/dev/null"))
                .map(text -> Path.of(tokens.tilde(text)))
                .toList();
    }

    /**
     * What the configuration says of one host.
     *
     * @param address host, port, jump hosts and the name of its host key
     * @param user the user on it; empty where nothing but {@code ssh}'s own default is said of the host
     * @param key the keys and the agent
     * @param knownHosts the files of known hosts, those of the jump hosts too; they may be missing
     * @param revoked the files of keys that no host may have, those of the jump hosts too
     */
    public record Entry(
            SshAddress address, Optional<String> user, SshKey key, List<Path> knownHosts, List<Path> revoked) {}
}
