package io.jenkins.plugins.tao.remote.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.remote.LoopbackSshServer;
import io.jenkins.plugins.tao.remote.host.Host;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an interrupt of one caller means, to it and to those that share its connection. */
class SshInterruptTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

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

    /** A caller in a thread of its own: what it was told, and whether it is still marked as interrupted after. */
    private static final class Caller {
        private final CompletableFuture<String> told = new CompletableFuture<>();
        private final AtomicBoolean marked = new AtomicBoolean();
        private final Thread thread;

        Caller(Host host, String script) {
            thread = new Thread(() -> {
                String answer;
                try {
                    answer = host.run(script, LIMIT).text();
                } catch (BackendException e) {
                    answer = String.valueOf(e.getMessage());
                }
                marked.set(Thread.currentThread().isInterrupted());
                told.complete(answer);
            });
            thread.start();
        }

        /** Once it waits for an answer. */
        void interrupt() {
            Awaitility.await()
                    .until(() -> thread.getState() == Thread.State.TIMED_WAITING
                            || thread.getState() == Thread.State.WAITING);
            thread.interrupt();
        }

        void wasInterrupted() {
            assertThat(told).succeedsWithin(LIMIT).asString().contains("interrupted");
            assertThat(marked).isTrue();
        }
    }

    @Test
    void aCallerThatIsInterruptedWhileItOpensASessionLeavesTheConnectionToTheOthers(@TempDir Path directory)
            throws Exception {
        Path go = directory.resolve("go");
        Path up = directory.resolve("up");
        Caller other =
                new Caller(host, "touch " + up + "; while [ ! -e " + go + " ]; do sleep 0.05; done; echo submitted");
        Awaitility.await().until(() -> Files.exists(up));
        server.neverAnswerSessions();
        Caller caller = new Caller(host, "echo never");
        Awaitility.await().until(() -> server.heldSessions() > 0);

        caller.interrupt();
        caller.wasInterrupted();
        Files.createFile(go);

        assertThat(other.told).succeedsWithin(LIMIT).isEqualTo("submitted\n");
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aCallerThatIsInterruptedWhileItsScriptRunsStaysMarked(@TempDir Path directory) throws Exception {
        Path up = directory.resolve("up");
        Path going = Files.createFile(directory.resolve("going"));
        Caller caller = new Caller(host, "touch " + up + "; while [ -e " + going + " ]; do sleep 0.1; done");
        Awaitility.await().until(() -> Files.exists(up));

        caller.interrupt();

        caller.wasInterrupted();
        Files.delete(going);
        assertThat(host.run("echo again", LIMIT).text()).isEqualTo("again\n");
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aCallerThatIsInterruptedWhileItConnectsDoesNotGoOnToTheNextHost() throws Exception {
        try (ServerSocket hole = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SshLogin login = new SshLogin(
                    List.of(new SshAddress("127.0.0.1", hole.getLocalPort()), server.address()),
                    LoopbackSshServer.USER,
                    server.key(),
                    HostKeys.ofText(server.knownHostsLine()));
            try (SshHost failover = new SshHost(login, "lab")) {
                Caller caller = new Caller(failover, "echo here");
                try (Socket silent = hole.accept()) {
                    caller.interrupt();

                    caller.wasInterrupted();
                    assertThat(silent.isClosed()).isFalse();
                }
                assertThat(server.connections()).isZero();
            }
        }
    }
}
