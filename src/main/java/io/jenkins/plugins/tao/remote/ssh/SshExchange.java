package io.jenkins.plugins.tao.remote.ssh;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.remote.host.Answer;
import io.jenkins.plugins.tao.remote.host.Deadline;
import io.jenkins.plugins.tao.remote.host.Host;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.common.channel.ChannelPipedInputStream;
import org.apache.sshd.core.CoreModuleProperties;

/** One script over one open channel. What breaks off from here on leaves the script's fate unknown. */
final class SshExchange {
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);
    private static final int CHUNK = 32 * 1024;
    private static final int SIGNALLED = 128;
    private static final List<String> SIGNALS = List.of(
            "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
            "ALRM", "TERM");

    private final String place;
    private final ChannelExec channel;
    private final Answer answer;
    private final Deadline deadline;

    /**
     * Takes over an open channel.
     *
     * @param place what to call the machine in messages
     */
    SshExchange(String place, ChannelExec channel, Answer answer, Deadline deadline) {
        this.place = place;
        this.channel = channel;
        this.answer = answer;
        this.deadline = deadline;
    }

    /** Sends {@code input} and then {@code feed}, passes on the outputs, and waits for the end. */
    int finish(byte[] input, Host.Feed feed) throws BackendException {
        try {
            send(input, feed);
            receive();
            return exitCode();
        } catch (IOException e) {
            if (SshInterrupt.is(e)) {
                throw SshInterrupt.told(e, place, "Its result is not known; the next poll will show it.");
            }
            throw deadline.passed() ? timedOut() : brokenOff(LoginRefusal.reason(e), e);
        } finally {
            channel.close(true);
        }
    }

    private void send(byte[] input, Host.Feed feed) throws IOException, BackendException {
        CoreModuleProperties.WAIT_FOR_SPACE_TIMEOUT.set(channel, deadline.left());
        try (OutputStream stdin = channel.getInvertedIn()) {
            for (int at = 0; at < input.length; at += CHUNK) {
                stdin.write(input, at, Math.min(CHUNK, input.length - at));
            }
            feed.writeTo(stdin);
        } catch (IOException e) {
            if (SshInterrupt.is(e)) {
                throw e;
            }
            // a login shell that ends at once closes its input: what it printed and its exit code tell more
            channel.waitFor(
                    List.of(ClientChannelEvent.CLOSED),
                    deadline.within(LAST_WORDS).left());
            if (channel.getExitStatus() == null) {
                throw e;
            }
        }
    }

    private void receive() throws IOException, BackendException {
        InputStream stdout = channel.getInvertedOut();
        byte[] chunk = new byte[CHUNK];
        while (true) {
            if (stdout instanceof ChannelPipedInputStream pipe) {
                pipe.setTimeout(deadline.leftMillis());
            }
            int count = stdout.read(chunk, 0, chunk.length);
            if (count < 0) {
                return;
            }
            answer.out(chunk, count);
            if (deadline.passed()) {
                throw timedOut();
            }
        }
    }

    private int exitCode() throws Unreachable {
        Set<ClientChannelEvent> events = channel.waitFor(List.of(ClientChannelEvent.CLOSED), deadline.left());
        String signal = channel.getExitSignal();
        if (signal != null) {
            return SIGNALLED + Math.max(1, SIGNALS.indexOf(signal));
        }
        Integer status = channel.getExitStatus();
        if (status != null) {
            return status;
        }
        throw events.contains(ClientChannelEvent.CLOSED)
                ? brokenOff("the connection ended before the exit code came", new IOException("no exit code"))
                : timedOut();
    }

    private Unreachable timedOut() {
        return new Unreachable(
                "A request to " + place + " got no complete answer in time.",
                "Its result is not known; the next poll will show it. If it lasts, check the load of the host.");
    }

    private Unreachable brokenOff(String why, IOException cause) {
        return new Unreachable(
                "A request to " + place + " broke off: " + why + ".",
                "Its result is not known; the next poll will show it.",
                cause);
    }
}
