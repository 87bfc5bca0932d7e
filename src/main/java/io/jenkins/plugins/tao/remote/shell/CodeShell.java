package io.jenkins.plugins.tao.remote.shell;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.Tidying.Tidied;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shell text that removes the code of jobs when its time is over. */
public final class CodeShell {
    private static final String PROGRAM = OwnFile.text(CodeShell.class, "code-tidy.sh");
    private static final Pattern REMOVED = Pattern.compile("code ([0-9a-f]{40}) (\\d{1,15})");

    private CodeShell() {}

    /** The function {@code code_tidy} and its inputs, except the function {@code code_used}. */
    public static String tidy(String directory, Duration keep, boolean dryRun) {
        return "code_root=" + quote(directory) + "\ncode_keep=" + keep.toMinutes() + "\ncode_dry=" + (dryRun ? "1" : "")
                + "\n" + PROGRAM;
    }

    /** Reads the lines that {@code code_tidy} printed; others pass by. */
    public static Tidied removed(String text) {
        List<String> names = new ArrayList<>();
        long kibibytes = 0;
        for (String line : text.lines().toList()) {
            Matcher one = REMOVED.matcher(line);
            if (one.matches()) {
                names.add("code " + one.group(1));
                kibibytes += Long.parseLong(one.group(2));
            }
        }
        return new Tidied(names, kibibytes, false);
    }
}
