package io.jenkins.plugins.tao.remote.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.jenkins.plugins.tao.backend.BackendException.Denied;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;
import org.apache.sshd.client.auth.pubkey.KeyPairIdentity;
import org.apache.sshd.client.auth.pubkey.PublicKeyIdentity;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.session.SessionContext;
import org.apache.sshd.common.signature.SignatureFactoriesManager;
import org.jspecify.annotations.Nullable;

/**
 * The keys that one login offers, in the order of OpenSSH: certificates, the agent's keys that the configuration names, its
 * other keys, keys of files.
 */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
final class LoginKeys {
    /** sshd ends a connection after six refused keys ({@code MaxAuthTries}). */
    private static final int MOST_KEYS = 6;

    /** A certificate without an end has all bits set in its time, which is no instant. */
    private static final long FOR_EVER = 0xFFFF_FFFFL;

    private final List<KeyPair> pairs = new ArrayList<>();
    private final List<Certificate> certificates = new ArrayList<>();
    private final List<PublicKey> named = new ArrayList<>();
    private final Optional<Path> agent;
    private final boolean only;
    private @Nullable Denied unread;

    /** Reads those of {@code login}; an agent is asked whether it is there. */
    static LoginKeys of(SshLogin login) throws Denied {
        return login.key() instanceof SshKey.Identities identities
                ? configured(identities).orRefusal(identities.files())
                : given(login);
    }

    /** Those of a jump host: what the configuration names for it, and then the keys of the login that goes on from there. */
    static LoginKeys ofJump(SshLogin jump, LoginKeys onward) throws Denied {
        if (!(jump.key() instanceof SshKey.Identities identities)) {
            return of(jump);
        }
        LoginKeys keys = configured(identities);
        onward.pairs.stream().filter(pair -> !keys.isNamed(pair.getPublic())).forEach(keys.pairs::add);
        keys.certificates.addAll(onward.certificates);
        return keys.pairs.isEmpty() && keys.agent.isEmpty() ? onward : keys;
    }

    private static LoginKeys configured(SshKey.Identities identities) {
        LoginKeys keys = new LoginKeys(identities.agent().filter(LoginKeys::holdsKeys), identities.only());
        identities.certificates().forEach(keys::addCertificate);
        identities.files().forEach(keys::addIdentity);
        return keys;
    }

    private static LoginKeys given(SshLogin login) throws Denied {
        LoginKeys keys = new LoginKeys(login.agent(), false);
        if (login.agent().isPresent()) {
            checkAgent(login.agent().get());
        } else {
            keys.pairs.add(KeyReader.read(login.key()));
        }
        if (login.key() instanceof SshKey.File file) {
            keys.addCertificate(beside(file.path(), "-cert.pub"));
        }
        return keys;
    }

    private LoginKeys orRefusal(List<Path> files) throws Denied {
        if (pairs.isEmpty() && agent.isEmpty()) {
            throw unread != null
                    ? unread
                    : new Denied(
                            "There is no private key for this login: no SSH agent holds one, and none of these files exists: "
                                    + files + ".",
                            "Make one with ssh-keygen -t ed25519, or give its path as key, or add it to an agent with ssh-add.");
        }
        return this;
    }

    private void addIdentity(Path file) {
        boolean half = file.toString().endsWith(".pub");
        publicKey(half ? file : beside(file, ".pub")).ifPresent(named::add);
        addCertificate(beside(file, "-cert.pub"));
        if (!half && Files.exists(file)) {
            try {
                KeyPair pair = KeyReader.read(SshKey.ofFile(file, Optional.empty()));
                pairs.add(pair);
                named.add(pair.getPublic());
            } catch (Denied e) {
                unread = unread == null ? e : unread;
            }
        }
    }

    private void addCertificate(Path file) {
        if (publicKey(file).orElse(null) instanceof OpenSshCertificate certificate) {
            certificates.add(new Certificate(file, certificate));
        }
    }

    private static Path beside(Path file, String end) {
        return file.resolveSibling(file.getFileName() + end);
    }

    private static Optional<PublicKey> publicKey(Path file) {
        try {
            String[] words = Files.readString(file, ISO_8859_1).strip().split("\\s+", 3);
            return words.length < 2 ? Optional.empty() : KeyReader.publicKey(words[1]);
        } catch (IOException e) {
            return Optional.empty(); // most keys have none
        }
    }

    private static boolean holdsKeys(Path socket) {
        try {
            checkAgent(socket);
            return true;
        } catch (Denied e) {
            return false;
        }
    }

    private static void checkAgent(Path socket) throws Denied {
        try (SshAgentClient client = SshAgentClient.connect(socket)) {
            if (client.getIdentities().isEmpty()) {
                throw new Denied(
                        "The SSH agent at " + socket + " holds no key that can be used.",
                        "Add one with ssh-add, or give the path of a key.");
            }
        } catch (IOException e) {
            throw new Denied(
                    "The SSH agent at " + socket + " does not answer: " + LoginRefusal.reason(e) + ".",
                    "Start it and set SSH_AUTH_SOCK or agent to its socket, or better give the path of a key.",
                    e);
        }
    }

    /** Whether a signature may need a confirmation. */
    boolean askAgent() {
        return agent.isPresent();
    }

    /** A sentence on each certificate that does not hold now, with a blank before it. */
    String expired() {
        StringBuilder text = new StringBuilder();
        for (Certificate each : certificates) {
            if (!OpenSshCertificate.isValidNow(each.key())) {
                text.append(" The certificate ").append(each.file()).append(" does not hold now: it is valid from ");
                text.append(Instant.ofEpochSecond(each.key().getValidAfter())).append(" to ");
                text.append(Instant.ofEpochSecond(each.key().getValidBefore() & FOR_EVER))
                        .append('.');
            }
        }
        return text.toString();
    }

    /** Begins to offer them; closing ends the connection to the agent. */
    Offer offer(ClientSession session, SignatureFactoriesManager factories) throws IOException {
        SshAgentClient client = agent.isEmpty() ? null : SshAgentClient.connect(agent.get());
        try {
            return new Offer(ordered(session, factories, client).iterator(), client);
        } catch (IOException | RuntimeException e) {
            if (client != null) {
                client.close();
            }
            throw e;
        }
    }

    private List<PublicKeyIdentity> ordered(
            ClientSession session, SignatureFactoriesManager factories, @Nullable SshAgentClient client)
            throws IOException {
        List<PublicKey> held = new ArrayList<>();
        if (client != null) {
            client.getIdentities().forEach(key -> held.add(key.getKey()));
        }
        List<PublicKeyIdentity> certified = new ArrayList<>();
        for (Certificate each : certificates) {
            PublicKey plain = each.key().getCertPubKey();
            Stream.concat(
                            pairs.stream()
                                    .filter(pair -> KeyUtils.compareKeys(pair.getPublic(), plain))
                                    .map(pair -> new KeyPairIdentity(
                                            factories, session, new KeyPair(each.key(), pair.getPrivate()))),
                            held.stream()
                                    .filter(key -> KeyUtils.compareKeys(key, plain))
                                    .map(key -> ofAgent(client, key, each.key())))
                    .findFirst()
                    .ifPresent(certified::add);
        }
        Stream<PublicKeyIdentity> known = held.stream().filter(this::isNamed).map(key -> ofAgent(client, key, key));
        Stream<PublicKeyIdentity> others =
                held.stream().filter(key -> !only && !isNamed(key)).map(key -> ofAgent(client, key, key));
        Stream<PublicKeyIdentity> files = pairs.stream()
                .filter(pair -> held.stream().noneMatch(key -> KeyUtils.compareKeys(key, pair.getPublic())))
                .map(pair -> new KeyPairIdentity(factories, session, pair));
        return Stream.of(certified.stream(), known, others, files)
                .flatMap(each -> each)
                .limit(MOST_KEYS)
                .toList();
    }

    private static OfAgent ofAgent(@Nullable SshAgentClient client, PublicKey held, PublicKey shown) {
        if (client == null) {
            throw new IllegalStateException("a key of an agent without the agent");
        }
        return new OfAgent(client, held, shown);
    }

    private boolean isNamed(PublicKey key) {
        PublicKey plain = key instanceof OpenSshCertificate certificate ? certificate.getCertPubKey() : key;
        return named.stream().anyMatch(each -> KeyUtils.compareKeys(each, plain));
    }

    private record Certificate(Path file, OpenSshCertificate key) {}

    /** The keys of one login in turn. */
    record Offer(Iterator<PublicKeyIdentity> keys, @Nullable SshAgentClient client)
            implements Iterator<PublicKeyIdentity>, Closeable {
        @Override
        public boolean hasNext() {
            return keys.hasNext();
        }

        @Override
        public PublicKeyIdentity next() {
            return keys.next();
        }

        @Override
        public void close() throws IOException {
            if (client != null) {
                client.close();
            }
        }
    }

    /** A key that the agent holds, shown as it is or as the certificate for it. For both the signature is that of the key. */
    private record OfAgent(SshAgentClient client, PublicKey held, PublicKey shown) implements PublicKeyIdentity {
        @Override
        public KeyPair getKeyIdentity() {
            return new KeyPair(shown, null);
        }

        @Override
        public Map.Entry<String, byte[]> sign(SessionContext session, String algorithm, byte[] data)
                throws IOException {
            String ofKey = KeyUtils.getSignatureAlgorithm(algorithm, shown);
            Map.Entry<String, byte[]> signed =
                    client.sign(session, held, held instanceof OpenSshCertificate ? algorithm : ofKey, data);
            return signed.getKey().equals(ofKey) ? Map.entry(algorithm, signed.getValue()) : signed;
        }
    }
}
