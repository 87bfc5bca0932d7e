package io.jenkins.plugins.tao.remote.files;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongConsumer;
import lombok.RequiredArgsConstructor;

/** Passes everything on and tells how much, after it went. Closing it does not close what it passes to. */
@RequiredArgsConstructor
final class CountedOutput extends OutputStream {
    private final OutputStream sink;
    private final LongConsumer passed;

    @Override
    public void write(int value) throws IOException {
        sink.write(value);
        passed.accept(1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        sink.write(bytes, offset, length);
        passed.accept(length);
    }
}
