package io.jenkins.plugins.tao.remote.host;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import lombok.RequiredArgsConstructor;

/** Drops what comes before the mark of {@link ScriptFrame}, keeping its end for messages, and passes on the rest. */
@RequiredArgsConstructor
final class MarkedOutput extends OutputStream {
    private static final int KEPT = 4096;

    private final byte[] mark = ScriptFrame.mark();
    private final OutputStream sink;
    private byte[] before = new byte[0];
    private boolean passed;

    @Override
    public synchronized void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        if (passed) {
            sink.write(bytes, offset, length);
            return;
        }
        byte[] all = Arrays.copyOf(before, before.length + length);
        System.arraycopy(bytes, offset, all, before.length, length);
        int at = indexOfMark(all);
        if (at < 0) {
            before = Arrays.copyOfRange(all, Math.max(0, all.length - KEPT), all.length);
            return;
        }
        passed = true;
        before = Arrays.copyOf(all, at);
        int start = at + mark.length;
        sink.write(all, start, all.length - start);
    }

    /** Whether the mark was seen: then the script was started. */
    synchronized boolean passed() {
        return passed;
    }

    /** The end of what came before the mark, as text. */
    synchronized String before() {
        return new String(before, StandardCharsets.UTF_8).strip();
    }

    private int indexOfMark(byte[] all) {
        for (int at = 0; at + mark.length <= all.length; at++) {
            if (Arrays.equals(all, at, at + mark.length, mark, 0, mark.length)) {
                return at;
            }
        }
        return -1;
    }
}
