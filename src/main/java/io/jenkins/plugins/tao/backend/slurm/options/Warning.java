package io.jenkins.plugins.tao.backend.slurm.options;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Duration;
import java.util.Optional;

/**
 * The signal that warns a command before its time is up, as in {@code B:TERM@360}. Slurm sends it up to a minute early or
 * late.
 *
 * @param to {@code B:} when it goes to the batch shell, which hands it on; empty for the steps
 * @param name the signal, with or without {@code SIG}
 * @param ahead how long before the wall time ends
 * @param checkpoint how long the command takes to save its state
 * @see <a href="https://slurm.schedmd.com/sbatch.html">sbatch(1), "--signal"</a>, read for Slurm 22.05
 */
public record Warning(String to, String name, Duration ahead, Duration checkpoint) {
    private static final Duration LATE = Duration.ofMinutes(1);
    private static final Duration CUSTOMARY = Duration.ofMinutes(6);

    /** The signal of the options; how long ahead follows from the checkpoint where nothing is said. */
    static Optional<Warning> of(Optional<String> signal, Optional<Duration> checkpointTime) {
        if (signal.isEmpty() && checkpointTime.isEmpty()) {
            return Optional.empty();
        }
        String text = signal.orElse("B:TERM");
        String to = text.startsWith("B:") ? "B:" : "";
        String[] nameAndSeconds = text.substring(to.length()).split("@", 2);
        Duration checkpoint = checkpointTime.orElse(Duration.ZERO);
        Duration needed = checkpoint.plus(LATE.multipliedBy(2));
        Duration ahead = nameAndSeconds.length == 2
                ? Duration.ofSeconds(Long.parseLong(nameAndSeconds[1]))
                : needed.compareTo(CUSTOMARY) > 0 ? needed : CUSTOMARY;
        return Optional.of(new Warning(to, nameAndSeconds[0], ahead, checkpoint));
    }

    /** Refuses one that may come too late to be of use. */
    void check(Duration cutOff) {
        Duration left = ahead.minus(cutOff);
        require(
                left.compareTo(checkpoint.plus(LATE)) >= 0,
                "signal '%s' comes up to 60 s late and leaves %d s before the command is ended, less than a minute more"
                        + " than the %d s of a checkpoint: give it %d s or more, as in %s%s@%d, or a later timeout",
                render(),
                left.toSeconds(),
                checkpoint.toSeconds(),
                checkpoint.plus(LATE).plus(cutOff).toSeconds(),
                to,
                name,
                checkpoint.plus(LATE).plus(cutOff).toSeconds());
    }

    /** As {@code sbatch} takes it. */
    public String render() {
        return to + name + "@" + ahead.toSeconds();
    }

    /** The name as {@code trap} and {@code scancel} take it. */
    public String plainName() {
        return name.replaceFirst("^SIG", "");
    }
}
