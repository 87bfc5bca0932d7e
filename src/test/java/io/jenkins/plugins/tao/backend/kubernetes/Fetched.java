package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.MemoryFile;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Keeps what is fetched in memory. */
public final class Fetched implements ArtifactSink {
    private final Map<String, ByteArrayOutputStream> files = new HashMap<>();
    private final Map<String, String> skipped = new HashMap<>();

    @Override
    public ArtifactFile open(String path) {
        return new MemoryFile(kept -> files.put(path, kept));
    }

    @Override
    public void skipped(String path, String reason) {
        skipped.put(path, reason);
    }

    public Map<String, String> skipped() {
        return skipped;
    }

    public Set<String> names() {
        return files.keySet();
    }

    String text(String path) {
        return Objects.requireNonNull(files.get(path), path).toString(UTF_8);
    }

    public byte[] bytes(String path) {
        return Objects.requireNonNull(files.get(path), path).toByteArray();
    }
}
