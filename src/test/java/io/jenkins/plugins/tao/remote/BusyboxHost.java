package io.jenkins.plugins.tao.remote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** This machine as one that has busybox's tools, and no openssl. */
public final class BusyboxHost implements Host {
    private static final Path BUSYBOX = Path.of("/usr/bin/busybox");
    private static final List<String> TOOLS = List.of(
            "awk",
            "cat",
            "chmod",
            "dd",
            "find",
            "grep",
            "head",
            "ln",
            "mkdir",
            "mv",
            "rm",
            "sed",
            "sha256sum",
            "stat",
            "tail",
            "tar");

    private final LocalHost host = new LocalHost();
    private final String before;

    public BusyboxHost(Path directory) throws IOException {
        Assumptions.assumeTrue(Files.isExecutable(BUSYBOX), "no busybox here");
        Path bin = Files.createDirectories(directory.resolve("busybox"));
        for (String tool : TOOLS) {
            Files.createSymbolicLink(bin.resolve(tool), BUSYBOX);
        }
        before = "PATH=" + bin + ":$PATH; openssl() { return 1; }\n";
    }

    @Override
    public Reply run(String script, Duration limit) throws BackendException {
        return host.run(before + script, limit);
    }

    @Override
    public Reply send(String script, Feed feed, Duration limit) throws BackendException {
        return host.send(before + script, feed, limit);
    }

    @Override
    public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
        return host.stream(before + script, sink, limit);
    }

    @Override
    public String name() {
        return "a box with busybox";
    }

    @Override
    public void close() {
        host.close();
    }
}
