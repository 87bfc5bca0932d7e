package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Tail;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The log of one notebook, taken apart: the command's two streams, the lines of {@code status.json} that our notebook
 * repeats in it, what it tells of its GPUs, and its last line. {@link KaggleLogReader} makes it.
 *
 * @param out the command's standard output
 * @param err its standard error, with what the notebook says itself
 * @param status lines of {@code status.json}
 * @param machine lines of {@code gpus.sh}
 * @param end how the notebook says it ended, once it has
 */
record KaggleLog(String out, String err, String status, String machine, Optional<NotebookEnd> end) {
    private static final String FILE = "log";
    private static final int LONGEST_TAIL = 1 << 20;

    /** What begins a line that the notebook of this attempt writes for us. */
    static String mark(String key, int attempt) {
        return "tao-run[" + key + "." + attempt + "] ";
    }

    /** What is new in one of its streams; empty when nothing is. */
    Optional<Tail> tail(Stream stream, Position from) {
        byte[] bytes = text(stream).getBytes(StandardCharsets.UTF_8);
        boolean restarted = from.byteOffset() > bytes.length;
        int start = restarted ? 0 : (int) from.byteOffset();
        int end = Math.min(bytes.length, start + LONGEST_TAIL);
        if (start == end && !restarted) {
            return Optional.empty();
        }
        byte[] fresh = Arrays.copyOfRange(bytes, start, end);
        return Optional.of(new Tail(fresh, new Position(FILE, end), restarted, end < bytes.length));
    }

    String text(Stream stream) {
        return switch (stream) {
            case OUT -> out;
            case ERR -> err;
            case STATUS -> status;
            case MACHINE -> machine;
        };
    }
}
