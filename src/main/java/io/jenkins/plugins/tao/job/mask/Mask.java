package io.jenkins.plugins.tao.job.mask;

import io.jenkins.plugins.tao.job.Secret;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Hides the values of secrets in a text, as they are and as shells and encoders print them, the longer lines of a value also by
 * themselves, as logs come by lines. A short line of a long value, such as a brace of JSON, is no secret, and hiding it would spoil what has nothing to do with it.
 */
public final class Mask {
    /** Hides nothing. */
    public static final Mask NONE = new Mask(List.of());

    private static final String HIDDEN = "****";
    private static final int SHORTEST_LINE = SecretForms.SHORTEST;
    private static final int MOST_LINES = 40;

    private final List<String> hidden;

    private Mask(List<String> hidden) {
        this.hidden = hidden;
    }

    /** Hides the values of {@code secrets}. */
    public static Mask of(Collection<Secret> secrets) {
        return new Mask(secrets.stream()
                .map(secret -> secret.reveal().strip())
                .filter(value -> !value.isEmpty())
                .flatMap(value -> Stream.concat(Stream.of(value), longLines(value))
                        .flatMap(part -> Stream.concat(Stream.of(part), forms(value, part))))
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    /** A kubeconfig of hundreds of lines is hidden as it is, and encoded as a whole: each line in each form would take a second a line of log. */
    private static Stream<String> forms(String value, String part) {
        boolean few = value.lines().limit(MOST_LINES + 1L).count() <= MOST_LINES;
        return few || part.equals(value) ? SecretForms.of(part).stream() : Stream.empty();
    }

    private static Stream<String> longLines(String value) {
        return value.lines().map(String::strip).filter(line -> line.length() >= SHORTEST_LINE);
    }

    /** A stream of UTF-8 text that hides the same before it writes to {@code out}. */
    public OutputStream over(OutputStream out) {
        return hidden.isEmpty() ? out : new MaskedStream(out, bytewise());
    }

    /** The same for the file {@code path} of a job's archive: logs and {@code status.json} are text, others stay as they are. */
    public OutputStream over(String path, OutputStream out) {
        return path.startsWith("logs/") || path.endsWith("status.json") ? over(out) : out;
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
