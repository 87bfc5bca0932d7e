package io.jenkins.plugins.tao.remote.ssh;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.remote.host.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.future.AuthFuture;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.future.CancelOption;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to the login hosts of one {@link SshLogin}: in their order, beginning with the last one that
 * answered, going on to the next on errors of transport alone. Used under its owner's lock.
 */
public final class SshConnector implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger(SshConnector.class.getName());
    private static final Duration PER_HOST = Duration.ofSeconds(10);

    private final SshLogin login;
    private final String target;
    private final Duration perHost;
    private final Addresses addresses;
    private @Nullable SshClient client;
    private volatile int lastGood;
    private volatile Optional<String> standIn = Optional.empty();

    SshConnector(SshLogin login, String target) {
        this(login, target, PER_HOST);
    }

    /** One that waits {@code perHost} for a host to answer. */
    public SshConnector(SshLogin login, String target, Duration perHost) {
        this(login, target, perHost, InetAddress::getAllByName);
    }

    SshConnector(SshLogin login, String target, Duration perHost, Addresses addresses) {
        this.login = login;
        this.target = target;
        this.perHost = perHost;
        this.addresses = addresses;
    }

    /** The addresses of a name, at least one. */
    @FunctionalInterface
    interface Addresses {
        InetAddress[] of(String host) throws UnknownHostException;
    }

    /** The login host that answered last, or else the first. */
    SshAddress current() {
        return login.hosts().get(lastGood);
    }

    /** Which login host is used instead of which; empty while it is the first. */
    Optional<String> standIn() {
        return standIn;
    }

    /** A fresh, authenticated session. */
    public ClientSession connect(Deadline deadline) throws BackendException {
        LoginKeys keys = LoginKeys.of(login);
        int count = login.hosts().size();
        int first = lastGood;
        List<String> failures = new ArrayList<>();
        IOException cause = new IOException("no time left");
        for (int i = 0; i < count && !deadline.passed(); i++) {
            int index = (first + i) % count;
            SshAddress host = login.hosts().get(index);
            try {
                ClientSession session = open(host, keys, deadline, deadline.within(share(host, deadline, count - i)));
                lastGood = index;
                tellFailover(host, failures);
                return session;
            } catch (IOException e) {
                if (SshInterrupt.is(e)) {
                    throw SshInterrupt.told(e, "target '" + target + "'", "Nothing was sent.");
                }
                failures.add(host + " (" + LoginRefusal.reason(e) + ")");
                cause = e;
            }
        }
        throw new Unreachable(
                "No login host of target '" + target + "' answered user '" + login.user() + "': "
                        + (failures.isEmpty() ? "no time left" : String.join(", ", failures)) + ".",
                "Check the network and the hosts; trying again later is safe, nothing was sent.",
                cause);
    }

    private Duration share(SshAddress host, Deadline deadline, int hostsLeft) {
        Duration share = deadline.left().dividedBy(hostsLeft);
        Duration most = host.patience(perHost);
        return share.compareTo(most) < 0 ? share : most;
    }

    private void tellFailover(SshAddress host, List<String> failures) {
        if (!failures.isEmpty()) {
            String told = "target '" + target + "' is reached through " + host + " now, for these did not answer: "
                    + String.join(", ", failures) + ".";
            LOGGER.log(Level.INFO, told);
            standIn = Optional.of(told);
        } else if (lastGood == 0) {
            standIn = Optional.empty();
        }
    }

    /** A person may have to confirm an agent's signature, which takes longer than a host may. */
    ClientSession open(SshAddress host, LoginKeys keys, Deadline whole, Deadline share) throws IOException, Denied {
        SshRelay relay = new SshRelay();
        String place = "";
        try {
            for (SshHop hop : host.jumps()) {
                place = "jump host " + hop.address();
                SshLogin to = hop.login(login);
                LoginKeys own = hop.key().isPresent() ? LoginKeys.ofJump(to, keys) : keys;
                relay.add(open(to, hop.address(), relay.to(hop.address()), own, whole, share));
            }
            place = place.isEmpty() ? "" : "through " + place;
            ClientSession session = open(login, host, relay.to(host), keys, whole, share);
            session.addCloseFutureListener(closed -> relay.close());
            return session;
        } catch (IOException e) {
            relay.close();
            throw place.isEmpty() || SshInterrupt.is(e) ? e : new IOException(place + ": " + LoginRefusal.reason(e));
        } catch (Denied | RuntimeException e) {
            relay.close();
            throw e;
        }
    }

    /** A session with {@code host}, which is reached at {@code at}: its own address, or the near end of a forwarded port. */
    private ClientSession open(
            SshLogin login, SshAddress host, InetSocketAddress at, LoginKeys keys, Deadline whole, Deadline share)
            throws IOException, Denied {
        Deadline signing = keys.askAgent() ? whole.within(SshAgentClient.PATIENCE) : share;
        HostKeyCheck hostKey = new HostKeyCheck(host, login.knownHosts());
        OfferedMethods methods = new OfferedMethods();
        Deadline shown = host.timeout().map(share::within).orElse(share);
        ClientSession session = connect(login.user(), at, new SessionTerms(hostKey, methods, keys), shown);
        try {
            AuthFuture entry = session.auth();
            if (host.timeout().isPresent()
                    && !entry.await(shown.leftMillis(), CancelOption.CANCEL_ON_INTERRUPT)
                    && !hostKey.isShown()) {
                throw new SocketTimeoutException("no answer in time");
            }
            entry.verify(signing.leftMillis(), CancelOption.CANCEL_ON_TIMEOUT, CancelOption.CANCEL_ON_INTERRUPT);
            return session;
        } catch (IOException e) {
            session.close(true);
            if (hostKey.refusal().isPresent()) {
                throw hostKey.refusal().get();
            }
            if (LoginRefusal.is(e)) {
                throw LoginRefusal.explain(login, target, host, methods, keys.expired());
            }
            throw e;
        }
    }

    /** To the first address of a name that answers: a name may stand for several login hosts. */
    private ClientSession connect(String user, InetSocketAddress at, SessionTerms terms, Deadline limit)
            throws IOException {
        InetAddress[] all = addresses.of(at.getHostString());
        for (int i = 0; ; i++) {
            try {
                return client().connect(user, all[i].getHostAddress(), at.getPort(), terms.context(), null)
                        .verify(
                                Math.max(1, limit.leftMillis() / (all.length - i)),
                                CancelOption.CANCEL_ON_TIMEOUT,
                                CancelOption.CANCEL_ON_INTERRUPT)
                        .getSession();
            } catch (IOException e) {
                if (i == all.length - 1 || limit.passed() || SshInterrupt.is(e)) {
                    throw e;
                }
            }
        }
    }

    private SshClient client() {
        if (client == null) {
            client = SshClientSetup.start();
            client.setUserAuthFactories(OfferedMethods.factories());
            client.addSessionListener(SessionTerms.LISTENER);
        }
        return client;
    }

    @Override
    public void close() {
        if (client != null) {
            client.stop();
            client = null;
        }
    }
}
