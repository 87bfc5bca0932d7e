package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.MemoryFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Keeps what is fetched in memory. */
class Sink implements ArtifactSink {
    final Map<String, ByteArrayOutputStream> files = new TreeMap<>();
    final Map<String, String> skipped = new TreeMap<>();

    @Override
    public ArtifactFile open(String path) throws IOException {
        return new MemoryFile(kept -> files.put(path, kept));
    }

    @Override
    public void skipped(String path, String reason) {
        skipped.put(path, reason);
    }

    String text(String path) {
        return files.getOrDefault(path, new ByteArrayOutputStream()).toString(StandardCharsets.UTF_8);
    }
}
