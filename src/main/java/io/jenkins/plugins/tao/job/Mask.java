package io.jenkins.plugins.tao.job;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Hides the values of secrets in a text, the longer lines of a value also by themselves, as logs come by lines. A short line
 * of a long value, such as a brace of JSON, is no secret, and hiding it would spoil what has nothing to do with it.
 */
public final class Mask {
    /** Hides nothing. */
    public static final Mask NONE = new Mask(List.of());

    private static final String HIDDEN = "****";
    private static final int SHORTEST_LINE = 6;

    private final List<String> hidden;

    private Mask(List<String> hidden) {
        this.hidden = hidden;
    }

    /** Hides the values of {@code secrets}. */
    public static Mask of(Collection<Secret> secrets) {
        return new Mask(secrets.stream()
                .map(secret -> secret.reveal().strip())
                .flatMap(value -> Stream.concat(Stream.of(value), longLines(value)))
                .filter(part -> !part.isEmpty())
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    private static Stream<String> longLines(String value) {
        return value.lines().map(String::strip).filter(line -> line.length() >= SHORTEST_LINE);
    }

    /** A stream of UTF-8 text that hides the same before it writes to {@code out}. */
    public OutputStream over(OutputStream out) {
        return hidden.isEmpty() ? out : new MaskedStream(out, bytewise());
    }

    /** The same for text whose every byte was read as a character. */
    private Mask bytewise() {
        return new Mask(hidden.stream()
                .map(value -> new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1))
                .toList());
    }

    /** The text with stars instead of values. */
    public String apply(String text) {
        String shown = text;
        for (String value : hidden) {
            shown = shown.replace(value, HIDDEN);
        }
        return shown;
    }
}
