package io.jenkins.plugins.tao.cli.output;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import lombok.RequiredArgsConstructor;

/** Keeps the last lines of a text that goes by in pieces, and no more of it; of an endless line only its newest part. */
@RequiredArgsConstructor
public final class LastLines {
    private static final int LONGEST = 1 << 20;

    private final int most;
    private final Deque<byte[]> lines = new ArrayDeque<>();
    private final ByteArrayOutputStream open = new ByteArrayOutputStream();

    public void add(byte[] piece) {
        int start = 0;
        for (int at = 0; at < piece.length; at++) {
            if (piece[at] == '\n') {
                open.write(piece, start, at + 1 - start);
                close();
                start = at + 1;
            }
        }
        open.write(piece, start, piece.length - start);
        if (open.size() > LONGEST) {
            byte[] newest = Arrays.copyOfRange(open.toByteArray(), open.size() - LONGEST, open.size());
            open.reset();
            open.writeBytes(newest);
        }
    }

    private void close() {
        lines.addLast(open.toByteArray());
        open.reset();
        if (lines.size() > most) {
            lines.removeFirst();
        }
    }

    /** The lines, the last one as it stands even when its end is still to come. */
    public byte[] bytes() {
        if (open.size() > 0) {
            close();
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        lines.forEach(all::writeBytes);
        return all.toByteArray();
    }
}
