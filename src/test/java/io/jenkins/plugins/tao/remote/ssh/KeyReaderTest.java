package io.jenkins.plugins.tao.remote.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.job.Secret;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** As editors, web forms and variables leave them; the real ssh reads all of these files but the last three. */
    @ParameterizedTest
    @ValueSource(strings = {"RFC4716", "PEM", "PKCS8"})
    void whatEditorsAndFormsAddToAKeyIsNotPartOfIt(String format) throws Exception {
        Path file = keygen("ecdsa", format, "");
        String expected = Files.readString(directory.resolve("key.pub"));
        String text = Files.readString(file);
        for (String changed : List.of(
                text.replace("\n", "\r\n"),
                text.strip(),
                "\n\n" + text + "\n\n",
                "Schl\u00fcssel von J\u00f6rg\n" + text,
                "\ufeff" + text,
                text.replaceAll("(?m)^", "  "),
                text.replace("\n", " \n"))) {
            Files.writeString(file, changed, StandardCharsets.UTF_8);

            assertThat(expected)
                    .startsWith(PublicKeyEntry.toString(KeyReader.read(SshKey.ofFile(file, Optional.empty()))
                            .getPublic()));
        }
        Files.writeString(file, "Schl\u00fcssel\n" + text, StandardCharsets.ISO_8859_1);
        assertThat(KeyReader.read(SshKey.ofFile(file, Optional.empty()))).isNotNull();
    }

    @Test
    void eachFileThatIsNoPrivateKeySaysWhatItIs() throws Exception {
        Path file = keygen("ed25519", "RFC4716", "");
        String text = Files.readString(file);
        String pub = Files.readString(directory.resolve("key.pub"));
        Map<String, String> wrong = Map.of(
                pub,
                "public half",
                "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: x\nPublic-Lines: 1\nAAAA\n",
                "puttygen",
                "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: aes256-cbc\nComment: x\n",
                "puttygen",
                "",
                "is empty",
                text.replace("\n", "\\n"),
                "line breaks",
                text.replace("\n", " "),
                "line breaks",
                "0\u0082\u0001\u00ff\u00fe\u0000",
                "ssh-keygen");
        wrong.forEach((content, words) -> {
            assertThatCode(() -> Files.writeString(file, content, StandardCharsets.ISO_8859_1))
                    .doesNotThrowAnyException();

            assertThatThrownBy(() -> KeyReader.read(SshKey.ofFile(file, Optional.empty())))
                    .isInstanceOfSatisfying(
                            Denied.class,
                            denied -> assertThat(denied.getMessage() + denied.remedy())
                                    .contains(words)
                                    .contains(file.toString())
                                    .doesNotContain("chown", "Exception"));
        });
    }

    @Test
    void aDirectoryIsSaidToBeOne() throws Exception {
        Path folder = Files.createDirectory(
                directory.resolve("keys"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));

        assertThatThrownBy(() -> KeyReader.read(SshKey.ofFile(folder, Optional.empty())))
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.remedy()).doesNotContain("chown"))
                .hasMessageContaining("Is a directory");
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
