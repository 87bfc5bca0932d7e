package io.jenkins.plugins.tao.remote.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.remote.LoopbackSshServer;
import io.jenkins.plugins.tao.remote.host.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.sshd.client.session.ClientSession;
import org.junit.jupiter.api.Test;

/** Hosts of one login that answer in another order than they were asked in. */
class SshConnectorTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** Both connections are on their way at once, as when the first host is given up the moment it answers. */
    @Test
    @Promise("TR-13")
    void aHostThatAnswersAfterTheNextOneWasAskedIsJudgedByItsOwnKey() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(3);
        try (LoopbackSshServer late = new LoopbackSshServer().start();
                LoopbackSshServer next = new LoopbackSshServer(late.userKey()).start();
                Held held = new Held(late.address().port(), callers)) {
            String known = late.knownHostsLine().replace(late.address().knownHostsName(), held.name()) + "\n"
                    + next.knownHostsLine();
            SshLogin login =
                    new SshLogin(List.of(held.address(), next.address()), "tao", late.key(), HostKeys.ofText(known));
            LoginKeys keys = LoginKeys.of(login);
            try (SshConnector connector = new SshConnector(login, "lab")) {
                Deadline deadline = Deadline.in(LIMIT);
                Future<ClientSession> first =
                        callers.submit(() -> connector.open(held.address(), keys, deadline, deadline));
                held.connected.await();

                ClientSession second = connector.open(next.address(), keys, deadline, deadline);
                held.released.countDown();

                assertThat(first.get().isAuthenticated()).isTrue();
                assertThat(second.isAuthenticated()).isTrue();
            }
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void aHostMayTakeTheTimeThatTheConfigurationGivesIt() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(3);
        try (LoopbackSshServer server = new LoopbackSshServer().start();
                Held held = new Held(server.address().port(), callers)) {
            String known = server.knownHostsLine().replace(server.address().knownHostsName(), held.name());
            SshLogin login =
                    new SshLogin(List.of(timed(held.address(), LIMIT)), "tao", server.key(), HostKeys.ofText(known));
            try (SshConnector connector = new SshConnector(login, "lab", Duration.ofMillis(1))) {
                Future<ClientSession> late = callers.submit(() -> connector.connect(Deadline.in(LIMIT)));
                held.connected.await();
                held.released.countDown();

                assertThat(late.get().isAuthenticated()).isTrue();
            }
        } finally {
            callers.shutdownNow();
        }
    }

    /** As of a name that stands for all login hosts of a cluster. */
    @Test
    void ofANameWithSeveralAddressesTheOneThatAnswersIsTaken() throws Exception {
        try (LoopbackSshServer server = new LoopbackSshServer().start()) {
            SshAddress name = new SshAddress("login.lab", server.address().port());
            String known = server.knownHostsLine().replace("127.0.0.1", "login.lab");
            SshLogin login = new SshLogin(List.of(name), "tao", server.key(), HostKeys.ofText(known));
            InetAddress[] both = {InetAddress.getByName("127.0.0.99"), InetAddress.getLoopbackAddress()};
            try (SshConnector connector = new SshConnector(login, "lab", LIMIT, host -> both)) {
                assertThat(connector.connect(Deadline.in(LIMIT)).isAuthenticated())
                        .isTrue();
            }
        }
    }

    @Test
    void aNameThatNobodyKnowsIsSaidToBeNoHost() throws Exception {
        try (LoopbackSshServer server = new LoopbackSshServer().start();
                SshConnector connector = new SshConnector(server.login(), "lab", LIMIT, host -> {
                    throw new UnknownHostException(host + ": Name or service not known");
                })) {
            assertThatThrownBy(() -> connector.connect(Deadline.in(LIMIT)))
                    .hasMessageContaining(server.address() + " (no such host)");
        }
    }

    /** A library that is missing, or another version than this was built for, is no network. */
    @Test
    void anErrorOfTheInstallationIsNotAHostThatDoesNotAnswer() throws Exception {
        LinkageError missing = new NoClassDefFoundError("org/example/Cipher");
        try (LoopbackSshServer server = new LoopbackSshServer().start();
                SshConnector connector = new SshConnector(server.login(), "lab", LIMIT, host -> {
                    throw (UnknownHostException) new UnknownHostException(host).initCause(new IOException(missing));
                })) {
            assertThatThrownBy(() -> connector.connect(Deadline.in(LIMIT)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "This installation of tao-run is at fault: java.lang.NoClassDefFoundError: org/example/Cipher")
                    .hasCause(missing);
        }
    }

    @Test
    void aSilentHostIsGivenUpAfterTheTimeThatTheConfigurationGivesIt() throws Exception {
        try (LoopbackSshServer server = new LoopbackSshServer().start();
                ServerSocket hole = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SshAddress silent = timed(new SshAddress("127.0.0.1", hole.getLocalPort()), Duration.ofMillis(1));
            SshLogin login = new SshLogin(
                    List.of(silent, server.address()), "tao", server.key(), HostKeys.ofText(server.knownHostsLine()));
            try (SshConnector connector = new SshConnector(login, "lab", Duration.ofHours(1))) {
                ClientSession next = connector.connect(Deadline.in(Duration.ofHours(2)));

                assertThat(next.isAuthenticated()).isTrue();
                assertThat(connector.standIn().orElse("")).contains(silent + " (no answer in time)");
            }
        }
    }

    private static SshAddress timed(SshAddress at, Duration timeout) {
        return new SshAddress(
                at.host(), at.port(), at.hostKeyAlias(), at.jumps(), Optional.of(timeout), Optional.empty());
    }

    /** A line to one server whose first words are held until they are released. */
    private static final class Held implements AutoCloseable {
        final CountDownLatch connected = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
        private final ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());

        Held(int port, ExecutorService threads) throws IOException {
            var unused = threads.submit(() -> {
                try (Socket near = listener.accept();
                        Socket far = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    Future<?> up = threads.submit(() -> near.getInputStream().transferTo(far.getOutputStream()));
                    connected.countDown();
                    released.await();
                    far.getInputStream().transferTo(near.getOutputStream());
                    return up.get();
                }
            });
        }

        SshAddress address() {
            return new SshAddress("127.0.0.1", listener.getLocalPort());
        }

        String name() {
            return address().knownHostsName();
        }

        @Override
        public void close() throws IOException {
            released.countDown();
            listener.close();
        }
    }
}
