package io.jenkins.plugins.tao.http;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Secret;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An HTTP proxy, and the hosts that are reached without it.
 *
 * @param user the name it wants; empty when it wants none
 * @param password prints as {@code ***}
 * @param except hosts reached directly: {@code host}, {@code .domain} (also the domain itself), {@code *.domain},
 *     {@code 10.0.*}, or {@code *} for all; this machine itself always is
 */
public record HttpProxy(String host, int port, Optional<String> user, Optional<Secret> password, List<String> except) {
    private static final int LAST_PORT = 65535;
    private static final int USUAL_PORT = 80;

    public HttpProxy {
        require(!host.isBlank(), "a proxy needs a host");
        require(port > 0 && port <= LAST_PORT, "a proxy's port must be 1 to 65535, was %d", port);
        except = except.stream()
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Reads {@code http://host:port}, for all hosts but this machine itself. Files are bound by it. */
    public static HttpProxy parse(String text) {
        return parse(text, List.of());
    }

    /** Reads {@code http://user:password@host:port}; the words before the host may be left out. */
    public static HttpProxy parse(String text, List<String> except) {
        URI uri;
        try {
            uri = URI.create(text.contains("://") ? text.strip() : "http://" + text.strip());
        } catch (IllegalArgumentException e) {
            throw malformed();
        }
        if (uri.getHost() == null || !"http".equalsIgnoreCase(uri.getScheme())) {
            throw malformed();
        }
        String[] login = uri.getRawUserInfo() == null
                ? new String[0]
                : uri.getRawUserInfo().split(":", 2);
        return new HttpProxy(
                uri.getHost(),
                uri.getPort() < 0 ? USUAL_PORT : uri.getPort(),
                login.length > 0 ? Optional.of(decoded(login[0])) : Optional.empty(),
                login.length > 1 ? Optional.of(Secret.of(decoded(login[1]))) : Optional.empty(),
                except);
    }

    /** What {@code https_proxy} and {@code no_proxy} of an environment say, in small or capital letters; a SOCKS proxy for all is left aside. */
    public static Optional<HttpProxy> ofEnvironment(Map<String, String> environment) {
        List<String> except = List.of(either(environment, "no_proxy").orElse("").split("[,\\s]+"));
        return either(environment, "https_proxy")
                .or(() -> either(environment, "all_proxy").filter(text -> !text.startsWith("socks")))
                .map(text -> parse(text, except));
    }

    /** Whether {@code asked} is reached without the proxy. */
    public boolean spares(String asked) {
        String name = asked.toLowerCase(Locale.ROOT);
        return Loopback.is(name) || except.stream().anyMatch(word -> matches(word.toLowerCase(Locale.ROOT), name));
    }

    private static boolean matches(String word, String name) {
        if (word.equals("*") || word.equals(name)) {
            return true;
        }
        if (word.endsWith("*")) {
            return name.startsWith(word.substring(0, word.length() - 1));
        }
        String domain = word.startsWith("*.") ? word.substring(1) : word.startsWith(".") ? word : "." + word;
        return name.endsWith(domain) || name.equals(domain.substring(1));
    }

    private static Optional<String> either(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name))
                .filter(value -> !value.isBlank())
                .or(() -> Optional.ofNullable(environment.get(name.toUpperCase(Locale.ROOT))))
                .filter(value -> !value.isBlank());
    }

    /** Without the text: it may hold a password. */
    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "A proxy (https_proxy in an environment) must be given as http://host:port or http://user:password@host:port");
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
