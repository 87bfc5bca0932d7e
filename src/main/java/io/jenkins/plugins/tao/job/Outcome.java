package io.jenkins.plugins.tao.job;

import io.jenkins.plugins.tao.job.text.Sentences;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;

/** How a job ended for its user. A failed job is a value, never an exception. */
public sealed interface Outcome {
    /** It did what it should; all signals agree. */
    record Succeeded() implements Outcome {}

    /**
     * It failed.
     *
     * @param cause what kind of failure
     * @param detail one line for a person: what happened
     * @param remedy what to do next; empty when the cause alone does not tell
     * @param evidence the line of the log that shows the cause; empty without one
     */
    record Failed(Cause cause, String detail, String remedy, String evidence) implements Outcome {
        /** A failure of which only the target tells. */
        public Failed(Cause cause, String detail) {
            this(cause, detail, "", "");
        }

        /** The same failure in other words. */
        public Failed withDetail(String other) {
            return new Failed(cause, other, remedy, evidence);
        }

        /** All of it in one line. */
        public String words() {
            String known = remedy.isEmpty() ? detail : Sentences.join(detail, remedy);
            return evidence.isEmpty() ? known : known + " The log says: " + evidence;
        }
    }

    /** It was cancelled by {@code by}: a user, a build, or the scheduler's administrator. */
    record Cancelled(String by) implements Outcome {}

    /** Nobody knows: its target did not answer, or no longer knew it, since {@code lastSeen}. */
    record Lost(Instant lastSeen) implements Outcome {
        public Lost {
            lastSeen = lastSeen.truncatedTo(ChronoUnit.SECONDS);
        }
    }

    /** What kind of failure; {@link #infrastructure} ones may be tried again. */
    enum Cause {
        /** The program ended with an error: exit code, FAILURE line, launcher's FAIL. */
        PROGRAM(false),
        /** What it reads is not there, not whole or refused, or what it writes has no room. */
        DATA(false),
        /** The job used more RAM than it was given. */
        OUT_OF_MEMORY(false),
        /** The program used more memory of a GPU than it has. */
        GPU_MEMORY(false),
        TIME_LIMIT(false),
        /** It ended well for the scheduler, and nothing confirms that the work was done. */
        UNCONFIRMED(false),
        /** It never started: work directory, image or node configuration. */
        LAUNCH(false),
        /** It waited for machines and did not start in time, or never could have. */
        NOT_STARTED(false),
        PREEMPTED(true),
        NODE_FAILURE(true),
        BOOT_FAILURE(true),
        /** A GPU or its driver. */
        HARDWARE(true),
        /** The network between the nodes. */
        FABRIC(true),
        /** It ran, wrote nothing for too long, and was ended for that; a hanging program looks the same as a hanging network. */
        STALLED(false),
        /** Its metrics showed that nothing good could come of it, and it was ended for that. */
        ENDED_EARLY(false);

        private final boolean infrastructure;

        Cause(boolean infrastructure) {
            this.infrastructure = infrastructure;
        }

        /** Whether the machines were to blame and not the program. */
        public boolean infrastructure() {
            return infrastructure;
        }
    }

    /** Applies the function of the kind this outcome is. */
    default <R> R match(
            Function<Succeeded, R> succeeded,
            Function<Failed, R> failed,
            Function<Cancelled, R> cancelled,
            Function<Lost, R> lost) {
        if (this instanceof Succeeded outcome) {
            return succeeded.apply(outcome);
        }
        if (this instanceof Failed outcome) {
            return failed.apply(outcome);
        }
        if (this instanceof Cancelled outcome) {
            return cancelled.apply(outcome);
        }
        return lost.apply((Lost) this);
    }

    /** One lower-case word: {@code succeeded}, {@code failed}, {@code cancelled} or {@code lost}. */
    default String word() {
        return match(succeeded -> "succeeded", failed -> "failed", cancelled -> "cancelled", lost -> "lost");
    }
}
