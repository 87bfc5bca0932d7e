package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.FakeBackend;
import io.jenkins.plugins.tao.backend.FakeType;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.monitor.HastyTicker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;

/** The command line on a bench: a directory, an environment, a fake backend, and what was printed. */
public final class Bench {
    static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    final Path directory;
    public final Map<String, String> env = new TreeMap<>();
    public final FakeType type = new FakeType("fake");
    final FakeType local = new FakeType("local");
    final Interrupts interrupts = new Interrupts(() -> {});
    private ByteArrayOutputStream out = new ByteArrayOutputStream();
    private ByteArrayOutputStream err = new ByteArrayOutputStream();

    private final BackendTypes types;
    private boolean live;

    public Bench(Path directory) {
        this.directory = directory;
        types = BackendTypes.of(type, local);
        write("tao-targets.yaml", "targets: {fake: {backend: fake}}");
    }

    /** With these kinds of backend and no targets yet. */
    public Bench(Path directory, BackendTypes types) {
        this.directory = directory;
        this.types = types;
    }

    public Path write(String name, String text) {
        try {
            Files.createDirectories(directory.resolve(name).getParent());
            return Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** From now on the output is a terminal with colours. */
    void live() {
        live = true;
    }

    public Surroundings surroundings() {
        return new Surroundings(
                env,
                directory,
                directory.resolve("home"),
                new Surroundings.Terminal(
                        live,
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                Clock.fixed(NOON, ZoneOffset.UTC),
                types,
                HastyTicker::new);
    }

    public int tao(String... arguments) {
        out = new ByteArrayOutputStream();
        err = new ByteArrayOutputStream();
        return Program.execute(surroundings(), interrupts, arguments);
    }

    public FakeBackend backend() {
        return type.backend();
    }

    public String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
