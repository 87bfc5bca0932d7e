package io.jenkins.plugins.tao.remote.ssh;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sshd.client.config.hosts.HostPatternsHolder;

/**
 * The conditions of a {@code Match} line. Those of a host or a user are looked at as {@code ssh} does; others, such as
 * {@code canonical}, {@code final} and {@code localnetwork}, never hold here.
 *
 * @see <a href="https://man.openbsd.org/ssh_config.5#Match">ssh_config(5), "Match"</a>, read for OpenSSH 10.2
 */
final class SshMatch {
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|([^\\s\"]+)");

    private SshMatch() {}

    /**
     * Whom a connection is for.
     *
     * @param original the name that the user wrote
     * @param host what {@code HostName} makes of it, as far as the file was read
     * @param user the user on the host
     */
    record Query(String original, String host, String user) {}

    /**
     * Whether a line holds.
     *
     * @throws IllegalArgumentException if that depends on a program that would have to be run
     */
    static boolean holds(String conditions, Query query) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(conditions);
        while (word.find()) {
            words.add(Optional.ofNullable(word.group(1)).orElseGet(() -> word.group(2)));
        }
        boolean holds = !words.isEmpty();
        for (int i = 0; i < words.size() && holds; i++) {
            boolean not = words.get(i).startsWith("!");
            String name = words.get(i).substring(not ? 1 : 0).toLowerCase(Locale.ROOT);
            if (name.equals("all")) {
                holds = !not;
            } else if (name.equals("canonical") || name.equals("final")) {
                holds = not;
            } else {
                i++;
                holds = i < words.size() && not != one(name, words.get(i), query);
            }
        }
        return holds;
    }

    /** Whether the patterns of a {@code Host} line are about the name that the user wrote. */
    static boolean isHost(String patterns, Query query) {
        return any(patterns.strip().replaceAll("\\s+", ","), query.original());
    }

    private static boolean one(String name, String patterns, Query query) {
        return switch (name) {
            case "host" -> any(patterns, query.host());
            case "originalhost" -> any(patterns, query.original());
            case "user" -> any(patterns, query.user());
            case "localuser" -> any(patterns, System.getProperty("user.name"));
            case "exec" ->
                throw new IllegalArgumentException(
                        "'Match exec' would run a program to see whether it holds, which is not done; write the section as"
                                + " Host, or set TAO_SSH_CONFIG=none to leave the file unread");
            default -> false;
        };
    }

    private static boolean any(String patterns, String value) {
        return HostPatternsHolder.isHostMatch(
                value, 0, HostPatternsHolder.parsePatterns(List.of(patterns.split(",", -1))));
    }
}
