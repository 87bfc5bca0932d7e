package io.jenkins.plugins.tao.remote;

import io.jenkins.plugins.tao.TestPatience;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshKey;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.sshd.client.future.DefaultOpenFuture;
import org.apache.sshd.client.future.OpenFuture;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.channel.Channel;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.channel.ChannelSessionFactory;

/** A real SSH server in this process, on loopback, that runs commands with a real shell. */
public final class LoopbackSshServer implements AutoCloseable {
    public static final String USER = "tao";

    private final SshServer server = SshServer.setUpDefaultServer();
    private final KeyPair hostKey;
    private final KeyPair userKey;
    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();

    public LoopbackSshServer() throws IOException, GeneralSecurityException {
        this(KeyUtils.generateKeyPair("ssh-ed25519", 256));
    }

    public LoopbackSshServer(KeyPair userKey) throws IOException, GeneralSecurityException {
        this.userKey = userKey;
        this.hostKey = KeyUtils.generateKeyPair("ssh-ed25519", 256);
        server.setHost("127.0.0.1");
        server.setPort(0);
        server.setNioWorkers(2);
        server.setKeyPairProvider(KeyPairProvider.wrap(hostKey));
        server.setPublickeyAuthenticator(
                (user, key, session) -> user.equals(USER) && KeyUtils.compareKeys(key, userKey.getPublic()));
        CoreModuleProperties.TCP_NODELAY.set(server, true);
        server.addSessionListener(new SessionListener() {
            @Override
            public void sessionCreated(Session session) {
                sessions.incrementAndGet();
            }
        });
        loginShell("/bin/sh", UnaryOperator.identity());
    }

    /** Runs commands as sshd does: the user's login shell, {@code -c}, and the command, changed by {@code profile}. */
    public void loginShell(String shell, UnaryOperator<String> profile) {
        server.setCommandFactory(
                (channel, command) -> new LoopbackCommand(List.of(shell, "-c", profile.apply(command))));
    }

    /** Answers "open failed" to the next {@code count} sessions on a connection, as sshd does above MaxSessions. */
    public AtomicInteger refuseSessions(int count) {
        AtomicInteger left = new AtomicInteger(count);
        server.setChannelFactories(List.of(new ChannelSessionFactory() {
            @Override
            public Channel createChannel(Session session) throws IOException {
                return left.get() > 0 ? new RefusedSession(left) : super.createChannel(session);
            }
        }));
        return left;
    }

    /** Neither opens nor refuses further sessions, as a machine that hangs. */
    public void neverAnswerSessions() {
        server.setChannelFactories(List.of(new ChannelSessionFactory() {
            @Override
            public Channel createChannel(Session session) {
                return new HeldSession(held);
            }
        }));
    }

    /** How many were asked for since. */
    public int heldSessions() {
        return held.get();
    }

    /** For faults: the server itself. */
    public SshServer server() {
        return server;
    }

    public LoopbackSshServer start() throws IOException {
        server.start();
        return this;
    }

    public SshAddress address() {
        return new SshAddress(
                "127.0.0.1",
                server.getPort(),
                Optional.empty(),
                List.of(),
                Optional.of(TestPatience.LONGEST),
                Optional.empty());
    }

    public KeyPair userKey() {
        return userKey;
    }

    /** How many connections were ever accepted. */
    public int connections() {
        return sessions.get();
    }

    /** Ends all connections, as a broken network does. */
    public void cut() {
        server.getActiveSessions().forEach(session -> session.close(true));
    }

    public String knownHostsLine() {
        return knownHostsLine(hostKey);
    }

    public String knownHostsLine(KeyPair key) {
        return address().knownHostsName() + " " + PublicKeyEntry.toString(key.getPublic());
    }

    /** A login to this server and then {@code others}, with all their host keys known. */
    public SshLogin login(LoopbackSshServer... others) {
        List<SshAddress> hosts = new ArrayList<>(List.of(address()));
        StringBuilder known = new StringBuilder(knownHostsLine());
        for (LoopbackSshServer other : others) {
            hosts.add(other.address());
            known.append('\n').append(other.knownHostsLine());
        }
        return new SshLogin(hosts, USER, key(), HostKeys.ofText(known.toString()));
    }

    public SshKey key() {
        return SshKey.ofText(Secret.of(pem(userKey)), Optional.empty(), "credential 'lab'");
    }

    public static String pem(KeyPair key) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(key, "test", null, out);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        server.stop(true);
    }

    private static final class RefusedSession extends ChannelSession {
        private final AtomicInteger left;

        RefusedSession(AtomicInteger left) {
            super(List.of());
            this.left = left;
        }

        @Override
        public OpenFuture open(long recipient, long windowSize, long packetSize, Buffer buffer) {
            left.decrementAndGet();
            DefaultOpenFuture refused = new DefaultOpenFuture(this, this);
            refused.setException(
                    new SshChannelOpenException(recipient, SshConstants.SSH_OPEN_RESOURCE_SHORTAGE, "open failed"));
            return refused;
        }
    }

    private static final class HeldSession extends ChannelSession {
        private final AtomicInteger held;

        HeldSession(AtomicInteger held) {
            super(List.of());
            this.held = held;
        }

        @Override
        public OpenFuture open(long recipient, long windowSize, long packetSize, Buffer buffer) {
            held.incrementAndGet();
            return new DefaultOpenFuture(this, this);
        }
    }
}
