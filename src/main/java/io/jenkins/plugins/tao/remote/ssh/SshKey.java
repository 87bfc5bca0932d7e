package io.jenkins.plugins.tao.remote.ssh;

import io.jenkins.plugins.tao.job.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A private key in OpenSSH's or PEM form: Ed25519, ECDSA or RSA, with a passphrase or without. */
public sealed interface SshKey {
    /** What to call it in messages; never its content. */
    String label();

    /** What it is encrypted with; empty when it is not. */
    Optional<Secret> passphrase();

    /** A key whose text is at hand, such as one from a credential store. */
    static SshKey ofText(Secret pem, Optional<Secret> passphrase) {
        return ofText(pem, passphrase, "the given private key");
    }

    /**
     * The same with a name for messages.
     *
     * @param label such as {@code credential 'dgx-key'}
     */
    static SshKey ofText(Secret pem, Optional<Secret> passphrase, String label) {
        return new Text(pem, passphrase, label);
    }

    /** A key in a file of this machine, read at each connect; it must be readable by its owner alone. */
    static SshKey ofFile(Path path, Optional<Secret> passphrase) {
        return new File(path.toAbsolutePath().normalize(), passphrase);
    }

    /** No key: the one of an agent is used, see {@link SshLogin#agent}. */
    static SshKey none() {
        return new None();
    }

    /**
     * What an SSH configuration names. All are offered as {@code ssh} offers them; those that cannot be read are left out.
     *
     * @param files private keys, in order
     * @param certificates certificates beside those that lie at a key
     * @param agent the socket of the agent
     * @param only whether the agent's other keys are left out
     */
    record Identities(List<Path> files, List<Path> certificates, Optional<Path> agent, boolean only) implements SshKey {
        @Override
        public String label() {
            String label = Stream.concat(
                            files.stream().filter(Files::exists).map(Path::toString),
                            agent.map(socket -> "of the SSH agent").stream())
                    .collect(Collectors.joining(" or "));
            return label.isEmpty() ? "of this login" : label;
        }

        @Override
        public Optional<Secret> passphrase() {
            return Optional.empty();
        }
    }

    /** No key of our own. */
    record None() implements SshKey {
        @Override
        public String label() {
            return "of the SSH agent";
        }

        @Override
        public Optional<Secret> passphrase() {
            return Optional.empty();
        }
    }

    /** A key given as text. */
    record Text(Secret pem, Optional<Secret> passphrase, String label) implements SshKey {}

    /** A key in a file. */
    record File(Path path, Optional<Secret> passphrase) implements SshKey {
        @Override
        public String label() {
            return path.toString();
        }
    }
}
