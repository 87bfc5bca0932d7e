package io.jenkins.plugins.tao.remote.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jenkins.plugins.tao.backend.BackendException.Denied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of known hosts, beside what {@code ssh-keygen -F} finds in the same file. */
class KnownHostsTest {
    private static final List<String> NAMES = List.of(
            "dgx",
            "[dgx]:2222",
            "DGX",
            "*.example.com,!bad.example.com",
            "!bad.example.com,*.example.com",
            "10.0.0.?",
            "[10.0.0.*]:2222",
            "[*]:2222",
            "*",
            "fd00::1",
            "[fd00::1]:2222",
            "dgx,10.0.0.7",
            "d?x,",
            ",dgx",
            "[dgx]",
            "dgx.",
            "|1|broken|hash=",
            "a.b+c(d)",
            "\\E*");
    private static final List<SshAddress> HOSTS = List.of(
            new SshAddress("dgx", 22),
            new SshAddress("Dgx", 22),
            new SshAddress("dgx", 2222),
            new SshAddress("a.example.com", 22),
            new SshAddress("A.EXAMPLE.com", 22),
            new SshAddress("bad.example.com", 22),
            new SshAddress("10.0.0.7", 22),
            new SshAddress("10.0.0.7", 2222),
            new SshAddress("10.0.0.77", 22),
            new SshAddress("fd00::1", 22),
            new SshAddress("fd00::1", 2222));

    @TempDir
    Path directory;

    private String key = "";

    @BeforeEach
    void setUp() throws GeneralSecurityException {
        Assumptions.assumeTrue(
                SshConfig.find(Optional.empty(), directory, System.getenv()).isPresent(),
                "no ssh on the PATH: install openssh-client");
        key = PublicKeyEntry.toString(
                KeyUtils.generateKeyPair("ssh-ed25519", 256).getPublic());
    }

    /** The numbers of the lines that {@code ssh-keygen} finds for {@code name}, with {@code mark} behind them. */
    private static List<Integer> found(Path file, String name, String mark) throws IOException {
        Process keygen = new ProcessBuilder("ssh-keygen", "-F", name, "-f", file.toString())
                .redirectErrorStream(true)
                .start();
        Pattern form = Pattern.compile("# Host .* found: line (\\d+) " + mark);
        return new String(keygen.getInputStream().readAllBytes(), ISO_8859_1)
                .lines()
                .map(form::matcher)
                .filter(Matcher::matches)
                .map(line -> Integer.valueOf(line.group(1)))
                .toList();
    }

    @Test
    void aLineIsOfTheHostsThatOpenSshTakesItFor() throws Exception {
        List<String> lines = NAMES.stream().map(names -> names + " " + key).toList();
        Path file = Files.writeString(directory.resolve("known_hosts"), String.join("\n", lines) + "\n", ISO_8859_1);
        List<String> differ = new ArrayList<>();
        for (SshAddress host : HOSTS) {
            // ssh asks for the name without its port where the one with it is not known
            List<Integer> theirs = new ArrayList<>(found(file, host.knownHostsName(), ""));
            theirs.addAll(found(file, host.host(), ""));
            for (int i = 0; i < lines.size(); i++) {
                boolean ours = !KnownHosts.read(HostKeys.ofText(lines.get(i)), host)
                        .trusted(host)
                        .isEmpty();
                compare(NAMES.get(i), "a name of " + host, ours, theirs.contains(i + 1), differ);
            }
        }
        assertThat(differ).isEmpty();
    }

    @Test
    void marksAndFormsOfLinesAreReadAsOpenSshReadsThem() throws Exception {
        SshAddress dgx = new SshAddress("dgx", 22);
        List<String> differ = new ArrayList<>();
        for (String line : List.of(
                "@revoked dgx " + key,
                "@cert-authority dgx " + key,
                "@revoked  dgx\t" + key,
                "@unknown dgx " + key,
                "  dgx " + key,
                "\tdgx\t" + key.replace(' ', '\t') + " comment",
                "dgx " + key + "\r",
                "dgx\u00a0" + key,
                "#dgx " + key,
                "dgx ssh-ed25519",
                "dgx " + key.substring(key.indexOf(' ') + 1),
                "dgx 1024 35 1234567890")) {
            Path file = Files.writeString(directory.resolve("known_hosts"), line + "\n", ISO_8859_1);
            KnownHosts known = KnownHosts.read(HostKeys.ofFile(file), dgx);
            compare(
                    line,
                    "",
                    !known.trusted(dgx).isEmpty(),
                    !found(file, "dgx", "").isEmpty(),
                    differ);
            compare(
                    line,
                    "CA",
                    !known.authorities(dgx).isEmpty(),
                    !found(file, "dgx", "CA").isEmpty(),
                    differ);
            compare(
                    line,
                    "REVOKED",
                    !known.revoked(dgx).isEmpty(),
                    !found(file, "dgx", "REVOKED").isEmpty(),
                    differ);
        }
        assertThat(differ).isEmpty();
    }

    /** {@code ssh} refuses all hosts for such files, too; it reads a binary list alone. */
    @Test
    void aFileOfRevokedKeysThatCannotBeReadRefusesAllHosts() throws Exception {
        SshAddress dgx = new SshAddress("dgx", 22);
        Path known = Files.writeString(directory.resolve("known_hosts"), "dgx " + key + "\n");
        Path revoked = Files.writeString(directory.resolve("revoked"), "# of the site\n\n" + key + " old\n");
        HostKeys keys = HostKeys.ofFiles(List.of(known), List.of(revoked));
        assertThat(KnownHosts.read(keys, dgx).revoked(dgx)).isNotEmpty();

        Files.writeString(revoked, key + "\n@revoked * " + key + "\n");
        assertThatThrownBy(() -> KnownHosts.read(keys, dgx))
                .hasMessageContaining("The file of revoked host keys " + revoked
                        + " cannot be read ('@revoked' does not begin a public key).");

        Path list = directory.resolve("key.pub");
        Files.writeString(list, key + "\n");
        Files.delete(revoked);
        Process keygen = new ProcessBuilder("ssh-keygen", "-k", "-f", revoked.toString(), list.toString()).start();
        assertThat(keygen.waitFor()).isZero();
        assertThat(catchThrowableOfType(Denied.class, () -> KnownHosts.read(keys, dgx)))
                .hasMessageContaining("('SSHKRL' does not begin a public key)")
                .extracting(Denied::remedy)
                .asString()
                .contains("RevokedHostKeys of the SSH configuration", "public keys, one a line", "ssh-keygen -k");

        Files.delete(revoked);
        assertThatThrownBy(() -> KnownHosts.read(keys, dgx)).hasMessageContaining("(no such file or directory)");
    }

    /** As {@code ssh} has it: a certificate of a type of which no key is known would hide the known key. */
    @Test
    void whereKeysAreRevokedTheCertificateOfAKnownKeyIsWanted() throws Exception {
        SshAddress dgx = new SshAddress("dgx", 22);
        String known = "dgx " + key + "\n";
        HostKeyCheck none = new HostKeyCheck(dgx, HostKeys.ofText(known));
        HostKeyCheck some = new HostKeyCheck(dgx, HostKeys.ofText(known + "@revoked * " + key));

        assertThat(none.rank("ssh-ed25519")).isZero();
        assertThat(none.rank("ssh-ed25519-cert-v01@openssh.com")).isEqualTo(2);
        assertThat(some.rank("ssh-ed25519-cert-v01@openssh.com")).isZero();
        assertThat(some.rank("rsa-sha2-512-cert-v01@openssh.com")).isEqualTo(1);
        assertThat(some.rank("rsa-sha2-512")).isEqualTo(1);
    }

    private static void compare(String line, String mark, boolean ours, boolean theirs, List<String> differ) {
        if (ours != theirs) {
            differ.add("'" + line + "' as " + mark + ": " + ours + ", OpenSSH says " + theirs);
        }
    }
}
