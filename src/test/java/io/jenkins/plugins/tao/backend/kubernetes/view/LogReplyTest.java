package io.jenkins.plugins.tao.backend.kubernetes.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A pod's log with lines of any length. */
class LogReplyTest {
    private static final String TIME = "2026-11-22T10:00:00.000000001Z ";
    private static final int LONG = LogReply.LONGEST_LINE;

    private static LogReply read(InputStream in, Optional<LogCursor.Mark> mark) throws IOException {
        return LogReply.read(new BufferedInputStream(in), mark, false, 1 << 20);
    }

    private static String text(LogReply reply) {
        return reply.lines().stream()
                .map(line -> new String(line.text(), UTF_8))
                .collect(Collectors.joining());
    }

    /** Gigabytes of a bar that is drawn again and again: only what a piece holds may be in memory. */
    @Test
    @Promise("TR-64")
    void aBarWithoutLineEndsIsGivenOutInPieces() throws Exception {
        InputStream endless = new InputStream() {
            private long at;

            @Override
            public int read() {
                long now = at++;
                return now < TIME.length() ? TIME.charAt((int) now) : '#';
            }

            @Override
            public int read(byte[] to, int offset, int length) {
                for (int i = 0; i < length; i++) {
                    to[offset + i] = (byte) read();
                }
                return length;
            }
        };

        LogReply reply = read(endless, Optional.empty());

        assertThat(reply.more()).isTrue();
        assertThat(reply.lines()).allMatch(line -> line.text().length <= LONG + 1);
        assertThat(text(reply).replace("\n", "")).matches("#+").hasSizeBetween(1 << 20, (1 << 20) + LONG);
    }

    @Test
    @Promise("TR-64")
    void behindPiecesOfALongLineReadingGoesOnWithTheNextLine() throws Exception {
        String log = TIME + "x".repeat(3 * LONG) + "\n" + TIME.replace("001Z", "002Z") + "next\n";
        LogReply first = read(new ByteArrayInputStream(log.getBytes(UTF_8)), Optional.empty());
        Optional<LogCursor.Mark> mark = Optional.empty();
        for (LogReply.Line line : first.lines()) {
            mark = Optional.of(LogCursor.Mark.after(mark, line.at()));
        }
        String more = log + TIME.replace("001Z", "003Z") + "last\n";

        LogReply second = read(new ByteArrayInputStream(more.getBytes(UTF_8)), mark);

        assertThat(text(first).replace("\n", "")).isEqualTo("x".repeat(3 * LONG) + "next");
        assertThat(text(second)).isEqualTo("last\n");
    }

    @Test
    void aLineAsLongAsAPieceIsOneLine() throws Exception {
        String log = TIME + "x".repeat(LONG - TIME.length()) + "\n" + TIME + "y\n";

        assertThat(read(new ByteArrayInputStream(log.getBytes(UTF_8)), Optional.empty())
                        .lines())
                .hasSize(2);
    }
}
