package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.job.Mask;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Puts the files of a job below one directory, its logs without the values of its secrets. */
final class DirectorySink implements ArtifactSink {
    private final Path directory;
    private final Mask mask;
    private final List<String> files = Collections.synchronizedList(new ArrayList<>());
    private final List<String> skipped = Collections.synchronizedList(new ArrayList<>());

    DirectorySink(Path directory, Mask mask) {
        this.directory = directory;
        this.mask = mask;
    }

    @Override
    public OutputStream open(String path) throws IOException {
        Path file = directory.resolve(path).normalize();
        if (!file.startsWith(directory) || file.equals(directory)) {
            throw new IOException("'" + path + "' would lie outside of " + directory);
        }
        Files.createDirectories(file.resolveSibling(""));
        files.add(path);
        OutputStream out = Files.newOutputStream(file);
        return path.startsWith("logs/") || path.endsWith("status.json") ? mask.over(out) : out;
    }

    @Override
    public void skipped(String path, String reason) {
        skipped.add(path + ": " + reason);
    }

    /** The files written so far. */
    List<String> files() {
        return List.copyOf(files);
    }

    /** What was left where it is, and why. */
    List<String> skipped() {
        return List.copyOf(skipped);
    }
}
