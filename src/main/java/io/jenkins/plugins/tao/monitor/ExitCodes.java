package io.jenkins.plugins.tao.monitor;

import java.util.Map;

/** What exit codes of a shell mean to a person. */
final class ExitCodes {
    private static final int SIGNAL_BASE = 128;
    /** The greatest number of a signal on Linux, SIGRTMAX. */
    private static final int LAST_SIGNAL = 64;

    private static final Map<Integer, String> MEANINGS = Map.of(
            126, "the command is not executable",
            127, "the command was not found",
            130, "interrupted",
            134, "aborted",
            137, "killed by SIGKILL, often for want of memory",
            139, "segmentation fault",
            143, "ended by SIGTERM");

    private ExitCodes() {}

    /** {@code 137 (killed by SIGKILL, often for want of memory)}. */
    static String explain(int code) {
        String meaning = MEANINGS.get(code);
        if (meaning == null && code > SIGNAL_BASE && code <= SIGNAL_BASE + LAST_SIGNAL) {
            meaning = "ended by signal " + (code - SIGNAL_BASE);
        }
        return meaning == null ? Integer.toString(code) : code + " (" + meaning + ")";
    }
}
