package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Cancelled;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Outcome.Succeeded;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.status.LauncherLines;
import java.time.Duration;
import java.util.Optional;

/**
 * What an ended job's signals amount to. The payload's own exit code, {@code status.json} and the launcher's last line
 * are weighed; any of them can spoil a success, and the scheduler's word alone makes none.
 *
 * @param status the ended job as the backend sees it
 * @param progress the last word of {@code status.json} in this run
 * @param saysWorkDone whether {@code status.json} says in words that the work is done
 * @param trainedNothing whether it says that the training has finished, and tells of none: a finished one was taken up
 * @param launcher what the launcher's own lines in the log say
 * @param cancelledBy who asked for the end of the job while it lived, if anybody did
 * @param sinceEnd how long ago the end was first seen
 */
record Verdict(
        JobStatus status,
        Progress progress,
        boolean saysWorkDone,
        boolean trainedNothing,
        LauncherLines launcher,
        Optional<String> cancelledBy,
        Duration sinceEnd) {
    /** How long a shared file system may take to show the last lines and our exit record: attribute caches of NFS and Lustre. */
    static final Duration FILE_LAG = Duration.ofSeconds(60);

    /** How long accounting may take to tell who cancelled a job; where there is none, that stays unknown. */
    static final Duration ACCOUNTING_LAG = Duration.ofSeconds(5);

    private static final int TIMEOUT_COMMAND = 124;
    private static final String FAILURE = "FAILURE";
    private static final String SINGLE_NODE_RUNS = "TAO could not set up the multi-node run and went on as separate"
            + " single-node runs ('[Multinode] Error overriding configs'). Check WORLD_SIZE, NODE_RANK and the GPUs per node.";

    /** How the job ended; empty while files that may still change the answer can be on their way. */
    Optional<Outcome> outcome() {
        Optional<Outcome> decided = decide().map(this::withMembers);
        boolean requested = cancelledBy.isPresent()
                && !decided.map(Succeeded.class::isInstance).orElse(true);
        return requested ? cancelledBy.map(Cancelled::new) : decided;
    }

    private Outcome withMembers(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed && status.members().isPresent()
                ? failed.withDetail(failed.detail() + " " + status.members().get())
                : outcome;
    }

    private Optional<Outcome> decide() {
        return switch (status.ending().orElse(Ending.UNKNOWN)) {
            case CANCELLED -> cancelled();
            case TIME_LIMIT, DEADLINE ->
                failed(
                        Cause.TIME_LIMIT,
                        "The job reached its time limit. Give it more time, or let it resume from a checkpoint.");
            case OUT_OF_MEMORY ->
                failed(
                        Cause.OUT_OF_MEMORY,
                        "The job ran out of memory (RAM, not GPU memory). Ask for more memory or use fewer data workers.");
            case PREEMPTED -> failed(Cause.PREEMPTED, "The job was preempted by the scheduler" + because());
            case NODE_FAILURE -> failed(Cause.NODE_FAILURE, "A node failed" + onNodes() + because());
            case BOOT_FAILURE -> failed(Cause.BOOT_FAILURE, "A node did not boot" + onNodes() + because());
            case NOT_STARTED -> failed(Cause.NOT_STARTED, "The job did not start" + because());
            case LAUNCH_FAILURE ->
                failed(
                        Cause.LAUNCH,
                        "The job could not be launched" + because()
                                + (status.reason().isEmpty()
                                        ? " Check its work directory, its output directory and its image."
                                        : ""));
            case KILLED -> failed(Cause.UNCONFIRMED, "The command was ended by a signal" + because());
            case COMPLETED, FAILED, UNKNOWN ->
                status.exitCode().isPresent() ? byExitCode(status.exitCode().getAsInt()) : withoutExitCode();
        };
    }

    private Optional<Outcome> cancelled() {
        Optional<String> by = cancelledBy.or(status::reason);
        if (by.isEmpty() && sinceEnd.compareTo(ACCOUNTING_LAG) < 0) {
            return Optional.empty();
        }
        return Optional.of(new Cancelled(by.orElse("someone outside tao; the backend does not say who")));
    }

    private Optional<Outcome> byExitCode(int code) {
        if (code == TIMEOUT_COMMAND) {
            return failed(
                    Cause.TIME_LIMIT, "The command was ended by its own time-out (exit code 124). Give it more time.");
        }
        if (code != 0) {
            String message =
                    progress.status().equals(FAILURE) ? lastMessage() : ""; // another one is of earlier progress
            return failed(Cause.PROGRAM, whose() + " ended with exit code " + ExitCodes.explain(code) + "." + message);
        }
        Optional<Outcome> spoiled = spoiled();
        if (spoiled.isPresent()) {
            return spoiled;
        }
        if (status.interruption().isPresent() && !saysDone()) {
            return sinceEnd.compareTo(FILE_LAG) < 0
                    ? Optional.empty()
                    : failed(
                            Cause.PROGRAM,
                            "The command was interrupted by "
                                    + status.interruption().get()
                                    + ". It ended with exit code 0, yet nothing says that its work is done."
                                    + lastMessage());
        }
        if (status.ending().equals(Optional.of(Ending.FAILED))) {
            return failed(
                    Cause.PROGRAM,
                    "The command ended with exit code 0, yet the backend says " + status.nativeState() + because());
        }
        return confirmed() ? Optional.of(new Succeeded()) : unconfirmed("The command ended with exit code 0");
    }

    private Optional<Outcome> withoutExitCode() {
        Optional<Outcome> spoiled = spoiled();
        if (spoiled.isPresent() || sinceEnd.compareTo(FILE_LAG) < 0) {
            return spoiled;
        }
        if (status.ending().equals(Optional.of(Ending.FAILED))) {
            return failed(
                    Cause.PROGRAM,
                    "The backend says " + status.nativeState() + because() + " The job left no exit record.");
        }
        return saysDone() ? Optional.of(new Succeeded()) : unconfirmed("The job is gone and left no exit record");
    }

    private Optional<Outcome> spoiled() {
        if (trainedNothing) {
            return failed(
                    Cause.UNCONFIRMED,
                    "The training said that it has finished, and trained nothing: it resumed from a checkpoint of a training that was complete."
                            + " Give each run its own results directory, or raise train.num_epochs.");
        }
        if (progress.status().equals(FAILURE) && !saysWorkDone) {
            return failed(Cause.PROGRAM, "status.json says FAILURE." + lastMessage());
        }
        if (launcher.overrideFailed() && status.nodes().size() > 1) {
            return failed(Cause.PROGRAM, SINGLE_NODE_RUNS);
        }
        if (launcher.interrupted()) {
            return failed(Cause.PROGRAM, "The TAO launcher says that the command was interrupted.");
        }
        return launcher.verdict().equals(Optional.of(LauncherLines.Verdict.FAIL))
                ? failed(Cause.PROGRAM, "The TAO launcher says 'Execution status: FAIL'.")
                : Optional.empty();
    }

    /** Whether the training itself says that it came to its end. */
    private boolean saysDone() {
        return saysWorkDone || progress.status().equals("SUCCESS");
    }

    /** The command of one rank is named by its rank: the others were ended because of it. */
    private String whose() {
        return status.firstFailure()
                .map(first -> "The command failed first on " + first.words() + ", which")
                .orElse("The command");
    }

    private boolean confirmed() {
        return progress.status().isEmpty()
                || saysDone()
                || launcher.verdict().equals(Optional.of(LauncherLines.Verdict.PASS));
    }

    private Optional<Outcome> unconfirmed(String what) {
        if (sinceEnd.compareTo(FILE_LAG) < 0) {
            return Optional.empty();
        }
        String last = progress.status().isEmpty()
                ? "there is no status.json"
                : "the last status of status.json is " + progress.status();
        return failed(
                Cause.UNCONFIRMED,
                what + ", and nothing confirms that the work was done: " + last + "." + lastMessage());
    }

    private String lastMessage() {
        return progress.message().isBlank()
                ? ""
                : " Its last message: " + progress.message().strip();
    }

    private String onNodes() {
        return status.nodes().isEmpty() ? "" : " (" + String.join(", ", status.nodes()) + ")";
    }

    private String because() {
        return status.reason().map(reason -> ": " + reason + ".").orElse(".");
    }

    private static Optional<Outcome> failed(Cause cause, String detail) {
        return Optional.of(new Failed(cause, detail));
    }
}
