package io.jenkins.plugins.tao.failure;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Outcome.Cause;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What a line of a log tells of the cause of a failure.
 *
 * @param backend the kind of target it holds for; empty for all
 * @param cause what kind of failure; the cause decides whether the job is tried again
 * @param pattern what the line contains
 * @param sentence what it means
 * @param remedy what to do; empty when that is not known
 */
public record FailureRule(String backend, Cause cause, Pattern pattern, String sentence, String remedy) {
    /** How a rule is written. */
    public static final String FORM = "[backend:]CAUSE /pattern/ what it means => what to do";

    private static final Pattern LINE =
            Pattern.compile("(?:([a-z]++):)?+([A-Z_]++)\\s++/(.+?)/\\s++(.+?)(?:\\s++=>\\s++(.++))?");
    /** What several ranks have before their lines: a rule with {@code ^} is of what stands behind it. */
    private static final Pattern MARK = Pattern.compile("^\\[(?:worker |rank ?|default)?\\d{1,5}]:? ?");

    private static final Pattern VARIABLE = Pattern.compile("^\\s*(export |declare -x )?[A-Za-z_][A-Za-z0-9_]*=");
    private static final int LONGEST_LINE = 4000;

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
                pattern(parts.group(3)),
                parts.group(4),
                Optional.ofNullable(parts.group(5)).orElse(""));
    }

    private static Cause cause(String word) {
        return Arrays.stream(Cause.values())
                .filter(cause -> cause.name().equals(word))
                .findFirst()
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

    /** Whether it holds for jobs of {@code kind}. */
    boolean holdsFor(String kind) {
        return backend.isEmpty() || backend.equals(kind);
    }

    /** Whether {@code line} shows it; a variable that is only listed shows nothing. */
    boolean matches(String line) {
        String head = line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE);
        return shows(head)
                || (MARK.matcher(head).find() && shows(MARK.matcher(head).replaceFirst("")));
    }

    private boolean shows(String line) {
        return !VARIABLE.matcher(line).find() && pattern.matcher(line).find();
    }

    /** What it means and what to do, in one line. */
    public String words() {
        return remedy.isEmpty() ? sentence : sentence + " " + remedy;
    }
}
