package io.jenkins.plugins.tao.remote.ssh;

import io.jenkins.plugins.tao.backend.BackendException.Denied;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.PublicKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.sshd.client.keyverifier.ServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.jspecify.annotations.Nullable;

/** Compares the key of one server with the known ones, and remembers what was wrong with it. */
final class HostKeyCheck implements ServerKeyVerifier {
    private final SshAddress host;
    private final HostKeys source;
    private final List<PublicKey> trusted;
    private final List<PublicKey> authorities;
    private final List<PublicKey> revoked;
    private volatile boolean shown;
    private volatile @Nullable Denied refusal;

    HostKeyCheck(SshAddress host, HostKeys source) throws Denied {
        this.host = host;
        this.source = source;
        KnownHosts known = KnownHosts.read(source, host);
        this.trusted = known.trusted(host);
        this.authorities = known.authorities(host);
        this.revoked = known.revoked(host);
    }

    /** How much a signature is wanted from the server, 0 for most: one that proves a key or an authority we know. */
    int rank(String signature) {
        if (KeyUtils.isCertificateAlgorithm(signature) && (revoked.isEmpty() || !authorities.isEmpty())) {
            return authorities.isEmpty() ? 2 : 0;
        }
        // of a known key the certificate is wanted, too, which may name a revoked authority
        String type = KeyUtils.getCanonicalKeyType(signature.replace("-cert-v01@openssh.com", ""));
        return trusted.stream().map(KeyUtils::getKeyType).anyMatch(type::equals) ? 0 : 1;
    }

    /** The name that a certificate must be for. */
    InetSocketAddress certifiedName() {
        return InetSocketAddress.createUnresolved(host.hostKeyAlias().orElse(host.host()), host.port());
    }

    /** Whether the server has shown a key. */
    boolean isShown() {
        return shown;
    }

    /** Why the server's key was refused; empty when it was not. */
    Optional<Denied> refusal() {
        return Optional.ofNullable(refusal);
    }

    @Override
    public boolean verifyServerKey(ClientSession session, SocketAddress remote, PublicKey given) {
        shown = true;
        List<PublicKey> parts = given instanceof OpenSshCertificate certificate
                ? List.of(certificate.getCertPubKey(), certificate.getCaPubKey(), certificate)
                : List.of(given);
        PublicKey key = parts.get(0);
        Optional<PublicKey> bad =
                parts.stream().filter(part -> contains(revoked, part)).findFirst();
        boolean signed = parts.size() > 1 && contains(authorities, parts.get(1));
        if (bad.isPresent()) {
            refusal = revoked(bad.get());
        } else if (!signed && !contains(trusted, key)) {
            refusal = trusted.isEmpty() ? unknown(key) : changed(key);
        }
        return refusal == null;
    }

    private Denied unknown(PublicKey key) {
        return new Denied(
                "The host key of " + host + " is not known: " + name(key) + ".",
                "Compare this fingerprint with the one the site publishes; if they agree, add this line to " + source
                        + ": " + host.knownHostsName() + " " + PublicKeyEntry.toString(key) + " (as "
                        + SshSetup.scan(host) + " prints it)."
                        + unasked(host));
    }

    /** What to say of a program that would know the key. */
    static String unasked(SshAddress host) {
        return host.keyCommand()
                .map(program -> " The KnownHostsCommand '" + program
                        + "' of the SSH configuration is not run: run it once, and keep the lines that it prints for "
                        + host.host() + " in that file.")
                .orElse("");
    }

    private Denied changed(PublicKey key) {
        return new Denied(
                "The host key of " + host + " has CHANGED: it is " + name(key) + ", known is "
                        + trusted.stream().map(HostKeyCheck::name).collect(Collectors.joining(" or "))
                        + ". Someone may be listening in, or the host was set up again.",
                "Ask the site which key is right; only then replace the lines of " + host.knownHostsName() + " in "
                        + source + " (ssh-keygen -R '" + host.knownHostsName() + "' removes the old ones).");
    }

    private Denied revoked(PublicKey key) {
        return new Denied(
                "The host key of " + host + " is revoked: " + name(key) + ".",
                "Do not use this host until its site has given it a new key; a line @revoked of " + source
                        + " has this key, or the file of RevokedHostKeys.");
    }

    private static boolean contains(List<PublicKey> keys, PublicKey key) {
        return keys.stream().anyMatch(other -> KeyUtils.compareKeys(other, key));
    }

    private static String name(PublicKey key) {
        return KeyUtils.getKeyType(key) + " " + KeyUtils.getFingerPrint(key);
    }
}
