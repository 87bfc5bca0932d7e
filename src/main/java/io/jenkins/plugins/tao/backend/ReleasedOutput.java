package io.jenkins.plugins.tao.backend;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * An output that holds nothing once it is closed: thousands of files wait for their checksums after their last byte, and the
 * buffers of all of them would not fit into memory.
 */
final class ReleasedOutput extends FilterOutputStream {
    private static final OutputStream CLOSED = closed();

    ReleasedOutput(OutputStream out) {
        super(out);
    }

    private static OutputStream closed() {
        OutputStream nothing = OutputStream.nullOutputStream();
        try {
            nothing.close();
        } catch (IOException e) {
            throw new IllegalStateException("an output to nowhere cannot be closed", e);
        }
        return nothing;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    /** Closes it; a second time does nothing, and a write after it fails. */
    @Override
    public void close() throws IOException {
        OutputStream closing = out;
        out = CLOSED;
        closing.close();
    }
}
