package io.jenkins.plugins.tao.backend.kubernetes.view;

import io.jenkins.plugins.tao.backend.ArtifactFile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import lombok.RequiredArgsConstructor;

/** A stream that opens its file with the first byte: where none is written, there is no file. */
@RequiredArgsConstructor
public final class LateStream extends OutputStream {
    private final Opener opener;
    private Optional<ArtifactFile> out = Optional.empty();

    /** Opens the file. */
    @FunctionalInterface
    public interface Opener {
        ArtifactFile open() throws IOException;
    }

    private OutputStream out() throws IOException {
        if (out.isEmpty()) {
            out = Optional.of(opener.open());
        }
        return out.get().content();
    }

    @Override
    public void write(int value) throws IOException {
        out().write(value);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        if (count > 0) {
            out().write(bytes, from, count);
        }
    }

    /** Completes the file, when there is one. */
    public void keep() throws IOException {
        if (out.isPresent()) {
            out.get().keep();
        }
    }

    @Override
    public void close() throws IOException {
        if (out.isPresent()) {
            out.get().close();
        }
    }
}
