package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.BashWords;
import io.jenkins.plugins.tao.QuickSleep;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs a payload's script as a container would, with one of the shells that images have. */
final class Container {
    static final JobKey KEY = new JobKey("dino-4f2a");

    private final List<String> shell;
    private final Map<String, String> env = new HashMap<>();
    private @Nullable Path log;

    private Container(List<String> shell) {
        this.shell = shell;
    }

    static Stream<String> shells() {
        return Stream.of("dash", "bash", "busybox sh");
    }

    static Container of(String shell) {
        return new Container(List.of(shell.split(" ")));
    }

    Container env(String name, String value) {
        env.put(name, value);
        return this;
    }

    Container env(Map<String, String> values) {
        env.putAll(values);
        return this;
    }

    /** Writes the log to {@code file}, where the command itself may read it while it runs. */
    Container logged(Path file) {
        log = file;
        return this;
    }

    /** What a container leaves: its log, and the code it exited with. */
    record Log(String raw, String output, List<String> status, OptionalInt told, int exitCode) {
        static Log of(byte[] raw, int exitCode) {
            PayloadLog.Piece piece = PayloadLog.ofBytes(KEY).split(raw, true);
            String status = new String(piece.status(), StandardCharsets.UTF_8);
            return new Log(
                    new String(raw, StandardCharsets.UTF_8),
                    BashWords.without(new String(piece.output(), StandardCharsets.UTF_8)),
                    status.lines().toList(),
                    piece.exitCode(),
                    exitCode);
        }
    }

    Process start(String script, Path directory) throws IOException {
        List<String> command = new ArrayList<>(shell);
        command.add("-c");
        command.add(script);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("TAO_") || name.contains("RANK"));
        builder.environment().compute("PATH", (name, path) -> QuickSleep.before(String.valueOf(path)));
        builder.environment().putAll(env);
        if (log != null) {
            builder.redirectOutput(log.toFile());
        }
        return builder.start();
    }

    Log run(String script, Path directory) throws IOException {
        Process process = start(script, directory);
        Log printed = finish(process);
        return log == null ? printed : Log.of(Files.readAllBytes(log), process.exitValue());
    }

    static Log finish(Process process) throws IOException {
        process.getOutputStream().close();
        byte[] raw;
        try (InputStream in = process.getInputStream()) {
            raw = in.readAllBytes();
        }
        try {
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IllegalStateException("the payload does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
        return Log.of(raw, process.exitValue());
    }
}
