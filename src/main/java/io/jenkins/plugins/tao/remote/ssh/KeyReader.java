package io.jenkins.plugins.tao.remote.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.jspecify.annotations.Nullable;

/** Turns an {@link SshKey} into a key pair; what is wrong with it is told with its label, never its content. */
final class KeyReader {
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    /** What is given in place of a private key. */
    private static final List<Map.Entry<Pattern, String>> OTHERS = List.of(
            Map.entry(Pattern.compile("\\A\\s*\\z"), "it is empty"),
            Map.entry(
                    Pattern.compile("\\APuTTY-User-Key-File"),
                    "it is a key of PuTTY, which 'puttygen FILE -O private-openssh -o NEW' converts"),
            Map.entry(
                    Pattern.compile("\\A\\s*(ssh|ecdsa|sk)-\\S+ AAAA|BEGIN [A-Z0-9 ]*PUBLIC KEY"),
                    "it is the public half of a key"),
            Map.entry(Pattern.compile("-----BEGIN [A-Z0-9 ]+-----(?! *\\R)"), "it has lost its line breaks"));

    private KeyReader() {}

    static KeyPair read(SshKey key) throws Denied {
        if (key instanceof SshKey.Text text) {
            return decode(key, text.pem().reveal());
        }
        if (!(key instanceof SshKey.File file)) {
            throw new IllegalArgumentException("an agent's key stays with the agent");
        }
        Path path = file.path();
        if (path.toString().endsWith(".pub")) {
            throw new Denied(
                    path + " is the public half of a key; a login needs the private one.",
                    "Give the file beside it, without .pub.");
        }
        try {
            checkFile(path);
            return decode(key, Files.readString(path, ISO_8859_1)); // around the key there may be any text
        } catch (NoSuchFileException e) {
            throw new Denied(
                    "There is no private key at " + path + ".",
                    "Give the path of the key as this process sees it, or mount the key there.",
                    e);
        } catch (IOException e) {
            throw new Denied(
                    "The private key " + path + " cannot be read as user '" + System.getProperty("user.name") + "': "
                            + Sentences.why(e) + ".",
                    e instanceof AccessDeniedException
                            ? "Let this user own it: chown " + System.getProperty("user.name") + " "
                                    + ShellCommand.quote(path.toString()) + "."
                            : "Give the path of a private key.",
                    e);
        }
    }

    private static void checkFile(Path path) throws IOException, Denied {
        if (!Files.getFileStore(path).supportsFileAttributeView("posix")) {
            return;
        }
        PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
        checkOwner(path, attributes.owner().getName(), System.getProperty("user.name"));
        if (!OWNER.containsAll(attributes.permissions())) {
            throw new Denied(
                    "The private key " + path + " is open to others (mode "
                            + PosixFilePermissions.toString(attributes.permissions()) + ", "
                            + octal(attributes.permissions()) + "), so it is not used; it was not changed.",
                    "Lock it: chmod 600 " + ShellCommand.quote(path.toString())
                            + "; make a new key if others may have copied it.");
        }
    }

    /** Whoever owns a key can read it and exchange it; root is trusted as OpenSSH trusts it. */
    static void checkOwner(Path path, String owner, String user) throws Denied {
        if (!owner.equals(user) && !owner.equals("root")) {
            throw new Denied(
                    "The private key " + path + " belongs to '" + owner + "', not to '" + user
                            + "' that uses it, so it is not used; it was not changed.",
                    "Give it to its user: chown " + user + " " + ShellCommand.quote(path.toString()) + ".");
        }
    }

    private static String octal(Set<PosixFilePermission> permissions) {
        int mode = 0;
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            mode = 2 * mode + (permissions.contains(permission) ? 1 : 0);
        }
        return Integer.toOctalString(mode);
    }

    private static KeyPair decode(SshKey key, String text) throws Denied {
        AtomicBoolean asked = new AtomicBoolean();
        FilePasswordProvider passphrase = (session, resource, retry) -> {
            asked.set(true);
            return key.passphrase().map(Secret::reveal).orElse(null);
        };
        try {
            Iterable<KeyPair> pairs = SecurityUtils.getKeyPairResourceParser()
                    .loadKeyPairs(null, NamedResource.ofName(key.label()), passphrase, text);
            return first(pairs).orElseThrow(() -> unreadable(key, text));
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw asked.get() ? wrongPassphrase(key) : unreadable(key, text);
        }
    }

    private static Optional<KeyPair> first(@Nullable Iterable<KeyPair> pairs) {
        if (pairs == null) {
            return Optional.empty();
        }
        Iterator<KeyPair> found = pairs.iterator();
        return found.hasNext() ? Optional.of(found.next()) : Optional.empty();
    }

    /** The public key or certificate whose {@code base64} stands in a file; empty for a kind that is not known. */
    static Optional<PublicKey> publicKey(String base64) {
        try {
            return Optional.of(new ByteArrayBuffer(Base64.getDecoder().decode(base64)).getRawPublicKey());
        } catch (IOException | RuntimeException e) {
            return Optional.empty(); // of a newer OpenSSH, or damaged
        }
    }

    /** Without a cause: a parser's exception may quote what it could not read. */
    private static Denied wrongPassphrase(SshKey key) {
        return key.passphrase().isPresent()
                ? new Denied(
                        "The passphrase of " + key.label() + " is wrong.",
                        "Correct it where the key is given; ssh-keygen -y asks for it and so tests it.")
                : new Denied(
                        "The private key " + key.label() + " is encrypted, and no passphrase is given.",
                        "Give its passphrase along with the key, or use a key without one.");
    }

    private static Denied unreadable(SshKey key, String text) {
        String kind = OTHERS.stream()
                .filter(other -> other.getKey().matcher(text).find())
                .map(other -> ": " + other.getValue())
                .findFirst()
                .orElse("");
        return new Denied(
                "There is no private key that can be read in " + key.label() + kind + ".",
                "Give a private key as ssh-keygen writes it: Ed25519, ECDSA or RSA, in OpenSSH or PEM format.");
    }
}
