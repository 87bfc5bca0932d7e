package io.jenkins.plugins.tao.remote.host;

import static io.jenkins.plugins.tao.job.Require.require;

import java.nio.charset.StandardCharsets;

/**
 * How a script travels. {@link #command} stands on the command line, without a word of the script; {@link #input} goes
 * to its standard input. The remote side reads all of it before it runs any of it: a connection cut half-way starts
 * nothing, and commands of the script that read standard input find it empty. A mark on both outputs tells where the
 * script begins to speak. The command holds neither backslash, exclamation mark nor nested single quote, so that sh,
 * bash, csh, tcsh and zsh read it alike.
 */
public final class ScriptFrame {
    private static final String MARK = "--- tao-run: output of the script follows ---";
    private static final int INCOMPLETE = 97;

    private final byte[] input;
    private final String end;
    private final boolean fed;

    public ScriptFrame(String script) {
        this(script, false);
    }

    private ScriptFrame(String script, boolean fed) {
        this.fed = fed;
        require(script.indexOf('\0') < 0, "a script must not hold a NUL character");
        end = "# tao-run: complete at " + script.getBytes(StandardCharsets.UTF_8).length;
        input = (script + "\n" + end + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** The frame of a script that reads more from its standard input than itself. */
    public static ScriptFrame beforeFeed(String script) {
        return new ScriptFrame(script, true);
    }

    /** What a login shell is asked to run. */
    public String command() {
        return "exec /bin/sh -c '" + program() + "'";
    }

    /** What {@code /bin/sh -c} runs. Byte by byte, {@code dd} takes none of what comes after the script; {@code head} of busybox would. */
    public String program() {
        return String.join(
                "; ",
                fed ? "tao_text=$(dd bs=1 count=" + input.length + " 2>/dev/null)" : "tao_text=$(cat); exec </dev/null",
                "case \"$tao_text\" in *\"" + end + "\") ;; *) exit " + INCOMPLETE + " ;; esac",
                "echo \"" + MARK + "\"",
                "echo \"" + MARK + "\" >&2",
                "eval \"unset tao_text; $tao_text\"");
    }

    /** What its standard input reads. */
    public byte[] input() {
        return input;
    }

    /** The mark as it appears on both outputs. */
    static byte[] mark() {
        return (MARK + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
