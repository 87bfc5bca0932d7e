package io.jenkins.plugins.tao.remote.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.job.Secret;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys as the real ssh-keygen writes them. */
class KeyReaderTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "ed25519, RFC4716, ''", "ed25519, RFC4716, secret", "ecdsa, RFC4716, secret", "rsa, RFC4716, secret",
        "rsa, PEM, ''", "rsa, PEM, secret", "ecdsa, PEM, ''", "ecdsa, PEM, secret",
        "rsa, PKCS8, ''", "rsa, PKCS8, secret", "ecdsa, PKCS8, ''", "ecdsa, PKCS8, secret"
    })
    void everyFormatIsReadFromFileAndText(String type, String format, String passphrase) throws Exception {
        Path file = keygen(type, format, passphrase);
        Optional<Secret> given =
                Optional.of(passphrase).filter(text -> !text.isEmpty()).map(Secret::of);
        String expected = Files.readString(directory.resolve("key.pub"));

        assertThat(expected)
                .startsWith(PublicKeyEntry.toString(
                        KeyReader.read(SshKey.ofFile(file, given)).getPublic()));
        assertThat(expected)
                .startsWith(
                        PublicKeyEntry.toString(KeyReader.read(SshKey.ofText(Secret.of(Files.readString(file)), given))
                                .getPublic()));
    }

    @ParameterizedTest
    @CsvSource({"RFC4716", "PEM", "PKCS8"})
    void aWrongOrMissingPassphraseIsToldAsSuch(String format) throws Exception {
        Path file = keygen("ecdsa", format, "secret");

        assertThatThrownBy(() -> KeyReader.read(SshKey.ofFile(file, Optional.empty())))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("encrypted")
                .hasMessageContaining(file.toString());
        assertThatThrownBy(() -> KeyReader.read(SshKey.ofFile(file, Optional.of(Secret.of("wrong")))))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("passphrase")
                .hasMessageContaining("is wrong");
    }

    @ParameterizedTest
    @CsvSource({"rw-r--r--, 644", "rw-r-----, 640", "rw--w----, 620"})
    @Promise("SL-16")
    void aKeyOpenToOthersIsRefusedAndLeftAsItIs(String mode, String octal) throws Exception {
        Path file = keygen("ed25519", "RFC4716", "");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));

        assertThatThrownBy(() -> KeyReader.read(SshKey.ofFile(file, Optional.empty())))
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.remedy()).contains("chmod 600 " + file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining(octal);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo(mode);
    }

    @Test
    @Promise("SL-15")
    void aKeyOfAnotherUserIsReported() {
        assertThatThrownBy(() -> KeyReader.checkOwner(Path.of("/keys/id"), "alice", "jenkins"))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("'alice'")
                .hasMessageContaining("'jenkins'")
                .hasMessageContaining("/keys/id");
    }

    @Test
    void whatIsNoKeyIsToldWithoutItsContent() {
        SshKey key =
                SshKey.ofText(Secret.of("-----BEGIN JUNK-----\nsecret-junk\n"), Optional.empty(), "credential 'x'");

        assertThatThrownBy(() -> KeyReader.read(key))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("credential 'x'")
                .hasStackTraceContaining("Denied")
                .satisfies(e -> assertThat(String.valueOf(e.getCause())).doesNotContain("secret-junk"));
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> KeyReader.read(SshKey.ofFile(directory.resolve("none"), Optional.empty())))
                .isInstanceOf(Denied.class)
                .hasMessageContaining(directory.resolve("none").toString());
    }

    private Path keygen(String type, String format, String passphrase) throws IOException, InterruptedException {
        Path file = directory.resolve("key");
        Process keygen = new ProcessBuilder(
                        "ssh-keygen",
                        "-q",
                        "-t",
                        type,
                        "-m",
                        format,
                        "-N",
                        passphrase,
                        "-a",
                        "1",
                        "-C",
                        "",
                        "-f",
                        file.toString())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keygen.waitFor()).isZero();
        return file;
    }

    @Test
    void thePublicHalfOfAKeyIsToldAsSuch() throws Exception {
        keygen("ed25519", "RFC4716", "");

        assertThatThrownBy(() -> KeyReader.read(SshKey.ofFile(directory.resolve("key.pub"), Optional.empty())))
                .isInstanceOfSatisfying(
                        Denied.class, refused -> assertThat(refused.remedy()).contains("without .pub"))
                .hasMessageContaining("public half");
    }
}
