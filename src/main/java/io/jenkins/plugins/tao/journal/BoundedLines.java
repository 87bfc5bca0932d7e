package io.jenkins.plugins.tao.journal;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Lines of files that may be of any size, as many as fit: of what does not fit the oldest lines go, because the newest values count. A line
 * without an end is never held whole.
 */
final class BoundedLines {
    private static final int LONGEST = 1 << 20;

    private final Deque<String> lines = new ArrayDeque<>();
    private final long mostCharacters;
    private long characters;
    private long leftOut;

    private BoundedLines(long mostCharacters) {
        this.mostCharacters = mostCharacters;
    }

    /**
     * What was read.
     *
     * @param lines the newest lines that were wanted and fit, in their order
     * @param leftOut how many wanted lines did not fit, one that is too long among them
     * @param characters how many characters the lines have
     */
    record Read(List<String> lines, long leftOut, long characters) {}

    /** Hands the lines of {@code file} to {@code taker} one by one, until {@code most} characters were read. */
    static void each(Path file, long most, Consumer<String> taker) throws IOException {
        long[] left = {most};
        of(file, 0, line -> {
            left[0] -= line.length() + 1;
            if (left[0] >= 0) {
                taker.accept(line);
            }
            return false;
        });
    }

    /** Reads the lines of {@code file} that are {@code wanted}; none where there is no file. */
    static Read of(Path file, long mostCharacters, Predicate<String> wanted) throws IOException {
        BoundedLines kept = new BoundedLines(mostCharacters);
        if (Files.isRegularFile(file)) {
            CharsetDecoder forgiving = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE);
            try (BufferedReader reader =
                    new BufferedReader(new java.io.InputStreamReader(Files.newInputStream(file), forgiving))) {
                kept.readAll(reader, wanted);
            }
        }
        return new Read(List.copyOf(kept.lines), kept.leftOut, kept.characters);
    }

    private void readAll(BufferedReader reader, Predicate<String> wanted) throws IOException {
        StringBuilder line = new StringBuilder();
        boolean tooLong = false;
        for (int letter = reader.read(); letter >= 0; letter = reader.read()) {
            if (letter == '\n') {
                take(line, tooLong, wanted);
                line.setLength(0);
                tooLong = false;
            } else if (line.length() < LONGEST) {
                line.append((char) letter);
            } else {
                tooLong = true;
            }
        }
        if (!line.isEmpty()) {
            take(line, tooLong, wanted);
        }
    }

    private void take(StringBuilder read, boolean tooLong, Predicate<String> wanted) {
        String line = read.toString().stripTrailing();
        if (tooLong) {
            leftOut++;
        } else if (wanted.test(line)) {
            lines.addLast(line);
            characters += line.length();
            while (characters > mostCharacters) {
                characters -= lines.removeFirst().length();
                leftOut++;
            }
        }
    }
}
