package io.jenkins.plugins.tao.remote.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.remote.HostContract;
import io.jenkins.plugins.tao.remote.LoopbackSshServer;
import io.jenkins.plugins.tao.remote.host.Answer;
import io.jenkins.plugins.tao.remote.host.Deadline;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.host.ScriptFrame;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.core.CoreModuleProperties;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SshHostTest extends HostContract {
    private LoopbackSshServer server;
    private SshHost host;

    @BeforeEach
    void start() throws Exception {
        server = new LoopbackSshServer().start();
        host = new SshHost(server.login(), "lab");
    }

    @AfterEach
    void stop() throws Exception {
        host.close();
        server.close();
    }

    @Override
    public Host host() {
        return host;
    }

    @Test
    void twentyCallersShareOneConnection() throws Exception {
        CoreModuleProperties.MAX_CONCURRENT_CHANNELS.set(server.server(), 5);
        ExecutorService callers = Executors.newFixedThreadPool(20);
        List<Future<String>> answers = new ArrayList<>();

        for (int i = 0; i < 100; i++) {
            String number = String.valueOf(i);
            answers.add(callers.submit(() -> host.run("echo " + number, LIMIT).text()));
        }

        for (int i = 0; i < 100; i++) {
            assertThat(answers.get(i).get()).isEqualTo(i + "\n");
        }
        callers.shutdown();
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aRefusedSessionIsWaitedForAndNoErrorOfTheJob() throws Exception {
        AtomicInteger refusals = server.refuseSessions(3);

        assertThat(host.run("echo done", LIMIT).text()).isEqualTo("done\n");
        assertThat(refusals).hasValue(0);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aConnectionThatBreaksMidScriptIsUnreachableAndNothingIsSentAgain(@TempDir Path directory) throws Exception {
        Path starts = directory.resolve("starts");
        Path going = Files.createFile(directory.resolve("going"));
        ExecutorService caller = Executors.newSingleThreadExecutor();

        Future<Reply> answer = caller.submit(() ->
                host.run("echo x >>" + starts + "; while [ -e " + going + " ]; do sleep 0.1; done; exit 0", LIMIT));
        Awaitility.await().until(() -> Files.exists(starts));
        server.cut();

        assertThatThrownBy(answer::get)
                .cause()
                .isInstanceOf(BackendException.Unreachable.class)
                .hasMessageContaining("'lab'");
        assertThat(host.run("echo again", LIMIT).text()).isEqualTo("again\n");
        assertThat(starts).hasContent("x");
        Files.delete(going);
        caller.shutdown();
    }

    @Test
    void aConnectionThatWasLostInBetweenIsOpenedAgain() throws Exception {
        host.run("echo one", LIMIT);
        server.cut();

        assertThat(host.run("echo two", LIMIT).text()).isEqualTo("two\n");
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void aConnectionThatIsLostJustBeforeItIsUsedIsAFaultOfTheLineAndNotOfOurs() throws Exception {
        try (SshConnector connector = new SshConnector(server.login(), "lab")) {
            ClientSession session = connector.connect(Deadline.in(LIMIT));
            session.close(true);

            assertThatThrownBy(() -> SshHost.channel(
                            session, "true", new Answer("lab", OutputStream.nullOutputStream()), Deadline.in(LIMIT)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("lost");
        }
    }

    @Test
    void aScriptCutShortOnItsWayDoesNotRun(@TempDir Path directory) throws Exception {
        ScriptFrame frame = new ScriptFrame("touch " + directory.resolve("ran") + "\nrm -rf " + directory + "/sub");
        Process shell = new ProcessBuilder("/bin/sh", "-c", frame.program()).start();

        shell.getOutputStream().write(frame.input(), 0, frame.input().length - 5);
        shell.getOutputStream().close();

        assertThat(shell.waitFor()).isEqualTo(97);
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "dash", "tcsh", "busybox"})
    void bannersAndNoisyProfilesOfAnyLoginShellAreCutOff(String shell) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/usr/bin", shell)), "no " + shell + " here");
        boolean busybox = shell.equals("busybox");
        server.loginShell(
                busybox ? "/bin/sh" : "/usr/bin/" + shell,
                command -> "echo 'Welcome to the lab'; "
                        + (busybox ? "exec busybox sh -c '" + command.replace("'", "'\\''") + "'" : command));

        Reply reply = host.run("printf 'a!b$c\\n'; exit 4", LIMIT);
        Path sink = Files.createTempFile("stream", "");

        assertThat(reply.text()).isEqualTo("a!b$c\n");
        assertThat(reply.exitCode()).isEqualTo(4);
        try (var out = Files.newOutputStream(sink)) {
            host.stream("echo streamed", out, LIMIT);
        }
        assertThat(sink).hasContent("streamed");
        Files.delete(sink);
    }

    @Test
    void aLoginShellThatRefusesCommandsIsDeniedWithWhatItSaid() {
        server.loginShell(
                "/bin/sh", command -> "cat >/dev/null; echo 'This account is currently not available.'; exit 1");

        assertThatThrownBy(() -> host.run("echo x", LIMIT))
                .isInstanceOf(BackendException.Denied.class)
                .hasMessageContaining("not available");
    }

    @Test
    @Promise("SL-11")
    void theSecondLoginHostIsUsedWhenTheFirstIsDownAndRemembered() throws Exception {
        LoopbackSshServer second = new LoopbackSshServer(server.userKey()).start();
        SshLogin login = server.login(second);
        server.close();

        try (SshHost failover = new SshHost(login, "lab")) {
            assertThat(failover.run("echo here", LIMIT).text()).isEqualTo("here\n");
            assertThat(failover.name()).isEqualTo("tao@" + second.address());
            assertThat(failover.standIn())
                    .hasValueSatisfying(told -> assertThat(told)
                            .startsWith(
                                    "target 'lab' is reached through " + second.address() + " now, for these did not")
                            .contains(server.address().toString()));
            second.cut();
            failover.run("echo again", LIMIT);
            assertThat(second.connections()).isEqualTo(2);
        }
        second.close();
    }

    @Test
    @Promise("SL-14")
    void hostPortUserKeyAndHostKeysAreSettingsAndNeedNoSshConfiguration() throws Exception {
        SshLogin login = new SshLogin(
                List.of(SshAddress.parse("127.0.0.1:" + server.address().port())),
                LoopbackSshServer.USER,
                server.key(),
                HostKeys.ofText(server.knownHostsLine()));

        try (SshHost alias = new SshHost(login, "any-name-i-like")) {
            assertThat(alias.run("echo here", LIMIT).text()).isEqualTo("here\n");
            assertThat(alias.name()).isEqualTo("tao@" + server.address());
        }
    }

    @Test
    void whenNoHostAnswersEachIsNamed() throws Exception {
        LoopbackSshServer second = new LoopbackSshServer(server.userKey()).start();
        SshLogin login = server.login(second);
        server.close();
        second.close();

        assertThatThrownBy(() -> new SshHost(login, "lab").run("echo x", LIMIT))
                .isInstanceOf(BackendException.Unreachable.class)
                .hasMessageContaining(login.hosts().get(0).toString())
                .hasMessageContaining(login.hosts().get(1).toString())
                .hasMessageContaining("refused");
    }

    @Test
    @Promise("SL-04")
    void aBlackHoleIsGivenUpInTime() throws Exception {
        try (var hole = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SshLogin login = new SshLogin(
                    List.of(new SshAddress("127.0.0.1", hole.getLocalPort())),
                    "tao",
                    server.key(),
                    HostKeys.ofText(""));
            SshConnector hasty = new SshConnector(login, "lab", Duration.ofMillis(500));
            long start = System.nanoTime();

            assertThatThrownBy(() -> new SshHost(login, "lab", hasty).run("echo x", LIMIT))
                    .isInstanceOf(BackendException.Unreachable.class)
                    .hasMessageContaining("no answer in time");

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
        }
    }
}
