package io.jenkins.plugins.tao.backend;

import java.io.IOException;
import java.io.OutputStream;

/** Takes the files of a job. */
public interface ArtifactSink {
    /**
     * Opens a file for writing; closing the stream completes it.
     *
     * @param path relative, with {@code /}, without {@code ..}: {@code logs/main.out}, {@code results/train/status.json}
     */
    OutputStream open(String path) throws IOException;

    /** Tells that {@code path} was not brought home, and why. */
    void skipped(String path, String reason);
}
