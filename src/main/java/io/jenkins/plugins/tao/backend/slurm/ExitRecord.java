package io.jenkins.plugins.tao.backend.slurm;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the job's frame noted of its newest run.
 *
 * @param run 0, and one more after each requeue
 * @param start when the frame started
 * @param end when it ended; empty while it runs, and for ever when it was killed
 * @param code its exit code; present when {@code end} is
 * @param by {@code command} when the command ended by itself, {@code frame} when it could not be started, {@code import-4711} before
 *     the first run while that job converts the image, else the signal that came first
 */
record ExitRecord(int run, Optional<Instant> start, Optional<Instant> end, OptionalInt code, String by) {
    private static final String COMMAND = "command";
    private static final String IMPORT = "import-";

    /** Reads {@code run=0 start=1700000000 end=1700000100 code=0 by=command}; unknown words pass by. */
    static ExitRecord parse(String line) {
        Map<String, String> words = new HashMap<>();
        for (String word : line.strip().split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                words.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        OptionalInt code = number(words, "code");
        return new ExitRecord(
                number(words, "run").orElse(0),
                epoch(words.getOrDefault("start", "")),
                epoch(words.getOrDefault("end", "")),
                code,
                words.getOrDefault("by", ""));
    }

    /** The command's own exit code, when it ended by itself. */
    OptionalInt ownCode() {
        return by.equals(COMMAND) ? code : OptionalInt.empty();
    }

    /** Whether the command ended by itself and well: no later failure of its node undoes that. */
    boolean completed() {
        return ownCode().equals(OptionalInt.of(0));
    }

    /** The job that converts the image, when nothing has run yet: {@code by=import-4711}. */
    Optional<String> conversion() {
        return by.matches(IMPORT + "\\d+") ? Optional.of(by.substring(IMPORT.length())) : Optional.empty();
    }

    boolean ended() {
        return code.isPresent();
    }

    /** Seconds since 1970; empty for {@code N/A}, {@code Unknown}, {@code None}, 0 and whatever else is no time. */
    static Optional<Instant> epoch(String text) {
        return text.matches("[1-9]\\d{0,11}")
                ? Optional.of(Instant.ofEpochSecond(Long.parseLong(text)))
                : Optional.empty();
    }

    private static OptionalInt number(Map<String, String> words, String name) {
        String text = words.getOrDefault(name, "");
        return text.matches("\\d{1,6}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
    }
}
