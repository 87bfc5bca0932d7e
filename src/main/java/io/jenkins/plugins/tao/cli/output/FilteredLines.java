package io.jenkins.plugins.tao.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import lombok.RequiredArgsConstructor;

/** A text that goes by in pieces, line by line through a filter; an endless line is given out in parts. */
@RequiredArgsConstructor
public final class FilteredLines {
    private static final int LONGEST = 1 << 20;

    private final LogFilter filter;
    private final Consumer<byte[]> to;
    private final ByteArrayOutputStream open = new ByteArrayOutputStream();

    public void add(byte[] piece) {
        int start = 0;
        for (int at = 0; at < piece.length; at++) {
            if (piece[at] == '\n') {
                open.write(piece, start, at + 1 - start);
                end();
                start = at + 1;
            }
        }
        open.write(piece, start, piece.length - start);
        if (open.size() > LONGEST) {
            end();
        }
    }

    /** What has no end of line yet is a line too. */
    public void end() {
        if (open.size() > 0) {
            byte[] line = open.toByteArray();
            open.reset();
            if (filter.shows(new String(line, UTF_8).stripTrailing())) {
                to.accept(line);
            }
        }
    }
}
