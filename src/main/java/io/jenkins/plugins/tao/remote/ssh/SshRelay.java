package io.jenkins.plugins.tao.remote.ssh;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.util.net.SshdSocketAddress;

/** The sessions with the jump hosts on the way to one host. They end with the session that goes through them. */
final class SshRelay {
    private static final String LOOPBACK = "127.0.0.1";

    private final List<ClientSession> sessions = new ArrayList<>();

    /**
     * Where {@code next} is reached from here: itself without a jump host, else a port of the loopback interface that
     * the last jump host forwards. What answers there still has to show the host key of {@code next}.
     */
    InetSocketAddress to(SshAddress next) throws IOException {
        if (sessions.isEmpty()) {
            return InetSocketAddress.createUnresolved(next.host(), next.port());
        }
        SshdSocketAddress near = sessions.get(sessions.size() - 1)
                .startLocalPortForwarding(
                        new SshdSocketAddress(LOOPBACK, 0), new SshdSocketAddress(next.host(), next.port()));
        return InetSocketAddress.createUnresolved(LOOPBACK, near.getPort());
    }

    /** The way goes on behind {@code session}. */
    void add(ClientSession session) {
        sessions.add(session);
    }

    /** Ends all sessions and with them their forwarded ports. */
    void close() {
        sessions.forEach(session -> session.close(true));
    }
}
