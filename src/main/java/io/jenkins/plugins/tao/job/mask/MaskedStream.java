package io.jenkins.plugins.tao.job.mask;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Hides secrets in what is written, line by line; a line without end is cut, so that memory stays bounded. */
final class MaskedStream extends FilterOutputStream {
    private static final int LONGEST_LINE = 1 << 20;

    private final Mask mask;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /**
     * @param mask knows its values as text whose every byte was read as a character
     */
    MaskedStream(OutputStream out, Mask mask) {
        super(out);
        this.mask = mask;
    }

    @Override
    public void write(int b) throws IOException {
        line.write(b);
        if (b == '\n' || line.size() >= LONGEST_LINE) {
            flushLine();
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            write(bytes[i]);
        }
    }

    private void flushLine() throws IOException {
        out.write(mask.apply(line.toString(StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.ISO_8859_1));
        line.reset();
    }

    @Override
    public void close() throws IOException {
        try (OutputStream closed = out) {
            flushLine();
            closed.flush();
        }
    }
}
