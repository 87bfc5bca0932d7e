package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.remote.Host;
import io.jenkins.plugins.tao.remote.Reply;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A host that counts commands and can lose an answer after the command has run. */
final class LossyHost implements Host {
    private final Host host;
    private final AtomicInteger commands = new AtomicInteger();
    private final AtomicBoolean lose = new AtomicBoolean();

    LossyHost(Host host) {
        this.host = host;
    }

    void loseNextReply() {
        lose.set(true);
    }

    int commands() {
        return commands.get();
    }

    @Override
    public Reply run(String script, Duration limit) throws BackendException {
        commands.incrementAndGet();
        Reply reply = host.run(script, limit);
        if (lose.getAndSet(false)) {
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
