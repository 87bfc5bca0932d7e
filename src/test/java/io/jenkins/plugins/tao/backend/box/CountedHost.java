package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A host that notes the time limit of each script. */
final class CountedHost implements Host {
    private final Host host;
    private final List<Duration> limits = new ArrayList<>();

    CountedHost(Host host) {
        this.host = host;
    }

    List<Duration> limits() {
        return limits;
    }

    @Override
    public Reply run(String script, Duration limit) throws BackendException {
        limits.add(limit);
        return host.run(script, limit);
    }

    @Override
    public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
        limits.add(limit);
        return host.stream(script, sink, limit);
    }

    @Override
    public Reply send(String script, Feed feed, Duration limit) throws BackendException {
        limits.add(limit);
        return host.send(script, feed, limit);
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
