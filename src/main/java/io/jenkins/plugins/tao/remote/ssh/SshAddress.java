package io.jenkins.plugins.tao.remote.ssh;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where an SSH server listens.
 *
 * @param host a name or an address; IPv6 without brackets
 * @param port 1 to 65535
 * @param hostKeyAlias the name under which its host key is known; empty for host and port
 * @param jumps the hosts on the way there, in order; empty for the direct way
 * @param timeout how long it may take to connect and to show its key; empty for the usual time
 * @param keyCommand the program that {@code ssh} would ask for its host keys, for messages: it is never run
 */
public record SshAddress(
        String host,
        int port,
        Optional<String> hostKeyAlias,
        List<SshHop> jumps,
        Optional<Duration> timeout,
        Optional<String> keyCommand) {
    /** The port of SSH. */
    public static final int DEFAULT_PORT = 22;

    private static final int MAX_PORT = 65_535;
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.:%-]+");
    private static final Pattern FORM = Pattern.compile("(?:\\[([^\\]]+)\\]|([^\\[\\]:]+))(?::(\\d{1,5}))?");

    public SshAddress {
        require(HOST.matcher(host).matches() && !host.startsWith("-"), "'%s' is not a host name or address", host);
        require(port >= 1 && port <= MAX_PORT, "port must be 1 to 65535, was %d", port);
        jumps = List.copyOf(jumps);
    }

    /** One that is reached directly. */
    public SshAddress(String host, int port) {
        this(host, port, Optional.empty(), List.of());
    }

    /** One of which nothing else is said. */
    public SshAddress(String host, int port, Optional<String> hostKeyAlias, List<SshHop> jumps) {
        this(host, port, hostKeyAlias, jumps, Optional.empty(), Optional.empty());
    }

    /**
     * Reads {@code login1}, {@code login1:2222}, {@code [fd00::1]} or {@code [fd00::1]:2222}.
     *
     * @throws IllegalArgumentException if the text is none of these
     */
    public static SshAddress parse(String text) {
        Matcher match = FORM.matcher(text.strip());
        require(
                match.matches(),
                "'%s' is not a login host; write name, name:port, or [address]:port for IPv6, without user@",
                text);
        String host = match.group(1) != null ? match.group(1) : match.group(2);
        int port = match.group(3) == null ? DEFAULT_PORT : Integer.parseInt(match.group(3));
        return new SshAddress(host, port);
    }

    /** How long the way here may take: {@code usual}, or the longest time that it or a jump host may take. */
    Duration patience(Duration usual) {
        return Stream.concat(Stream.of(this), jumps.stream().map(SshHop::address))
                .flatMap(at -> at.timeout.stream())
                .reduce(usual, (one, other) -> one.compareTo(other) < 0 ? other : one);
    }

    /** The form in which {@code known_hosts} names it: its alias, {@code login1} or {@code [login1]:2222}. */
    public String knownHostsName() {
        return hostKeyAlias.orElse(port == DEFAULT_PORT ? host : "[" + host + "]:" + port);
    }

    /** What {@code ssh} needs to get here, beside user and host, with a blank at the end: {@code -p 2222 }, or nothing. */
    public String sshOptions() {
        String way = jumps.stream().map(SshHop::toString).collect(Collectors.joining(","));
        return (port == DEFAULT_PORT ? "" : "-p " + port + " ") + (way.isEmpty() ? "" : "-o ProxyJump=" + way + " ");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
