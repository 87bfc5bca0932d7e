package io.jenkins.plugins.tao.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Keeps what is fetched in memory. */
public final class MemorySink implements ArtifactSink {
    final Map<String, ByteArrayOutputStream> files = new HashMap<>();
    final Map<String, String> skipped = new HashMap<>();
    /** Empty. */
    public MemorySink() {}

    @Override
    public ArtifactFile open(String path) {
        return new MemoryFile(kept -> files.put(path, kept));
    }

    @Override
    public void skipped(String path, String reason) {
        skipped.put(path, reason);
    }

    /** What was left where it is, and why. */
    public Map<String, String> skipped() {
        return skipped;
    }

    /** A file as text. */
    public String text(String path) {
        return Objects.requireNonNull(files.get(path), path).toString(UTF_8);
    }
}
