package io.jenkins.plugins.tao.status;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a log says of commands before and after a job's own that failed. Pure. */
public final class HookLines {
    private static final String WORDS = "tao: the ";
    private static final Pattern FAILED = Pattern.compile(
            "(?:^|] )tao: the (pre|post) command failed with exit code (\\d{1,3}); the command ((?:was|had) [a-z0-9 ]{1,40})$");
    private static final Pattern TOLD = Pattern.compile("The (pre|post) command failed with exit code (\\d{1,3}): .*");

    private HookLines() {}

    /** One that failed: {@code pre} or {@code post}, and its exit code. */
    public record Failure(String which, int exitCode) {}

    /** The sentences of these lines for a person. */
    public static List<String> in(String lines) {
        return lines.lines()
                .filter(line -> line.contains(WORDS))
                .map(line -> FAILED.matcher(line.strip()))
                .filter(Matcher::find)
                .map(found -> "The " + found.group(1) + " command failed with exit code " + found.group(2)
                        + ": the command " + found.group(3) + ".")
                .distinct()
                .toList();
    }

    /** The failure that a sentence of {@link #in} tells. */
    public static Optional<Failure> told(String sentence) {
        Matcher told = TOLD.matcher(sentence);
        return told.matches()
                ? Optional.of(new Failure(told.group(1), Integer.parseInt(told.group(2))))
                : Optional.empty();
    }
}
