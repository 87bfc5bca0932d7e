package io.jenkins.plugins.tao.remote.ssh;

import com.sun.security.auth.module.UnixSystem;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code ~}, {@code %h} and <code>${NAME}</code> stand for in a path of the SSH configuration, which {@code ssh -G}
 * prints as they are written.
 *
 * @param original the host as the user wrote it
 * @param user the user on the host
 * @param ssh what {@code ssh} itself makes of a path: it alone knows the homes of users, and tokens that differ by version
 * @see <a href="https://man.openbsd.org/ssh_config.5#TOKENS">ssh_config(5), "TOKENS"</a>, read for OpenSSH 10.2
 */
record SshTokens(
        Path home,
        Map<String, String> env,
        SshAddress address,
        String original,
        String user,
        UnaryOperator<String> ssh) {
    /** The variable and the word for the usual agent. */
    static final String AGENT = "SSH_AUTH_SOCK";

    private static final Pattern TOKEN = Pattern.compile("%(.)|\\$\\{(\\w+)\\}");

    /** A path that {@code ssh -G} prints as it is written. */
    String path(String text) {
        boolean known = TOKEN.matcher(text)
                .results()
                .allMatch(token -> token.group(2) == null
                        ? "%dhiklLnpru".contains(token.group(1))
                        : env.containsKey(token.group(2)));
        return known ? expand(text) : ssh.apply(text);
    }

    /** The path of an agent, of which {@code ssh -G} replaces the tokens itself since 8.3, and in lists of known hosts since 8.4. */
    String agent(String text) {
        return text.contains("%") && ssh.apply("%%").equals("%") ? text : expand(text);
    }

    /** The text with its tokens replaced; unknown ones stay. */
    private String expand(String text) {
        return text.matches("\\$\\w+")
                ? env.getOrDefault(text.substring(1), "")
                : tilde(TOKEN.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value(found))));
    }

    /**
     * The path with the home of a user in place of {@code ~}: in lists of host keys nothing else is replaced, or {@code ssh -G} does it
     * itself, as since 8.4 in those of known hosts.
     */
    String tilde(String text) {
        if (text.startsWith("~/")) {
            return home.resolve(text.substring(2)).toString();
        }
        int end = text.indexOf('/');
        return text.startsWith("~") && end > 0 ? ssh.apply(text.substring(0, end + 1)) + text.substring(end + 1) : text;
    }

    private String value(MatchResult token) {
        if (token.group(2) != null) {
            return env.getOrDefault(token.group(2), "");
        }
        return switch (token.group(1)) {
            case "%" -> "%";
            case "d" -> home.toString();
            case "h" -> address.host();
            case "i" -> Long.toString(new UnixSystem().getUid());
            case "k" -> address.hostKeyAlias().orElse(original);
            case "l" -> localHost();
            case "L" -> localHost().replaceFirst("\\..*", "");
            case "n" -> original;
            case "p" -> Integer.toString(address.port());
            case "r" -> user;
            case "u" -> System.getProperty("user.name");
            default -> token.group();
        };
    }

    private static String localHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
