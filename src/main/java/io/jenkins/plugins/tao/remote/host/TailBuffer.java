package io.jenkins.plugins.tao.remote.host;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Keeps the last 64 KiB of what is written to it. */
final class TailBuffer extends OutputStream {
    private static final int SIZE = 64 * 1024;

    private final byte[] ring = new byte[SIZE];
    private long written;

    @Override
    public synchronized void write(int value) {
        ring[(int) (written++ % SIZE)] = (byte) value;
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        for (int i = Math.max(0, length - SIZE); i < length; i++) {
            write(bytes[offset + i]);
        }
    }

    /** What is kept, as UTF-8; a character cut at its beginning is left out. */
    synchronized String text() {
        int size = (int) Math.min(written, SIZE);
        byte[] kept = new byte[size];
        for (int i = 0; i < size; i++) {
            kept[i] = ring[(int) ((written - size + i) % SIZE)];
        }
        int start = 0;
        while (written > SIZE && start < size && (kept[start] & 0xC0) == 0x80) {
            start++;
        }
        return new String(kept, start, size - start, StandardCharsets.UTF_8);
    }
}
