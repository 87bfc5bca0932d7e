package io.jenkins.plugins.tao.status;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes whole lines of bytes that are split anywhere, in memory bounded by the longest line it keeps. */
final class LineBuffer {
    /** A longer line is dropped whole. */
    static final int MAX_LINE_BYTES = 1 << 20;

    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
    private boolean overlong;

    /** The lines that {@code bytes} complete, without line ends and surrounding blanks. */
    List<String> add(byte[] bytes) {
        List<String> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                append(bytes, start, i);
                pending().ifPresent(lines::add);
                clear();
                start = i + 1;
            }
        }
        append(bytes, start, bytes.length);
        return lines;
    }

    /** The line that has no end yet, as far as it goes; empty when there is none or it is too long already. */
    Optional<String> pending() {
        String line =
                partial.toString(StandardCharsets.UTF_8).replace("\uFEFF", "").strip();
        return overlong || line.isEmpty() ? Optional.empty() : Optional.of(line);
    }

    void clear() {
        partial.reset();
        overlong = false;
    }

    private void append(byte[] bytes, int from, int to) {
        overlong |= partial.size() + (to - from) > MAX_LINE_BYTES;
        if (overlong) {
            partial.reset();
        } else {
            partial.write(bytes, from, to - from);
        }
    }
}
