package io.jenkins.plugins.tao.remote.ssh;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.remote.host.Answer;
import io.jenkins.plugins.tao.remote.host.CappedBuffer;
import io.jenkins.plugins.tao.remote.host.Deadline;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.host.ScriptFrame;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.apache.sshd.common.future.CancelOption;
import org.jspecify.annotations.Nullable;

/**
 * A machine reached by SSH, over one connection that is opened when first needed, kept, and opened again when it was
 * lost between two scripts. A script that may have been sent is never sent again: what became of it is unknown then.
 */
public final class SshHost implements Host {
    /** sshd allows 10 sessions on a connection and frees them a little late. */
    private static final int SCRIPTS_AT_ONCE = 4;

    private static final Duration BETWEEN_OPENINGS = Duration.ofMillis(100);

    private static final Feed NOTHING = out -> {};

    private final SshLogin login;
    private final String target;
    private final SshConnector connector;
    private final Semaphore slots = new Semaphore(SCRIPTS_AT_ONCE, true);
    private final Object lock = new Object();
    private @Nullable ClientSession session;

    /**
     * A host that connects when it is first used.
     *
     * @param targetName what to call the place in messages
     */
    public SshHost(SshLogin login, String targetName) {
        this(login, targetName, new SshConnector(login, targetName));
    }

    SshHost(SshLogin login, String targetName, SshConnector connector) {
        this.login = login;
        this.target = targetName;
        this.connector = connector;
    }

    /** Loads the classes of a first connection: half of the time that one takes in a cold JVM. */
    public static void preload() {
        SshClientSetup.preload();
    }

    @Override
    public Reply run(String script, Duration limit) throws BackendException {
        CappedBuffer buffer = new CappedBuffer();
        Answer answer = new Answer(place(), buffer);
        int exitCode = execute(new ScriptFrame(script), NOTHING, answer, Deadline.in(limit));
        return answer.end(exitCode, buffer.toByteArray());
    }

    @Override
    public Reply send(String script, Feed feed, Duration limit) throws BackendException {
        CappedBuffer buffer = new CappedBuffer();
        Answer answer = new Answer(place(), buffer);
        int exitCode = execute(ScriptFrame.beforeFeed(script), feed, answer, Deadline.in(limit));
        return answer.end(exitCode, buffer.toByteArray());
    }

    @Override
    public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
        Answer answer = new Answer(place(), sink);
        return answer.end(execute(new ScriptFrame(script), NOTHING, answer, Deadline.in(limit)), new byte[0]);
    }

    @Override
    public Optional<String> standIn() {
        return connector.standIn();
    }

    @Override
    public String name() {
        return login.user() + "@" + connector.current();
    }

    @Override
    public void close() {
        synchronized (lock) {
            if (session != null) {
                session.close(true);
                session = null;
            }
            connector.close();
        }
    }

    private int execute(ScriptFrame frame, Feed feed, Answer answer, Deadline deadline) throws BackendException {
        try {
            if (!slots.tryAcquire(deadline.leftMillis(), TimeUnit.MILLISECONDS)) {
                throw new Unreachable(
                        "There was no time left for a request to " + place() + ", busy with earlier ones.",
                        "Try again.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable("A request to " + place() + " was interrupted.", "Try again.", e);
        }
        try {
            ChannelExec channel = open(frame.command(), answer, deadline);
            return new SshExchange(place(), channel, answer, deadline).finish(frame.input(), feed);
        } finally {
            slots.release();
        }
    }

    /** Opens a channel. No word of the script was sent as long as this fails, so it may be tried again. */
    private ChannelExec open(String command, Answer answer, Deadline deadline) throws BackendException {
        IOException last = new IOException("no time left");
        while (!deadline.passed()) {
            ClientSession current = session(deadline);
            try {
                return channel(current, command, answer, deadline);
            } catch (IOException e) {
                if (SshInterrupt.is(e)) {
                    throw SshInterrupt.told(e, place(), "The request was not sent.");
                }
                last = e;
                if (e instanceof SshChannelOpenException || e.getCause() instanceof SshChannelOpenException) {
                    current.waitFor(List.of(ClientSession.ClientSessionEvent.CLOSED), BETWEEN_OPENINGS);
                } else {
                    current.close(true);
                }
            }
        }
        throw new Unreachable(
                "No session was opened on " + place() + ": " + LoginRefusal.reason(last) + ".",
                "The request was not sent; try again.",
                last);
    }

    /** What breaks off before it is open is closed: the session lives on, others use it. */
    static ChannelExec channel(ClientSession session, String command, Answer answer, Deadline deadline)
            throws IOException {
        ChannelExec channel = created(session, command);
        try {
            channel.setErr(answer.err());
            channel.open()
                    .verify(deadline.leftMillis(), CancelOption.CANCEL_ON_TIMEOUT, CancelOption.CANCEL_ON_INTERRUPT);
            return channel;
        } catch (IOException e) {
            channel.close(true);
            throw e;
        }
    }

    /** A session that was open a moment ago may be closing by now, which MINA calls a wrong use of it. */
    private static ChannelExec created(ClientSession session, String command) throws IOException {
        try {
            return session.createExecChannel(command);
        } catch (IllegalStateException e) {
            throw new IOException("the connection was lost", e);
        }
    }

    private ClientSession session(Deadline deadline) throws BackendException {
        synchronized (lock) {
            if (session == null || !session.isOpen()) {
                session = connector.connect(deadline);
            }
            return session;
        }
    }

    private String place() {
        return "target '" + target + "' (" + name() + ")";
    }
}
