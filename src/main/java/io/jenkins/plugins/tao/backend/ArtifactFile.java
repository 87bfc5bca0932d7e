package io.jenkins.plugins.tao.backend;

import java.io.IOException;
import java.io.OutputStream;

/** A file of a job on its way home. Only {@link #keep} makes it an artifact; closed before that, what came of it is dropped. */
public interface ArtifactFile extends AutoCloseable {
    /** Takes the bytes. */
    OutputStream content();

    /**
     * All bytes have come and are right: completes the file and makes it an artifact.
     *
     * @throws IOException if it cannot be stored; then it is none
     */
    void keep() throws IOException;

    /** Drops what came, unless it is kept. */
    @Override
    void close() throws IOException;
}
