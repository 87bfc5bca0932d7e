package io.jenkins.plugins.tao.backend;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;

/** A file in memory, handed on only when it is kept. */
public final class MemoryFile implements ArtifactFile {
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final Consumer<ByteArrayOutputStream> kept;

    /** Tells {@code kept} what it holds then. */
    public MemoryFile(Consumer<ByteArrayOutputStream> kept) {
        this.kept = kept;
    }

    @Override
    public ByteArrayOutputStream content() {
        return content;
    }

    @Override
    public void keep() {
        kept.accept(content);
    }

    @Override
    public void close() {
        // what is not kept is dropped with this object
    }
}
