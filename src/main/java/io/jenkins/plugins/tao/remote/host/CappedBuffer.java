package io.jenkins.plugins.tao.remote.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Collects what is written to it, up to a limit. */
public final class CappedBuffer extends OutputStream {
    /** More than this belongs to {@link Host#stream}. */
    static final int MAX_BYTES = 64 * 1024 * 1024;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void write(int value) throws IOException {
        check(1);
        bytes.write(value);
    }

    @Override
    public void write(byte[] more, int offset, int length) throws IOException {
        check(length);
        bytes.write(more, offset, length);
    }

    public byte[] toByteArray() {
        return bytes.toByteArray();
    }

    private void check(int more) throws Overflow {
        if (bytes.size() + (long) more > MAX_BYTES) {
            throw new Overflow();
        }
    }

    /** The limit was passed. */
    static final class Overflow extends IOException {
        private static final long serialVersionUID = 1L;

        Overflow() {
            super("more than " + MAX_BYTES / 1024 / 1024 + " MiB of output");
        }
    }
}
