package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jenkins.plugins.tao.backend.ArtifactSink;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Keeps what is fetched in memory. */
final class Fetched implements ArtifactSink {
    private final Map<String, ByteArrayOutputStream> files = new HashMap<>();
    private final Map<String, String> skipped = new HashMap<>();

    @Override
    public OutputStream open(String path) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        files.put(path, file);
        return file;
    }

    @Override
    public void skipped(String path, String reason) {
        skipped.put(path, reason);
    }

    Map<String, String> skipped() {
        return skipped;
    }

    String text(String path) {
        return Objects.requireNonNull(files.get(path), path).toString(UTF_8);
    }
}
