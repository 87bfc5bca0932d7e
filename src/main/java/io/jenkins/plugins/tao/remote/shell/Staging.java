package io.jenkins.plugins.tao.remote.shell;

import static io.jenkins.plugins.tao.job.Require.require;
import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

/**
 * Shell text that writes files: each under a temporary name first, so that no reader sees half of it. The content goes
 * through the shell's own {@code printf}, never through the arguments of a process. Any text will do, some MiB too.
 */
public final class Staging {
    private Staging() {}

    /** Makes a directory and its parents. */
    public static String directory(String path) {
        return ShellCommand.of("mkdir", "-p", "--", path).render() + " || exit 1\n";
    }

    /** Writes a file that everyone in the user's umask may read. */
    public static String file(String path, String content) {
        return write(path, content, "");
    }

    /** Writes a file with this mode, which it has before the first byte is in it. */
    public static String file(String path, String content, String mode) {
        require(mode.matches("[0-7]{3}"), "'%s' is not a file mode such as 600", mode);
        String temporary = temporary(path);
        return write(path, content, "(umask 077; : >" + temporary + ") && chmod " + mode + " " + temporary + " && ");
    }

    private static String write(String path, String content, String before) {
        String temporary = temporary(path);
        return before + "printf %s " + quote(content) + " >" + temporary + " && mv -f -- " + temporary + " "
                + quote(path) + " || exit 1\n";
    }

    /** Of this script's own, so that two that write the same file do not meet. */
    private static String temporary(String path) {
        return quote(path + ".tmp.") + "$$";
    }
}
