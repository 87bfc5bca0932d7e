package io.jenkins.plugins.tao.backend.slurm.reply;

import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.Endings;
import io.jenkins.plugins.tao.job.JobState;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What Slurm's words for a job's state mean.
 *
 * @see <a href="https://slurm.schedmd.com/job_state_codes.html">Job State Codes</a>, read for Slurm 22.05 to 26.05
 */
public final class SlurmState {
    private static final String SYSTEM = "slurm";

    private static final List<String> WAITING = List.of(
            "PENDING",
            "CONFIGURING",
            "RESIZING",
            "REQUEUED",
            "REQUEUE_HOLD",
            "REQUEUE_FED",
            "RESV_DEL_HOLD",
            "SPECIAL_EXIT",
            "POWER_UP_NODE",
            "EXPEDITING");
    private static final List<String> RUNNING = List.of("RUNNING", "COMPLETING", "SIGNALING", "STAGE_OUT", "UPDATE_DB");
    private static final List<String> PAUSED = List.of("SUSPENDED", "STOPPED");

    private SlurmState() {}

    /** The first word, as {@code CANCELLED} of {@code CANCELLED by 1000} and of {@code CANCELLED+}; upper case. */
    public static String word(String text) {
        return text.strip().toUpperCase(Locale.ROOT).split("[ +,]", 2)[0];
    }

    /** Where a job in this state stands. While {@code COMPLETING} is among the words, it has not ended yet. */
    public static JobState of(String text) {
        if (Arrays.asList(text.toUpperCase(Locale.ROOT).split("[ +,]")).contains("COMPLETING")) {
            return JobState.RUNNING;
        }
        String word = word(text);
        if (Endings.of(SYSTEM, word).isPresent()) {
            return JobState.ENDED;
        }
        if (WAITING.contains(word)) {
            return JobState.PENDING;
        }
        if (RUNNING.contains(word)) {
            return JobState.RUNNING;
        }
        return PAUSED.contains(word) ? JobState.PAUSED : JobState.UNCLEAR;
    }

    /** How a job in this final state ended; {@code FAILED} before its first command is a launch failure. */
    public static Ending ending(String text, boolean launched) {
        Ending ending = Endings.of(SYSTEM, word(text)).orElse(Ending.UNKNOWN);
        return ending == Ending.FAILED && !launched ? Ending.LAUNCH_FAILURE : ending;
    }
}
