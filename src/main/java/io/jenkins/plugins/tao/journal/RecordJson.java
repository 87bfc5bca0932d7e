package io.jenkins.plugins.tao.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.function.Consumer;

/** Records that a process saves for the next one, as JSON. Keys that a version does not know are left out. */
public final class RecordJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private RecordJson() {}

    /** On one line. */
    public static String line(Record saved) {
        return write(JSON.writer(), saved);
    }

    /** With indents and an end of line, for a file. */
    public static String file(Record saved) {
        return write(JSON.writerWithDefaultPrettyPrinter(), saved) + "\n";
    }

    private static String write(ObjectWriter writer, Record saved) {
        try {
            return writer.writeValueAsString(saved);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of texts and numbers is always JSON", e);
        }
    }

    /**
     * Reads what {@link #line} or {@link #file} wrote.
     *
     * @param what what is damaged where it cannot be read, for messages
     * @param check throws where a value is missing or wrong
     * @throws IllegalArgumentException if it is damaged
     */
    public static <R extends Record> R parse(String what, String text, Class<R> type, Consumer<R> check) {
        try {
            R saved = JSON.readValue(text, type);
            check.accept(saved);
            return saved;
        } catch (JsonProcessingException | RuntimeException e) {
            throw new IllegalArgumentException("damaged " + what + ": " + e.getMessage(), e);
        }
    }
}
