package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.ProcessTree;
import io.jenkins.plugins.tao.http.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of one version: a real python that carries out the cells in order, its output kept as Kaggle keeps it. */
final class SimulatedSession {
    final Path working;
    private final Process process;
    private final List<String> events = new ArrayList<>();
    private final long began = System.nanoTime();
    private boolean over;
    private boolean killed;
    private @Nullable String failure;

    /** Starts the cells of {@code notebook}; {@code kaggle} plays the directory of that name. */
    SimulatedSession(Path cells, Path notebook, Path kaggle, Map<String, String> env, long limitSeconds) {
        working = kaggle.resolve("working");
        try {
            for (String name : List.of("working", "input", "temp")) {
                Files.createDirectories(kaggle.resolve(name));
            }
            ProcessBuilder builder = new ProcessBuilder("python3", cells.toString(), notebook.toString());
            builder.environment().clear();
            builder.environment().putAll(env);
            builder.directory(working.toFile());
            process = builder.start();
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        Thread out = follow("stdout", process.getInputStream());
        Thread err = follow("stderr", process.getErrorStream());
        daemon(() -> waitForEnd(limitSeconds, out, err));
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "session");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private Thread follow(String stream, InputStream from) {
        return daemon(() -> {
            char[] buffer = new char[4096];
            try (Reader reader = new InputStreamReader(from, StandardCharsets.UTF_8)) {
                for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
                    add(stream, new String(buffer, 0, n));
                }
            } catch (IOException e) {
                add("stderr", "the pipe broke\n");
            }
        });
    }

    private synchronized void add(String stream, String data) {
        ObjectNode event = Json.object();
        event.put("stream_name", stream)
                .put("time", (System.nanoTime() - began) / 1e9)
                .put("data", data);
        events.add(event.toString());
    }

    private void waitForEnd(long limitSeconds, Thread out, Thread err) {
        try {
            boolean inTime = process.waitFor(limitSeconds, TimeUnit.SECONDS);
            if (!inTime) {
                failure = "Your notebook was stopped because it exceeded the time limit";
                kill();
            }
            process.waitFor();
            out.join();
            err.join();
            synchronized (this) {
                over = true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends everything it has started, without a word before; afterwards nothing writes into its directory any more. */
    void kill() {
        killed = true;
        ProcessTree.kill(process);
    }

    synchronized boolean isOver() {
        return over;
    }

    /** The word that Kaggle has for it. */
    synchronized String word() {
        return !over ? "RUNNING" : failed() ? "ERROR" : "COMPLETE";
    }

    private boolean failed() {
        return killed || process.exitValue() != 0;
    }

    String failure() {
        return failure == null ? "" : failure;
    }

    /** What it has written where output is kept; links are no files. */
    List<String> files() {
        try (Stream<Path> all = Files.walk(working)) {
            return all.filter(path -> Files.isRegularFile(path) && !Files.isSymbolicLink(path))
                    .map(path -> working.relativize(path).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The whole log, as a JSON list. */
    synchronized String log() {
        return "[" + String.join(",\n", events) + "]";
    }

    /** What it has printed so far. */
    synchronized List<String> events() {
        return List.copyOf(events);
    }
}
