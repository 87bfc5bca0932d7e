package io.jenkins.plugins.tao.jenkins.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A list as the text of a form: an entry a line; in JSON where an entry has what separates entries. */
final class ListText {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final TypeReference<List<String>> TEXTS = new TypeReference<>() {};

    private ListText() {}

    /** The text that {@link #read} takes for {@code entries}, whether or not commas separate. */
    static String write(List<String> entries) {
        String lines = String.join("\n", entries);
        if (read(lines, true).equals(entries)) {
            return lines;
        }
        try {
            return JSON.writeValueAsString(entries);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as a list: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * The entries without blanks around them; empty ones are left out.
     *
     * @param commas whether commas outside of braces and brackets separate too
     */
    static List<String> read(String text, boolean commas) {
        return json(text)
                .orElseGet(() -> text.lines()
                        .flatMap(line -> commas ? pieces(line).stream() : List.of(line).stream())
                        .toList())
                .stream()
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    /** A pattern such as {@code [ab]*.pth} begins like a list, but is none. */
    private static Optional<List<String>> json(String text) {
        if (!text.startsWith("[\"")) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(text, TEXTS));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** The pieces between commas; those in {@code *.{pth,onnx}} and {@code gpu[01,03]} belong to the entry. */
    private static List<String> pieces(String line) {
        List<String> pieces = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth = Math.max(0, depth - 1);
            } else if (c == ',' && depth == 0) {
                pieces.add(line.substring(start, i));
                start = i + 1;
            }
        }
        pieces.add(line.substring(start));
        return pieces;
    }
}
