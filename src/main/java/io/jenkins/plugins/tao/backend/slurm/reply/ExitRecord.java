package io.jenkins.plugins.tao.backend.slurm.reply;

import io.jenkins.plugins.tao.job.Ending;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What the job's frame noted of its newest run.
 *
 * @param run 0, and one more after each requeue
 * @param start when the frame started
 * @param end when it ended; empty while it runs, and for ever when it was killed
 * @param code its exit code; present when {@code end} is
 * @param by {@code command} when the command ended by itself, {@code frame} when it could not be started, {@code step} when srun ended
 *     with 0 and no rank made a note, {@code launch} when srun could not launch it, the word node where srun names its machines, {@code lost} when a rank began and noted no end, {@code import-4711} before the first run while that
 *     job converts the image, else the signal that came first
 * @param ranks how many ranks were asked for their notes; 0 in the records of frames that did not ask
 * @param decisive the rank that decided, when one did: the first that failed by itself, or the one that is lost
 */
public record ExitRecord(
        int run,
        Optional<Instant> start,
        Optional<Instant> end,
        OptionalInt code,
        String by,
        int ranks,
        Optional<Rank> decisive) {
    private static final String COMMAND = "command";
    private static final String STEP = "step";
    private static final String LOST = "lost";
    private static final String FRAME = "frame";
    private static final String IMPORT = "import-";
    private static final Pattern SIGNAL = Pattern.compile("TERM|INT|HUP|QUIT|XCPU");

    /** One rank of the command and the node it ran on. */
    public record Rank(int rank, String node) {}

    /** Reads {@code run=0 start=1700000000 end=1700000100 code=5 ranks=2 rank=1 node=gpu02 by=command}; unknown words pass by. */
    public static ExitRecord parse(String line) {
        Map<String, String> words = new HashMap<>();
        for (String word : line.strip().split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                words.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        OptionalInt rank = number(words, "rank");
        return new ExitRecord(
                number(words, "run").orElse(0),
                epoch(words.getOrDefault("start", "")),
                epoch(words.getOrDefault("end", "")),
                number(words, "code"),
                words.getOrDefault("by", ""),
                number(words, "ranks").orElse(0),
                rank.isPresent()
                        ? Optional.of(new Rank(rank.getAsInt(), words.getOrDefault("node", "?")))
                        : Optional.empty());
    }

    /**
     * The command's own exit code, as far as it is proved. A failure that the frame saw always is; a 0 only when all ranks noted it, for
     * srun of Slurm 22.05 ends with 0 when a node is taken away. Otherwise the scheduler has to agree.
     *
     * @param told how the scheduler says that the job ended; empty when it has forgotten it
     */
    public OptionalInt ownCode(Optional<Ending> told) {
        if (code.isEmpty()) {
            return OptionalInt.empty();
        }
        boolean good = code.getAsInt() == 0;
        boolean agrees = told.equals(Optional.of(good ? Ending.COMPLETED : Ending.FAILED));
        boolean counts =
                switch (by) {
                    case COMMAND -> !good || ranks > 0 || agrees;
                    case STEP -> agrees;
                    case LOST, FRAME -> agrees && !good;
                    default -> interruption().isPresent() && agrees;
                };
        return counts ? code : OptionalInt.empty();
    }

    /** The signal that came before the command had ended, in words such as {@code SIGTERM}; its exit code is the answer to that. */
    public Optional<String> interruption() {
        return code.isPresent() && SIGNAL.matcher(by).matches() ? Optional.of("SIG" + by) : Optional.empty();
    }

    /** Whether a rank began and noted no end, while srun ended with 0: its node was taken away. */
    public boolean lostNode() {
        return by.equals(LOST) && code.equals(OptionalInt.of(0));
    }

    /** How a job ended whose command srun could not launch on any node; empty where it began on one. */
    public Optional<Ending> unlaunched() {
        return switch (by) {
            case "launch" -> Optional.of(Ending.LAUNCH_FAILURE);
            case "node" -> Optional.of(Ending.NODE_FAILURE);
            default -> Optional.empty();
        };
    }

    /** Whether the command ended by itself and well on all nodes: no later failure of a node undoes that. */
    public boolean completed() {
        return by.equals(COMMAND) && ranks > 0 && code.equals(OptionalInt.of(0));
    }

    /** Whether nothing starts the job again after this end, whatever the scheduler forgot. */
    public boolean certain() {
        return code.isPresent() && by.equals(COMMAND);
    }

    /** The job that converts the image, when nothing has run yet: {@code by=import-4711}. */
    public Optional<String> conversion() {
        return by.matches(IMPORT + "\\d+") ? Optional.of(by.substring(IMPORT.length())) : Optional.empty();
    }

    public boolean ended() {
        return code.isPresent();
    }

    /** Seconds since 1970; empty for {@code N/A}, {@code Unknown}, {@code None}, 0 and whatever else is no time. */
    public static Optional<Instant> epoch(String text) {
        return text.matches("[1-9]\\d{0,11}")
                ? Optional.of(Instant.ofEpochSecond(Long.parseLong(text)))
                : Optional.empty();
    }

    private static OptionalInt number(Map<String, String> words, String name) {
        String text = words.getOrDefault(name, "");
        return text.matches("\\d{1,6}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
    }
}
