package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.http.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes a log apart while it comes. Kaggle sends it from the beginning each time: live as server-sent events, later as a JSON
 * list; both hold {@code stream_name} and {@code data}. Of a log of any length the lines that our notebook writes are kept, its last
 * one above all, for it has the exit code; what is held of the rest is bounded.
 */
final class KaggleLogReader {
    private static final String DATA = "data:";
    private static final String END_OF_LOG = "END_OF_LOG";
    /** A stored log up to this length is read as a whole, which also reads one that is cut or not quite JSON. */
    private static final int WHOLE = 24 << 20;
    /** One event is not longer. */
    private static final int LINE = 8 << 20;

    private final boolean events;
    private final KaggleLines lines;
    /** Of events the line that has not ended, of a stored log all of it until it is too long for that. */
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();

    private Optional<ListReader> list = Optional.empty();
    private boolean blank = true;
    private boolean passing;

    /**
     * For one log.
     *
     * @param events whether it is a stream of server-sent events, which may end anywhere
     * @param mark what begins each line that the notebook of this attempt writes for us
     */
    KaggleLogReader(boolean events, String mark) {
        this.events = events;
        this.lines = new KaggleLines(mark);
    }

    /** Takes the first {@code count} of these bytes. */
    void take(byte[] bytes, int count) {
        for (int i = 0; blank && i < count; i++) {
            blank = Character.isWhitespace(bytes[i]);
        }
        if (events) {
            takeEvents(bytes, count);
        } else if (list.isPresent()) {
            list.get().feed(bytes, count);
        } else {
            held.write(bytes, 0, count);
            if (held.size() > WHOLE) {
                ListReader reader = new ListReader(lines);
                reader.feed(held.toByteArray(), held.size());
                list = Optional.of(reader);
                held.reset();
            }
        }
    }

    /** Whether nothing has come. */
    boolean isBlank() {
        return blank;
    }

    /** What was taken. */
    KaggleLog log() {
        if (!events && list.isEmpty()) {
            stored(held.toString(StandardCharsets.UTF_8));
        }
        return lines.log(events);
    }

    /** Only whole lines: the last one may still be on its way. */
    private void takeEvents(byte[] bytes, int count) {
        int from = 0;
        for (int i = 0; i < count; i++) {
            if (bytes[i] == '\n') {
                held.write(bytes, from, i - from);
                event(passing ? "" : held.toString(StandardCharsets.UTF_8));
                held.reset();
                passing = false;
                from = i + 1;
            }
        }
        held.write(bytes, from, count - from);
        passing |= held.size() > LINE;
        if (passing) {
            held.reset();
        }
    }

    private void event(String line) {
        if (line.startsWith(DATA) && !line.substring(DATA.length()).strip().equals(END_OF_LOG)) {
            Json.parse(line.substring(DATA.length()).strip()).ifPresent(this::piece);
        }
    }

    private void stored(String text) {
        Optional<JsonNode> whole = Json.parse(text).filter(JsonNode::isArray);
        if (whole.isPresent()) {
            whole.get().forEach(this::piece);
        } else {
            text.lines().forEach(this::line);
        }
    }

    /** A line of a list that is cut or not quite JSON, or of a plain log. */
    private void line(String line) {
        String bare = line.strip().replaceFirst("^[\\[,]", "").replaceFirst("[,\\]]$", "");
        Json.parse(bare)
                .filter(node -> node.has("data"))
                .ifPresentOrElse(this::piece, () -> lines.take("stdout", line + "\n"));
    }

    private void piece(JsonNode node) {
        lines.take(node.path("stream_name").asText("stdout"), node.path("data").asText());
    }

    /** A JSON list of objects, read as it comes; what is no JSON any more ends it. */
    private static final class ListReader {
        private static final int OBJECT = 2;

        private final KaggleLines lines;
        private final JsonParser parser;
        private int depth;
        private String stream = "stdout";
        private String data = "";
        private boolean broken;

        ListReader(KaggleLines lines) {
            this.lines = lines;
            try {
                parser = new JsonFactory().createNonBlockingByteArrayParser();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        void feed(byte[] bytes, int count) {
            try {
                if (!broken) {
                    ((ByteArrayFeeder) parser.getNonBlockingInputFeeder())
                            .feedInput(Arrays.copyOf(bytes, count), 0, count);
                    for (JsonToken token = parser.nextToken();
                            token != null && token != JsonToken.NOT_AVAILABLE;
                            token = parser.nextToken()) {
                        take(token);
                    }
                }
            } catch (IOException e) {
                broken = true;
            }
        }

        private void take(JsonToken token) throws IOException {
            if (token.isStructStart()) {
                depth++;
            } else if (token == JsonToken.END_OBJECT && depth-- == OBJECT) {
                lines.take(stream, data);
                stream = "stdout";
                data = "";
            } else if (token == JsonToken.END_ARRAY) {
                depth--;
            } else if (token == JsonToken.VALUE_STRING && depth == OBJECT) {
                value(parser.currentName(), parser.getText());
            }
        }

        private void value(@Nullable String name, String text) {
            if ("stream_name".equals(name)) {
                stream = text;
            } else if ("data".equals(name)) {
                data = text;
            }
        }
    }
}
