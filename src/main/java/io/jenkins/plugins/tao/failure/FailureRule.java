package io.jenkins.plugins.tao.failure;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Outcome.Cause;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * What a line of a log tells of the cause of a failure.
 *
 * @param backend the kind of target it holds for; empty for all
 * @param cause what kind of failure; the cause decides whether the job is tried again
 * @param limits when it counts
 * @param pattern what the line contains
 * @param sentence what it means
 * @param remedy what to do; empty when that is not known
 */
public record FailureRule(
        String backend, Cause cause, Set<Limit> limits, Pattern pattern, String sentence, String remedy) {
    /** How a rule is written. */
    public static final String FORM = "[backend:]CAUSE [gpus] [end] [hint] /pattern/ what it means => what to do";

    private static final Pattern LINE = Pattern.compile(
            "(?:([a-z]++):)?+([A-Z_]++)((?: (?:gpus|end|hint))*+)\\s++/(.+?)/\\s++(.+?)(?:\\s++=>\\s++(.++))?");

    /** When a rule counts. */
    enum Limit {
        /** For jobs that asked for GPUs, or of which that is not known. */
        GPUS,
        /** Near the end of the log. */
        END,
        /** Only where no line shows that the program failed by itself. */
        HINT
    }

    public FailureRule {
        limits = Set.copyOf(limits);
    }

    /**
     * Reads a rule.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    static FailureRule parse(String line) {
        Matcher parts = LINE.matcher(line.strip());
        require(parts.matches(), "a rule is written as: %s", FORM);
        return new FailureRule(
                Optional.ofNullable(parts.group(1)).orElse(""),
                cause(parts.group(2)),
                limits(parts.group(3)),
                pattern(parts.group(4)),
                parts.group(5),
                Optional.ofNullable(parts.group(6)).orElse(""));
    }

    private static Set<Limit> limits(String words) {
        return Pattern.compile(" ")
                .splitAsStream(words.strip().toUpperCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .map(Limit::valueOf)
                .collect(Collectors.toSet());
    }

    private static Cause cause(String word) {
        return Cause.named(word)
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no cause '" + word + "'; use one of " + Arrays.toString(Cause.values())));
    }

    private static Pattern pattern(String text) {
        try {
            Pattern pattern = Pattern.compile(text);
            require(!pattern.matcher("").find(), "the pattern /%s/ matches every line", text);
            return pattern;
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("the pattern /" + text + "/ is wrong: " + e.getDescription(), e);
        }
    }

    /** Whether it holds for jobs of {@code kind} that asked for GPUs, or did not. */
    boolean holdsFor(String kind, boolean gpus) {
        return (backend.isEmpty() || backend.equals(kind)) && (gpus || !limits.contains(Limit.GPUS));
    }

    boolean isHint() {
        return limits.contains(Limit.HINT);
    }

    /** Whether it is shown by this line of a log, with the marks of its rank or without. */
    boolean shownBy(ReadLine line) {
        boolean marked = !line.whole().equals(line.text());
        return (line.near() || !limits.contains(Limit.END)) && (shows(line.text()) || (marked && shows(line.whole())));
    }

    /** Whether {@code line} shows it. */
    boolean shows(String line) {
        return pattern.matcher(line).find();
    }

    /** What it means and what to do, in one line. */
    public String words() {
        return remedy.isEmpty() ? sentence : sentence + " " + remedy;
    }
}
