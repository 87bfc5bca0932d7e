package io.jenkins.plugins.tao.cli.terminal;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.Outcome;
import java.util.Optional;
import lombok.RequiredArgsConstructor;

/** What the exit codes of {@code ./tao} tell a script; docs/cli.md lists them. */
@RequiredArgsConstructor
public enum ExitCode {
    SUCCEEDED(0),
    FAILED(1),
    /** Wrong usage, a wrong file, or refused before anything was started. */
    REFUSED(2),
    /** The target does not answer, how the job ended is not known, or files of a job that succeeded did not come. */
    NO_WORD(3),
    CANCELLED(4),
    /** The job succeeded, and a gate says that it is worse than it should be. */
    GATE_FAILED(5),
    /** The same for a gate that only makes unstable. */
    GATE_UNSTABLE(6),
    /** Nothing could be judged, and a verdict was required. */
    NO_VERDICT(7),
    /** The gates found nothing bad, and their answer or the record of the run could not be written. */
    NOT_KEPT(8),
    /** A fault of this program. */
    FAULT(70),
    /** Left by Ctrl-C while the job goes on. */
    DETACHED(130);

    private final int number;

    /** The same for a run whose files are {@code missing}: without them a success is none yet. */
    public ExitCode unlessMissing(boolean missing) {
        return missing && this == SUCCEEDED ? NO_WORD : this;
    }

    public int number() {
        return number;
    }

    public static ExitCode of(Outcome outcome) {
        return outcome.match(succeeded -> SUCCEEDED, failed -> FAILED, cancelled -> CANCELLED, lost -> NO_WORD);
    }

    /** The code of a request that was not carried out. */
    public static ExitCode ofRefusal(BackendException refused) {
        boolean unknown =
                refused instanceof BackendException.Unreachable || refused instanceof BackendException.Unreadable;
        return unknown ? NO_WORD : REFUSED;
    }

    /** The code of a job whose end is known by its {@link Outcome#word}; empty while it is not. */
    public static Optional<ExitCode> ofEnd(String word) {
        return switch (word) {
            case "succeeded" -> Optional.of(SUCCEEDED);
            case "failed" -> Optional.of(FAILED);
            case "cancelled" -> Optional.of(CANCELLED);
            default -> Optional.empty();
        };
    }
}
