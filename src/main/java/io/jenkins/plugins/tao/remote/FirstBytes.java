package io.jenkins.plugins.tao.remote;

import java.io.IOException;
import java.io.OutputStream;

/** Passes on so many bytes and no more: an account that records sessions may print a line of its own after ours. */
final class FirstBytes extends OutputStream {
    private final OutputStream sink;
    private long left;

    FirstBytes(OutputStream sink, long count) {
        this.sink = sink;
        this.left = count;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int passed = (int) Math.min(length, left);
        left -= passed;
        sink.write(bytes, offset, passed);
    }
}
