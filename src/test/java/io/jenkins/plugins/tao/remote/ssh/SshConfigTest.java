package io.jenkins.plugins.tao.remote.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.remote.LoopbackSshServer;
import io.jenkins.plugins.tao.remote.ssh.SshConfig.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Promise({"TR-58", "SL-14"})
class SshConfigTest {
    @TempDir
    Path home;

    private Path file;

    @BeforeEach
    void setUp() throws IOException {
        file = Files.createDirectory(home.resolve(".ssh")).resolve("config");
    }

    private SshConfig config(String... lines) throws IOException {
        Files.writeString(file, String.join("\n", lines));
        return SshConfig.read(file, home);
    }

    @Test
    void anAliasStandsForHostPortUserKeyAndTheNameOfTheHostKey() throws IOException {
        Entry dgx = config(
                        "# the cluster",
                        "Host dgx login? !login3",
                        "  HostName=%h.example.com",
                        "  Port 2222",
                        "  user \"ann\"",
                        "  IdentityFile ~/.ssh/%h_key",
                        "  HostKeyAlias cluster",
                        "  ServerAliveInterval 30",
                        "Host *",
                        "  User bob",
                        "  Port 7")
                .of("dgx");

        assertThat(dgx.address()).hasToString("dgx.example.com:2222");
        assertThat(dgx.address().knownHostsName()).isEqualTo("cluster");
        assertThat(dgx.user()).contains("ann");
        assertThat(dgx.identities()).containsExactly(home.resolve(".ssh/dgx.example.com_key"));
        assertThat(SshConfig.read(file, home).of("login1").address()).hasToString("login1.example.com:2222");
        assertThat(SshConfig.read(file, home).of("login3").address()).hasToString("login3:7");
    }

    @Test
    void aPortThatIsWrittenGoesBeforeThatOfTheFile() throws IOException {
        SshConfig config = config("Host dgx", "HostName 10.0.0.7", "Port 2222");

        assertThat(config.of("dgx:22").address()).hasToString("10.0.0.7:22");
        assertThat(config.of("[fd00::22]").address()).hasToString("[fd00::22]:22");
    }

    @Test
    void theFirstValueWinsAndIncludedFilesStandInTheirPlace() throws IOException {
        Files.createDirectory(home.resolve(".ssh/conf.d"));
        Files.writeString(home.resolve(".ssh/conf.d/site"), "Host dgx\n Port 1111\nHost other\n Port 9\n");

        SshConfig config =
                config("User first", "Include conf.d/* missing/*", "User second", "Host dgx", "Port 2", "Port 3");

        assertThat(config.of("dgx").address().port()).isEqualTo(1111);
        assertThat(config.of("dgx").user()).contains("first");
    }

    @Test
    void anIncludeBelowAHostLineIsReadForThatHostAlone() throws IOException {
        Files.writeString(home.resolve(".ssh/deep"), "Port 7\n");
        Files.writeString(home.resolve(".ssh/site"), "Include deep\nUser ann\nHost *\n HostKeyAlias ours\n");

        SshConfig config = config("Host dgx login? !login3", "Include site", "HostName one", "Host *", "User bob");

        assertThat(config.of("dgx").address()).hasToString("one:7");
        assertThat(config.of("login1").user()).contains("ann");
        assertThat(config.of("login1").address().knownHostsName()).isEqualTo("ours");
        assertThat(config.of("login3").user()).contains("bob");
        assertThat(config.of("other").address()).hasToString("other:22");
        assertThat(config.of("other").address().knownHostsName()).isEqualTo("other");
        assertThat(config.of("other").user()).contains("bob");
    }

    @Test
    void aMatchSectionHoldsForItsHostsAndUsers() throws IOException {
        SshConfig config = config(
                "Match originalhost dgx user toor",
                "  Port 1",
                "Host dgx",
                "  HostName dgx.example.com",
                "Match host \"*.example.com,!gate.*\" user ann",
                "  Port 2",
                "Match host dgx",
                "  Port 3",
                "Match !final originalhost dgx,other localuser " + System.getProperty("user.name"),
                "  Port 4",
                "Match final all",
                "  Port 5",
                "Match all",
                "  User everyone");

        assertThat(config.of("dgx", Optional.of("toor")).address().port()).isEqualTo(1);
        assertThat(config.of("dgx").address()).hasToString("dgx.example.com:4");
        assertThat(config.of("other").address().port()).isEqualTo(4);
        assertThat(config.of("third").address().port()).isEqualTo(22);
        assertThat(config.of("third").user()).contains("everyone");
    }

    @Test
    void aMatchOfTheUserThatTheFileGivesHolds() throws IOException {
        SshConfig config = config(
                "Host dgx", "HostName dgx.example.com", "User ann", "Match host *.example.com user ann", "Port 2");

        assertThat(config.of("dgx").address().port()).isEqualTo(2);
        assertThat(config.of("dgx", Optional.of("bob")).address().port()).isEqualTo(22);
    }

    @Test
    void aMatchThatWouldRunAProgramIsRefusedOnlyWhereItDecides() throws IOException {
        SshConfig config = config("Host a", "Port 2", "Match originalhost dgx exec \"touch /tmp/x\"", "User matched");

        assertThat(config.of("a").address().port()).isEqualTo(2);
        assertThatThrownBy(() -> config.of("dgx"))
                .hasMessageStartingWith(file + ":3: 'Match exec' would run a program");
    }

    @Test
    void aPathInQuotesMayHoldBlanks() throws IOException {
        SshConfig config = config("Host a", "IdentityFile \"~/My Keys/id, 1\"", "IdentityFile=~/.ssh/second");

        assertThat(config.of("a").identities())
                .containsExactly(home.resolve("My Keys/id, 1"), home.resolve(".ssh/second"));
    }

    @Test
    void theFileOfTheSystemIsReadBehindThatOfTheUser() throws IOException {
        Path system = Files.writeString(home.resolve("ssh_config"), "Host *\n  Port 7\n  User guest\n");
        Files.writeString(file, "Host dgx\n  Port 2\n");
        SshConfig config = SshConfig.read(List.of(file, system), home);

        assertThat(config.of("dgx").address().port()).isEqualTo(2);
        assertThat(config.of("dgx").user()).contains("guest");
        assertThat(config.of("other").address().port()).isEqualTo(7);
    }

    @Test
    void aJumpHostWrittenTheOldWayIsOne() throws IOException {
        for (String command : new String[] {
            "ssh -W %h:%p ann@gate", "/usr/bin/ssh -q -x ann@gate -W [%h]:%p", "exec ssh ann@gate  nc %h %p"
        }) {
            assertThat(config("Host dgx", "ProxyCommand " + command)
                            .of("dgx")
                            .address()
                            .jumps())
                    .extracting(SshHop::toString)
                    .containsExactly("ann@gate:22");
        }
    }

    @Test
    void jumpHostsAreNamesOfTheFileToo() throws IOException {
        SshConfig config = config(
                "Host dgx",
                "  ProxyJump gate,carl@inner:2200",
                "Host gate",
                "  HostName gate.example.com",
                "  User ann",
                "  ProxyJump outer",
                "Host outer",
                "  User dora",
                "Host direct",
                "  ProxyJump none");

        assertThat(config.of("dgx").address().jumps())
                .extracting(SshHop::toString)
                .containsExactly("dora@outer:22", "ann@gate.example.com:22", "carl@inner:2200");
        assertThat(config.of("dgx").address().sshOptions())
                .isEqualTo("-o ProxyJump=dora@outer:22,ann@gate.example.com:22,carl@inner:2200 ");
        assertThat(config.of("direct").address().jumps()).isEmpty();
    }

    @Test
    void whatCannotBeUsedIsToldInOneLineWithItsPlace() throws IOException {
        assertThatThrownBy(() -> config("Host a", "  Port x"))
                .hasMessage(file + ":2: Port must be 1 to 65535, was 'x'");
        assertThatThrownBy(() -> config("Host a", "  Port"))
                .hasMessage(file + ":2: 'Port' is not a keyword and its value");
        assertThatThrownBy(() -> config("Include config")).hasMessageContaining("includes itself");
        assertThatThrownBy(() ->
                        config("Host a", "ProxyJump b", "Host b", "ProxyJump a").of("a"))
                .hasMessageContaining("lead in a circle");
        assertThatThrownBy(() -> config("Host a", "ProxyCommand nc %h %p").of("a"))
                .hasMessageContaining("reaches 'a' by a ProxyCommand that is no jump host")
                .hasMessageContaining("TAO_SSH_CONFIG=none");
        assertThat(config("Host a", "ProxyCommand nc %h %p").of("b").address()).hasToString("b:22");
        assertThatThrownBy(() -> SshConfig.read(home, home)).hasMessageContaining("cannot be read");
    }

    @Test
    void theFirstKeyThatCanBeUsedIsTaken() throws Exception {
        Entry entry = config(
                        "Host a", "IdentityFile ~/.ssh/gone", "IdentityFile ~/.ssh/public", "IdentityFile ~/.ssh/own")
                .of("a");
        Files.writeString(home.resolve(".ssh/public"), "ssh-ed25519 AAAA of an agent");

        assertThat(entry.key(true)).isEmpty();
        assertThat(entry.key(false)).contains(SshKey.ofFile(home.resolve(".ssh/public"), Optional.empty()));

        Path own = Files.writeString(
                home.resolve(".ssh/own"), LoopbackSshServer.pem(KeyUtils.generateKeyPair("ssh-ed25519", 256)));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rw-------"));

        assertThat(entry.key(true)).contains(SshKey.ofFile(own, Optional.empty()));
    }
}
