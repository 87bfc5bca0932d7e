package io.jenkins.plugins.tao.remote.host;

import static io.jenkins.plugins.tao.job.Require.require;

import java.nio.charset.StandardCharsets;

/**
 * How a script travels. {@link #command} stands on the command line, without a word of the script; {@link #input} goes
 * to its standard input. The remote side reads all of it before it runs any of it: a connection cut half-way starts
 * nothing, and commands of the script that read standard input find it empty. A mark on both outputs tells where the
 * script begins to speak. The command holds neither backslash, exclamation mark nor nested single quote, so that sh,
 * bash, csh, tcsh, zsh and fish read it alike. A profile that replaces the login shell by another hands the input to that one: it ends
 * at the first line.
 */
public final class ScriptFrame {
    private static final String MARK = "--- tao-run: output of the script follows ---";
    private static final int INCOMPLETE = 97;

    /** What bash takes from the environment of a login, and tools take as options: none of it holds for our scripts. */
    private static final String PLAIN_SHELL =
            "set +aefuvxC; unset CDPATH GREP_OPTIONS TAR_OPTIONS BLOCKSIZE BLOCK_SIZE DF_BLOCK_SIZE DU_BLOCK_SIZE"
                    + " POSIXLY_CORRECT QUOTING_STYLE TIME_STYLE PS_FORMAT PS_PERSONALITY;"
                    + " case \"$BASH_VERSION\" in ?*) set -o posix; shopt -u failglob nullglob nocaseglob nocasematch dotglob;"
                    + " for tao_f in $(compgen -A function); do"
                    + " (unset -f $tao_f; PATH=/usr/bin:/bin; type $tao_f) >/dev/null 2>&1 && unset -f $tao_f; done ;; esac;"
                    + " unset tao_f";

    private static final String FRAMED = "[ \"${tao_framed-}\" ] || exit " + INCOMPLETE + "; unset tao_framed\n";

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
        input = (FRAMED + script + "\n" + end + "\n").getBytes(StandardCharsets.UTF_8);
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
                PLAIN_SHELL,
                fed ? "tao_text=$(dd bs=1 count=" + input.length + " 2>/dev/null)" : "tao_text=$(cat); exec </dev/null",
                "case \"$tao_text\" in *\"" + end + "\") ;; *) exit " + INCOMPLETE + " ;; esac",
                "echo \"" + MARK + "\"",
                "echo \"" + MARK + "\" >&2",
                "tao_framed=1",
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
