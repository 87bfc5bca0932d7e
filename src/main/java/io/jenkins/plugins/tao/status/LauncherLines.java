package io.jenkins.plugins.tao.status;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What TAO's launcher has said in the log of one attempt: the third signal beside the exit code and {@code status.json}.
 * An interrupted launcher still reports {@code PASS} and exits 0, so {@link #interrupted} outweighs {@link #verdict}.
 *
 * @param verdict the last {@code Execution status:}
 * @param interrupted whether it said that the command was interrupted
 * @param overrideFailed whether it could not apply the settings of a run on several nodes: it then goes on as if every
 *     node were alone
 */
public record LauncherLines(Optional<Verdict> verdict, boolean interrupted, boolean overrideFailed) {
    /** Nothing said yet. */
    public static final LauncherLines NONE = new LauncherLines(Optional.empty(), false, false);

    private static final String STATUS_WORDS = "Execution status: ";
    private static final Pattern STATUS = Pattern.compile("\\b" + STATUS_WORDS + "(PASS|FAIL)\\s*$");
    private static final String INTERRUPTED = "Command was interrupted";
    private static final String OVERRIDE_FAILED = "[Multinode] Error overriding configs";

    /** The launcher's own word for how its child ended. */
    public enum Verdict {
        PASS,
        FAIL
    }

    /** Whether one of these lines is in {@code text}, which a log has millions of. */
    public static boolean maySpeak(String text) {
        return text.contains(STATUS_WORDS) || text.contains(INTERRUPTED) || text.contains(OVERRIDE_FAILED);
    }

    /** What is known after one more line of the log. */
    public LauncherLines after(String line) {
        if (!maySpeak(line)) {
            return this;
        }
        Matcher status = STATUS.matcher(line);
        return new LauncherLines(
                status.find() ? Optional.of(Verdict.valueOf(status.group(1))) : verdict,
                interrupted || line.contains(INTERRUPTED),
                overrideFailed || line.contains(OVERRIDE_FAILED));
    }
}
