package io.jenkins.plugins.tao.remote.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.remote.ssh.SshConfig.Entry;
import io.jenkins.plugins.tao.remote.ssh.SshKey.Identities;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the real {@code ssh} makes of files. */
@Promise({"TR-58", "SL-14"})
class SshConfigTest {
    private static final String PATH = System.getenv("PATH");

    @TempDir
    Path home;

    private Path file;

    @BeforeEach
    void setUp() {
        file = home.resolve("config");
        Assumptions.assumeTrue(
                SshConfig.find(Optional.empty(), home, Map.of("PATH", PATH)).isPresent(),
                "no ssh on the PATH: install openssh-client");
    }

    private SshConfig config(String... lines) throws IOException {
        return config(Map.of("PATH", PATH), lines);
    }

    private SshConfig config(Map<String, String> env, String... lines) throws IOException {
        Files.writeString(file, String.join("\n", lines) + "\n", ISO_8859_1);
        return SshConfig.find(Optional.of(file), home, env).orElseThrow();
    }

    private static Entry of(SshConfig config, String host) {
        return config.of(host, Optional.empty());
    }

    private static Identities keys(SshConfig config, String host) {
        return (Identities) of(config, host).key();
    }

    @Test
    void anAliasStandsForHostPortUserKeysAndTheNameOfTheHostKey() throws IOException {
        SshConfig config = config(
                "# the cluster",
                "Host dgx login? !login3",
                "  HostName=%h.example.com",
                "  Port 2222",
                "  user \"ann\"",
                "  IdentityFile ~/.ssh/%n_%r_%p",
                "  IdentityFile \"~/My Keys/id, 1\"",
                "  CertificateFile %d/site-cert.pub",
                "  IdentitiesOnly yes",
                "  HostKeyAlias cluster",
                "  UserKnownHostsFile /etc/one \"/etc/the second\" /dev/null",
                "  GlobalKnownHostsFile none",
                "Host *",
                "  User bob",
                "  Port 7");
        Entry dgx = of(config, "dgx");

        assertThat(dgx.address()).hasToString("dgx.example.com:2222");
        assertThat(dgx.address().knownHostsName()).isEqualTo("cluster");
        assertThat(dgx.user()).contains("ann");
        assertThat(keys(config, "dgx").files())
                .containsExactly(home.resolve(".ssh/dgx_ann_2222"), home.resolve("My Keys/id, 1"));
        assertThat(keys(config, "dgx").certificates()).containsExactly(home.resolve("site-cert.pub"));
        assertThat(keys(config, "dgx").only()).isTrue();
        assertThat(dgx.knownHosts()).containsExactly(Path.of("/etc/one"), Path.of("/etc/the second"));
        assertThat(of(config, "login1").address()).hasToString("login1.example.com:2222");
        assertThat(of(config, "login3").address()).hasToString("login3:7");
        assertThat(keys(config, "login3").files()).contains(home.resolve(".ssh/id_ed25519"));
    }

    @Test
    void aPortOrAUserThatIsGivenGoesBeforeThatOfTheFile() throws IOException {
        SshConfig config = config("Match user zoe", "Port 3", "Host dgx", "HostName 10.0.0.7", "User ann", "Port 2222");

        assertThat(of(config, "dgx:22").address()).hasToString("10.0.0.7:22");
        assertThat(of(config, "[fd00::22]").address()).hasToString("[fd00::22]:22");
        assertThat(of(config, "[fd00::22]:2200").address()).hasToString("[fd00::22]:2200");
        assertThat(config.of("dgx", Optional.of("zoe")).address()).hasToString("10.0.0.7:3");
        assertThat(config.of("dgx", Optional.of("zoe")).user()).contains("zoe");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host unix/* vsock/* machine/*\n ProxyCommand /usr/lib/systemd/systemd-ssh-proxy %h %p\n ProxyUseFdpass yes\n",
                "Host caf\u00e9 # se\u00f1or\n Port 1\n",
                "Host oldbox # Bob's\n Port 22 # the router\n HostName 192.0.2.9 # moved\n",
                "Host oldbox\r\n\tPort\t=\t22\r\n",
                "Match exec \"test %n = oldbox\"\n Port 1\n",
                "Match final host oldbox\n Port 1\n",
                "IgnoreUnknown UseKeychain\nUseKeychain yes\n",
                "Include missing/* \"also missing\"\nHost \"quoted name\"\n Port 1\n"
            })
    void noSectionOfOtherHostsHindersAHost(String others) throws IOException {
        SshConfig config = config(others, "Host gpubox", " HostName 127.0.0.1 # lab", " Port 7222 # not 22");

        assertThat(of(config, "gpubox").address()).hasToString("127.0.0.1:7222");
        assertThat(of(config, "127.0.0.1:7222").address()).hasToString("127.0.0.1:7222");
    }

    @Test
    void theUserOfThisMachineIsTheOneOfAHostThatTheFileKnows() throws IOException {
        String own = System.getProperty("user.name");
        SshConfig config = config("Host DGX", " HostName 127.0.0.1", "Host named", " User " + own, "Host *", " Port 7");

        assertThat(of(config, "DGX").user()).contains(own);
        assertThat(of(config, "named").user()).isEmpty();
        assertThat(of(config, "OTHER").user()).isEmpty();
        assertThat(of(config, "other:22").user()).isEmpty();
        assertThat(config.of("other", Optional.of(own)).user()).contains(own);
    }

    /** As ssh knows it, whatever HOME says. */
    private static String homeOfTheAccount() throws IOException {
        Process shell = new ProcessBuilder("sh", "-c", "eval echo ~$(id -un)").start();
        return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "SSH_AUTH_SOCK", "$OWN_AGENT", "${HOLDER}/%r", "~/agent", "/run/%%r"})
    void theAgentIsTheOneThatIsNamed(String named) throws IOException {
        Map<String, String> env =
                Map.of("PATH", PATH, "SSH_AUTH_SOCK", "/run/usual", "OWN_AGENT", "/run/own", "HOLDER", "/run");
        Map<String, Optional<Path>> expected = Map.of(
                "none", Optional.empty(),
                "SSH_AUTH_SOCK", Optional.of(Path.of("/run/usual")),
                "$OWN_AGENT", Optional.of(Path.of("/run/own")),
                "${HOLDER}/%r", Optional.of(Path.of("/run/ann")),
                "~/agent", Optional.of(Path.of(homeOfTheAccount(), "agent")),
                "/run/%%r", Optional.of(Path.of("/run/%r")));

        SshConfig config = config(env, "Host dgx", "User ann", "IdentityAgent " + named);

        assertThat(keys(config, "dgx").agent()).isEqualTo(expected.get(named));
        assertThat(keys(config, "other").agent()).contains(Path.of("/run/usual"));
    }

    @Test
    void aJumpHostWrittenTheOldWayIsOne() throws IOException {
        for (String command : new String[] {
            "ssh -W %h:%p ann@gate",
            "/usr/bin/ssh -q -x ann@gate -W [%h]:%p",
            "exec ssh ann@gate  nc %h %p",
            "ssh -l ann gate -W %h:%p",
            "ssh -p22 -A4 -W%h:%p -l ann gate",
            "ssh -q ann@gate netcat -w 5 %h %p 2>/dev/null",
            "ssh ann@gate /usr/bin/nc -q0 %h %p 2> /dev/null"
        }) {
            assertThat(of(config("Host dgx", "ProxyCommand " + command), "dgx")
                            .address()
                            .jumps())
                    .extracting(SshHop::toString)
                    .containsExactly("ann@gate:22");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nc %h %p",
                "ssh gate",
                "ssh -W %h:22 gate",
                "ssh -W %h:%p",
                "ssh -i key -W %h:%p gate",
                "ssh -F other -W %h:%p gate",
                "ssh gate nc -X 5 -x proxy:1080 %h %p",
                "ssh gate sudo nc %h %p",
                "ssh -W %h:%p gate nc %h %p",
                "cloudflared access ssh --hostname %h",
                "sh -c 'ssh -W %h:%p gate'"
            })
    void aCommandThatDoesMoreThanAJumpIsRefused(String command) {
        assertThatThrownBy(() -> of(config("Host dgx", "ProxyCommand " + command), "dgx"))
                .hasMessageContaining("which is not a jump host");
    }

    private Process sshThatConnectsNowhere() throws IOException {
        ProcessBuilder ssh = new ProcessBuilder(
                "ssh", "-v", "-F", file.toString(), "-o", "ProxyCommand=false", "-o", "BatchMode=yes", "dgx");
        ssh.environment().put("PATH_OF_KEYS", "/k");
        return ssh.redirectErrorStream(true).start();
    }

    /** {@code ssh -v} names each file that it would read, with all tokens replaced. */
    @Test
    void theTokensOfPathsStandForWhatSshTakesThemFor() throws Exception {
        SshConfig config = config(
                Map.of("PATH", PATH, "PATH_OF_KEYS", "/k"),
                "Host dgx",
                "  HostName 127.0.0.1",
                "  User ann",
                "  Port 2222",
                "  HostKeyAlias cluster",
                "  ProxyCommand ssh -W %h:%p gate",
                "  IdentityFile ~/a_%n_%h_%p_%r_%u_%i_%k_%L_%l_%%",
                "  IdentityFile ~root/d_%h",
                "  IdentityFile ~/e_%C_%%",
                "  IdentityFile ${PATH_OF_KEYS}/b",
                "  IdentityFile %d/c",
                "  IdentityFile none",
                "  IdentityFile relative");
        Process ssh = sshThatConnectsNowhere();
        List<Path> expected = new String(ssh.getInputStream().readAllBytes(), ISO_8859_1)
                .lines()
                .filter(line -> line.startsWith("debug1: identity file ") && !line.contains("-cert type"))
                .map(line -> Path.of(line.split(" ", -1)[3]))
                .toList();

        Identities keys = (Identities) SshConfig.find(
                        Optional.of(file), Path.of(homeOfTheAccount()), Map.of("PATH", PATH, "PATH_OF_KEYS", "/k"))
                .orElseThrow()
                .of("dgx", Optional.empty())
                .key();

        assertThat(of(config, "dgx").address().knownHostsName()).isEqualTo("cluster");
        assertThat(expected).hasSize(6);
        assertThat(keys.files()).containsExactlyElementsOf(expected);
    }

    /** {@code ssh} ends so, too. */
    @ParameterizedTest
    @ValueSource(strings = {"/k/%T", "~nosuchuser/k", "${NOSUCH}/k"})
    void aPathThatSshRefusesIsRefusedInItsWords(String path) throws IOException {
        SshConfig config = config("Host dgx", "IdentityFile " + path);

        assertThatThrownBy(() -> of(config, "dgx"))
                .hasMessageContaining("ssh -G dgx ended with exit code 255")
                .hasMessageMatching("(?s).*(unknown key %T|No such user nosuchuser|NOSUCH. has no value).*");
    }

    /** Its list of the system and its list of revoked keys take no tokens, and the home of a user. */
    @Test
    void filesOfHostKeysAreThoseThatSshReads() throws IOException {
        Entry dgx = of(
                config(
                        "Host dgx",
                        "  UserKnownHostsFile ~root/one_%n \"~root/the 2nd\" /k/%%d /k/%%%%d",
                        "  GlobalKnownHostsFile ~root/all_%h /etc/a",
                        "  RevokedHostKeys ~root/revoked_%h"),
                "dgx");

        assertThat(dgx.knownHosts())
                .containsExactly(
                        Path.of("/root/one_dgx"),
                        Path.of("/root/the 2nd"),
                        Path.of("/k/%d"),
                        Path.of("/k/%%d"),
                        Path.of("/root/all_%h"),
                        Path.of("/etc/a"));
        assertThat(dgx.revoked()).containsExactly(Path.of("/root/revoked_%h"));
    }

    /** Before 8.4 {@code ssh -G} prints paths as they are written, and known hosts have no tokens; before 8.3 an agent too. */
    @Test
    void theKnownHostsAndTheAgentOfAnOlderSshAreThoseOfItsList() throws IOException {
        Path program = Files.writeString(home.resolve("ssh"), """
                #!/bin/sh
                echo 'userknownhostsfile ~/one /etc/%u /etc/the fourth'
                echo 'port 22'
                echo 'identityagent /run/%h'
                """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        SshConfig config = SshConfig.find(Optional.empty(), home, Map.of("PATH", home + ":" + PATH))
                .orElseThrow();

        assertThat(of(config, "dgx").knownHosts())
                .containsExactly(home.resolve("one"), Path.of("/etc/%u"), Path.of("/etc/the fourth"));
        assertThat(keys(config, "dgx").agent()).contains(Path.of("/run/dgx"));
    }

    @Test
    void jumpHostsAreNamesOfTheFileToo() throws IOException {
        SshConfig config = config(
                "Host dgx",
                "  ProxyJump gate,carl@inner:2200",
                "Host gate",
                "  HostName gate.example.com",
                "  User ann",
                "  ProxyJump ssh://outer:2022",
                "  UserKnownHostsFile /etc/gate",
                "  RevokedHostKeys \"~/revoked keys\"",
                "Host outer",
                "  User dora",
                "Host direct",
                "  ProxyJump none");

        assertThat(of(config, "dgx").address().jumps())
                .extracting(SshHop::toString)
                .containsExactly("dora@outer:2022", "ann@gate.example.com:22", "carl@inner:2200");
        assertThat(of(config, "dgx").address().sshOptions())
                .isEqualTo("-o ProxyJump=dora@outer:2022,ann@gate.example.com:22,carl@inner:2200 ");
        assertThat(of(config, "dgx").knownHosts()).contains(Path.of("/etc/gate"));
        assertThat(of(config, "dgx").revoked()).containsExactly(home.resolve("revoked keys"));
        assertThat(of(config, "direct").address().jumps()).isEmpty();
    }

    @Test
    void theTimeToConnectAndTheProgramThatKnowsKeysAreThoseOfEachHost() throws IOException {
        SshConfig config = config(
                "Host dgx",
                "  ProxyJump gate",
                "  ConnectTimeout 45",
                "Host gate",
                "  ConnectTimeout 3",
                "  KnownHostsCommand /usr/local/bin/site-keys %H");
        SshAddress dgx = of(config, "dgx").address();
        SshAddress gate = dgx.jumps().get(0).address();

        assertThat(dgx.timeout()).contains(Duration.ofSeconds(45));
        assertThat(dgx.keyCommand()).isEmpty();
        assertThat(gate.timeout()).contains(Duration.ofSeconds(3));
        assertThat(gate.keyCommand()).contains("/usr/local/bin/site-keys %H");
        assertThat(of(config, "other").address().timeout()).isEmpty();
        assertThat(dgx.patience(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(45));
        assertThat(gate.patience(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void whatCannotBeUsedIsReportedInOneLine() throws IOException {
        assertThatThrownBy(() -> of(config("Host a", "  Port x"), "a"))
                .hasMessageContaining("ssh -G a ended with exit code 255: " + file + " line 2: Bad port 'x'")
                .hasMessageContaining("TAO_SSH_CONFIG=none");
        assertThatThrownBy(() -> of(config("Host a", "ProxyJump b", "Host b", "ProxyJump a"), "a"))
                .hasMessageContaining("lead in a circle");
        assertThatThrownBy(() -> of(config("Host a", "ProxyCommand nc -X 5 %h %p"), "a"))
                .hasMessageContaining("reaches 'a' by the ProxyCommand 'nc -X 5 %h %p', which is not a jump host")
                .hasMessageContaining("TAO_SSH_CONFIG=none");
        Files.delete(file);
        assertThatThrownBy(() -> of(
                        SshConfig.find(Optional.of(file), home, Map.of("PATH", PATH))
                                .orElseThrow(),
                        "a"))
                .hasMessageContaining("No such file or directory");
    }

    @Test
    void sshIsTheFirstOneOnThePath() throws IOException {
        Path program =
                Files.writeString(home.resolve("ssh"), "#!/bin/sh\necho \"user $FOO\"; echo \"port ${LC_ALL#C}7\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> env = Map.of("PATH", "/missing:" + home + ":" + PATH, "FOO", "ann", "LC_ALL", "de_DE");

        Entry entry = of(SshConfig.find(Optional.empty(), home, env).orElseThrow(), "dgx");

        assertThat(entry.user()).contains("ann");
        assertThat(entry.address()).hasToString("dgx:7");
        assertThat(SshConfig.find(Optional.empty(), home, Map.of("PATH", "/missing")))
                .isEmpty();
    }
}
