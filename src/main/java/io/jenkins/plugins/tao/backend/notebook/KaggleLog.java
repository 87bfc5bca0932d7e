package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.http.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The log of one notebook, taken apart: the command's two streams, the lines of {@code status.json} that our notebook
 * repeats in it, and its last line. Kaggle sends it from the beginning each time: live as server-sent events, later as a
 * JSON list; both hold {@code stream_name} and {@code data}. Pure.
 *
 * @param out the command's standard output
 * @param err its standard error, with what the notebook says itself
 * @param status lines of {@code status.json}
 * @param end how the notebook says it ended, once it has
 */
record KaggleLog(String out, String err, String status, Optional<NotebookEnd> end) {
    private static final String FILE = "log";
    private static final String DATA = "data:";
    private static final String END_OF_LOG = "END_OF_LOG";
    private static final String STATUS = "status ";
    private static final int LONGEST_TAIL = 1 << 20;

    /**
     * Reads a log.
     *
     * @param events whether {@code text} is a stream of server-sent events, which may end anywhere
     * @param mark what begins each line that the notebook of this attempt writes for us
     */
    static KaggleLog parse(String text, boolean events, String mark) {
        StringBuilder out = new StringBuilder();
        StringBuilder err = new StringBuilder();
        for (Piece piece : events ? live(text) : stored(text)) {
            (piece.stream().equals("stderr") ? err : out).append(piece.data());
        }
        return sorted(out.toString(), err.toString(), events, mark);
    }

    /** What begins a line that the notebook of this attempt writes for us. */
    static String mark(String key, int attempt) {
        return "tao-run[" + key + "." + attempt + "] ";
    }

    private record Piece(String stream, String data) {}

    /** Only whole lines: the last one may still be on its way. */
    private static List<Piece> live(String text) {
        List<Piece> pieces = new ArrayList<>();
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        whole.lines().filter(line -> line.startsWith(DATA)).forEach(line -> {
            String event = line.substring(DATA.length()).strip();
            if (!event.equals(END_OF_LOG)) {
                Json.parse(event).ifPresent(node -> pieces.add(piece(node)));
            }
        });
        return pieces;
    }

    private static List<Piece> stored(String text) {
        List<Piece> pieces = new ArrayList<>();
        Optional<JsonNode> list = Json.parse(text).filter(JsonNode::isArray);
        if (list.isPresent()) {
            list.get().forEach(node -> pieces.add(piece(node)));
        } else {
            text.lines().forEach(line -> pieces.add(line(line)));
        }
        return pieces;
    }

    /** A line of a list that is cut or not quite JSON, or of a plain log. */
    private static Piece line(String line) {
        String bare = line.strip().replaceFirst("^[\\[,]", "").replaceFirst("[,\\]]$", "");
        return Json.parse(bare)
                .filter(node -> node.has("data"))
                .map(KaggleLog::piece)
                .orElseGet(() -> new Piece("stdout", line + "\n"));
    }

    private static Piece piece(JsonNode node) {
        return new Piece(
                node.path("stream_name").asText("stdout"), node.path("data").asText());
    }

    private static KaggleLog sorted(String out, String err, boolean growing, String mark) {
        StringBuilder rest = new StringBuilder();
        StringBuilder status = new StringBuilder();
        Optional<NotebookEnd> end = Optional.empty();
        int from = 0;
        while (from < err.length()) {
            int newline = err.indexOf('\n', from);
            if (newline < 0 && growing) {
                break;
            }
            int next = newline < 0 ? err.length() : newline + 1;
            String line = err.substring(from, next);
            if (line.startsWith(mark + STATUS)) {
                status.append(line, mark.length() + STATUS.length(), line.length());
            } else if (line.startsWith(mark)) {
                end = NotebookEnd.parse(line.substring(mark.length()).strip()).or(() -> Optional.empty());
            } else {
                rest.append(line);
            }
            from = next;
        }
        return new KaggleLog(out, rest.toString(), status.toString(), end);
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
            case MACHINE -> "";
        };
    }
}
