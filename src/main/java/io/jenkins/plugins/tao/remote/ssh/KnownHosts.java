package io.jenkins.plugins.tao.remote.ssh;

import io.jenkins.plugins.tao.backend.BackendException.Denied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.common.config.keys.AuthorizedKeyEntry;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;

/** The lines of {@link HostKeys}, read. */
final class KnownHosts {
    private final List<Line> lines;

    private KnownHosts(List<Line> lines) {
        this.lines = lines;
    }

    static KnownHosts read(HostKeys keys) throws Denied {
        if (keys instanceof HostKeys.Text text) {
            return parse(text.lines().lines());
        }
        Path path = ((HostKeys.File) keys).path();
        try {
            return parse(Files.readAllLines(path).stream());
        } catch (IOException e) {
            throw new Denied(
                    "The file of trusted host keys " + path + " cannot be read ("
                            + e.getClass().getSimpleName() + ").",
                    "Let it hold the host keys of this system, one known_hosts line each: ssh-keyscan -p PORT HOST prints"
                            + " them; compare them with the site's, or name the file that has them already.",
                    e);
        }
    }

    private static KnownHosts parse(Stream<String> text) {
        List<Line> lines = new ArrayList<>();
        text.map(String::strip).forEach(line -> parseLine(line).ifPresent(lines::add));
        return new KnownHosts(lines);
    }

    private static Optional<Line> parseLine(String text) {
        try {
            KnownHostEntry entry = KnownHostEntry.parseKnownHostEntry(text);
            AuthorizedKeyEntry key = entry == null ? null : entry.getKeyEntry();
            PublicKey read = key == null ? null : key.resolvePublicKey(null, PublicKeyEntryResolver.IGNORING);
            return entry == null || read == null ? Optional.empty() : Optional.of(new Line(entry, read));
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            return Optional.empty(); // a line of a newer OpenSSH, or damaged: it trusts nobody
        }
    }

    /** The keys that {@code host} may have. Lines of its name without a port hold for all ports, as OpenSSH has it. */
    List<PublicKey> trusted(SshAddress host) {
        if (host.hostKeyAlias().isPresent()) {
            return keys(host.hostKeyAlias().get(), SshAddress.DEFAULT_PORT, "");
        }
        List<PublicKey> exact = keys(host.host(), host.port(), "");
        return exact.isEmpty() ? keys(host.host(), SshAddress.DEFAULT_PORT, "") : exact;
    }

    /** The keys that nobody may have who calls himself {@code host}. */
    List<PublicKey> revoked(SshAddress host) {
        List<PublicKey> revoked = new ArrayList<>(keys(host.host(), host.port(), "revoked"));
        revoked.addAll(keys(host.host(), SshAddress.DEFAULT_PORT, "revoked"));
        host.hostKeyAlias().ifPresent(name -> revoked.addAll(keys(name, SshAddress.DEFAULT_PORT, "revoked")));
        return revoked;
    }

    private List<PublicKey> keys(String host, int port, String marker) {
        return lines.stream()
                .filter(line -> marker.equals(line.marker()) && line.entry().isHostMatch(host, port))
                .map(Line::key)
                .toList();
    }

    private record Line(KnownHostEntry entry, PublicKey key) {
        String marker() {
            String marker = entry.getMarker();
            return marker == null ? "" : marker;
        }
    }
}
