package io.jenkins.plugins.tao.remote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/** A host that counts commands and can lose an answer after the command has run. */
public final class LossyHost implements Host {
    private final Host host;
    private final AtomicInteger commands = new AtomicInteger();
    private volatile IntPredicate lost = number -> false;

    /** Loses nothing yet. */
    public LossyHost(Host host) {
        this.host = host;
    }

    /** Loses the answer to the command that comes next. */
    public void loseNextReply() {
        int next = commands.get() + 1;
        loseReplies(number -> number == next);
    }

    /** Loses the answers to the commands of these numbers; the first command has number 1. */
    public void loseReplies(IntPredicate numbers) {
        lost = numbers;
    }

    /** How many were run. */
    public int commands() {
        return commands.get();
    }

    @Override
    public Reply run(String script, Duration limit) throws BackendException {
        int number = commands.incrementAndGet();
        Reply reply = host.run(script, limit);
        if (lost.test(number)) {
            throw new Unreachable("The connection broke.", "It will be tried again.");
        }
        return reply;
    }

    @Override
    public Reply send(String script, Feed feed, Duration limit) throws BackendException {
        int number = commands.incrementAndGet();
        Reply reply = host.send(script, feed, limit);
        if (lost.test(number)) {
            throw new Unreachable("The connection broke.", "It will be tried again.");
        }
        return reply;
    }

    @Override
    public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
        commands.incrementAndGet();
        return host.stream(script, sink, limit);
    }

    @Override
    public String name() {
        return host.name();
    }

    @Override
    public void close() {
        host.close();
    }
}
