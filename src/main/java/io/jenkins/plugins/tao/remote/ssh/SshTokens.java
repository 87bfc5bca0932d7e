package io.jenkins.plugins.tao.remote.ssh;

import com.sun.security.auth.module.UnixSystem;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code ~}, {@code %h} and <code>${NAME}</code> stand for in a path of the SSH configuration, which {@code ssh -G}
 * prints as they are written.
 *
 * @param original the host as the user wrote it
 * @param user the user on the host
 * @see <a href="https://man.openbsd.org/ssh_config.5#TOKENS">ssh_config(5), "TOKENS"</a>, read for OpenSSH 10.2
 */
record SshTokens(Path home, Map<String, String> env, SshAddress address, String original, String user) {
    /** The variable and the word for the usual agent. */
    static final String AGENT = "SSH_AUTH_SOCK";

    private static final Pattern TOKEN = Pattern.compile("%(.)|\\$\\{(\\w+)\\}");

    /** The text with its tokens replaced; unknown ones stay. */
    String expand(String text) {
        if (text.matches("\\$\\w+")) {
            return env.getOrDefault(text.substring(1), "");
        }
        String path = TOKEN.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value(found)));
        return path.startsWith("~/") ? home.resolve(path.substring(2)).toString() : path;
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
