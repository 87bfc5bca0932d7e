package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.MemoryFile;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Keeps artifacts in memory. */
public final class MapSink implements ArtifactSink {
    private final Map<String, ByteArrayOutputStream> files = new TreeMap<>();
    private final Map<String, String> skipped = new TreeMap<>();

    @Override
    public ArtifactFile open(String path) {
        return new MemoryFile(kept -> files.put(path, kept));
    }

    @Override
    public void skipped(String path, String reason) {
        skipped.put(path, reason);
    }

    public Map<String, String> texts() {
        Map<String, String> texts = new TreeMap<>();
        files.forEach((path, bytes) -> texts.put(path, bytes.toString(StandardCharsets.UTF_8)));
        return texts;
    }
}
