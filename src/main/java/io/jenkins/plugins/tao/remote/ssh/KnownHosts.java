package io.jenkins.plugins.tao.remote.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.sshd.client.config.hosts.KnownHostHashValue;

/** The lines of {@link HostKeys}, read as OpenSSH reads them: comments may hold any byte, unknown lines are left out. */
final class KnownHosts {
    private static final String AUTHORITY = "@cert-authority";
    private static final String REVOKED = "@revoked";

    private final List<Line> lines = new ArrayList<>();

    private KnownHosts() {}

    /** Those of {@code host} are wanted, which a refusal names. */
    static KnownHosts read(HostKeys keys, SshAddress host) throws Denied {
        KnownHosts known = new KnownHosts();
        if (keys instanceof HostKeys.Text text) {
            text.lines().lines().forEach(known::add);
            return known;
        }
        HostKeys.FileList files = (HostKeys.FileList) keys;
        for (Path file : files.revoked()) {
            known.addRevoked(file);
        }
        List<IOException> unread = new ArrayList<>();
        for (Path path : files.paths()) {
            try {
                Files.readAllLines(path, ISO_8859_1).forEach(known::add);
            } catch (IOException e) {
                unread.add(e);
            }
        }
        if (unread.size() == files.paths().size()) {
            throw new Denied(
                    "The file of trusted host keys " + keys + " cannot be read (" + Sentences.why(unread.get(0)) + ").",
                    "Let it hold the host keys of this system, one known_hosts line each: ssh-keyscan -p PORT HOST prints"
                            + " them; compare them with the site's, or name the file that has them already."
                            + HostKeyCheck.unasked(host),
                    unread.get(0));
        }
        return known;
    }

    /** OpenSSH, too, refuses all hosts while such a file is missing or a line of it is not a key. */
    private void addRevoked(Path file) throws Denied {
        try {
            for (String text : Files.readAllLines(file, ISO_8859_1)) {
                String[] words = text.strip().split("[ \t]+", -1);
                if (!words[0].isEmpty() && !words[0].startsWith("#")) {
                    PublicKey key = KeyReader.publicKey(words.length > 1 ? words[1] : "")
                            .orElseThrow(() -> new IOException("'" + words[0] + "' does not begin a public key"));
                    lines.add(new Line(REVOKED, "*", key));
                }
            }
        } catch (IOException e) {
            throw new Denied(
                    "The file of revoked host keys " + file + " cannot be read (" + Sentences.why(e) + ").",
                    "RevokedHostKeys of the SSH configuration names it: let it hold public keys, one a line; a binary list,"
                            + " as ssh-keygen -k makes it, is not read.",
                    e);
        }
    }

    private void add(String text) {
        String[] words = text.strip().split("[ \t]+", -1);
        int names = words[0].startsWith("@") ? 1 : 0;
        if (words.length > names + 2 && !words[0].startsWith("#")) {
            KeyReader.publicKey(words[names + 2])
                    .ifPresent(key -> lines.add(new Line(names == 0 ? "" : words[0], words[names], key)));
        }
    }

    /** The keys that {@code host} may have. Lines of its name without a port hold for all ports, as OpenSSH has it. */
    List<PublicKey> trusted(SshAddress host) {
        return known(host, "");
    }

    /** The keys that may sign the certificate of {@code host}. */
    List<PublicKey> authorities(SshAddress host) {
        return known(host, AUTHORITY);
    }

    /** The keys that no server of the name of {@code host} may have. */
    List<PublicKey> revoked(SshAddress host) {
        return Stream.of(host.knownHostsName(), host.host(), host.hostKeyAlias().orElse(host.host()))
                .flatMap(name -> keys(name, REVOKED).stream())
                .toList();
    }

    private List<PublicKey> known(SshAddress host, String marker) {
        List<PublicKey> exact = keys(host.knownHostsName(), marker);
        return exact.isEmpty() && host.hostKeyAlias().isEmpty() ? keys(host.host(), marker) : exact;
    }

    private List<PublicKey> keys(String name, String marker) {
        return lines.stream()
                .filter(line -> marker.equals(line.marker()) && line.isOf(name))
                .map(Line::key)
                .toList();
    }

    private record Line(String marker, String names, PublicKey key) {
        boolean isOf(String name) {
            return names.startsWith("|") ? isHashOf(name) : matches(name);
        }

        private boolean isHashOf(String name) {
            try {
                KnownHostHashValue hash = KnownHostHashValue.parse(names);
                return hash != null && hash.isHostMatch(name.toLowerCase(Locale.ROOT), 0);
            } catch (RuntimeException e) {
                return false; // damaged: it trusts no host
            }
        }

        private boolean matches(String name) {
            List<String> patterns = List.of(names.split(",", -1));
            return patterns.stream()
                            .anyMatch(pattern -> glob(pattern).matcher(name).matches())
                    && patterns.stream()
                            .filter(pattern -> pattern.startsWith("!"))
                            .noneMatch(
                                    pattern -> glob(pattern).matcher("!" + name).matches());
        }

        private static Pattern glob(String pattern) {
            String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
            return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
        }
    }
}
