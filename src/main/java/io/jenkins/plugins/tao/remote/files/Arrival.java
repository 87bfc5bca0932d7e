package io.jenkins.plugins.tao.remote.files;

import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import java.io.IOException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/** One file on its way: what it is called there and here, how much of it has come. */
@RequiredArgsConstructor
final class Arrival {
    private final String path;
    private final String name;
    private final long size;
    private final ArtifactSink sink;
    private @Nullable ArtifactFile file;
    private @Nullable MeasuredOutput measured;
    private String sha256 = "";

    String path() {
        return path;
    }

    String name() {
        return name;
    }

    long size() {
        return size;
    }

    /** How many of its bytes have come. */
    long count() {
        return measured == null ? 0 : measured.count();
    }

    /** Whether it has come in its whole length. */
    boolean whole() {
        return !sha256.isEmpty();
    }

    /** Of what has come whole, in hexadecimal digits. */
    String sha256() {
        return sha256;
    }

    /** Takes the next bytes; none beyond its length, which a file that grows has. */
    void take(byte[] bytes, int offset, int length) throws IOException {
        if (whole()) {
            return; // it rests, and its output takes nothing more
        }
        MeasuredOutput to = measured == null ? begin() : measured;
        to.write(bytes, offset, (int) Math.min(length, size - to.count()));
        if (to.count() == size) {
            sha256 = to.sha256();
        }
    }

    private MeasuredOutput begin() throws IOException {
        ArtifactFile opened = sink.open(name);
        file = opened;
        MeasuredOutput begun = new MeasuredOutput(opened.content());
        measured = begun;
        return begun;
    }

    /** Closes the file for now: thousands may wait for their checksums. */
    void rest() throws IOException {
        if (file != null) {
            file.content().close();
        }
    }

    void keep() throws IOException {
        if (file != null) {
            file.keep();
        }
    }

    void drop() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
