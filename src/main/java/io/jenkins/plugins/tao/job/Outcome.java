package io.jenkins.plugins.tao.job;

import io.jenkins.plugins.tao.job.text.Sentences;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import lombok.With;

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
    record Failed(Cause cause, @With String detail, String remedy, String evidence) implements Outcome {
        /** A failure of which only the target tells. */
        public Failed(Cause cause, String detail) {
            this(cause, detail, "", "");
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

    /** Who can do something about a failure. */
    enum Fault {
        MACHINE,
        PROGRAM,
        DATA,
        SITE,
        USER,
        NOT_KNOWN;

        /** In small letters, as people read it. */
        public String words() {
            return Endings.words(this);
        }
    }

    /** What kind of failure. */
    enum Cause {
        /** The program ended with an error: exit code, FAILURE line, launcher's FAIL. */
        PROGRAM(Fault.PROGRAM, "Read the first error and fix the program or its spec; the machines are not to blame."),
        /** What it reads is not there, not whole or refused, or what it writes has no room. */
        DATA(Fault.DATA, "Make the data or the room for it, then start it again."),
        /** The job used more RAM than it was given. */
        OUT_OF_MEMORY(Fault.PROGRAM, "Ask for more memory, or use fewer data workers."),
        /** The program used more memory of a GPU than it has. */
        GPU_MEMORY(Fault.PROGRAM, "Use a smaller batch, gradient checkpointing, or a larger GPU."),
        TIME_LIMIT(Fault.USER, "Give it more time, or let it resume from its newest checkpoint."),
        /** It ended well for the scheduler, and nothing confirms that the work was done. */
        UNCONFIRMED(Fault.NOT_KNOWN, "Look whether the results are whole before you use them."),
        /** It never started: work directory, image or node configuration. */
        LAUNCH(Fault.SITE, "Check the image, the registry and the work directory from a node of the target."),
        /** It waited for machines and did not start in time, or never could have. */
        NOT_STARTED(Fault.SITE, "Ask for fewer machines, for another partition or queue, or wait longer."),
        /** A job of higher priority took its machines; without a new attempt it counts as cancelled. */
        PREEMPTED(Fault.SITE, true, "Start it again; it resumes from its newest checkpoint."),
        NODE_FAILURE(Fault.MACHINE, true, "Start it again; it resumes from its newest checkpoint."),
        BOOT_FAILURE(Fault.MACHINE, true, "Start it again; it resumes from its newest checkpoint."),
        /** A GPU or its driver. */
        HARDWARE(Fault.MACHINE, true, "Have the node checked, and leave it out until then."),
        /** The network between the nodes. */
        FABRIC(Fault.MACHINE, true, "Have the network between the nodes checked, and leave the nodes out until then."),
        /** It ran, wrote nothing for too long, and was ended for that; a hanging program looks the same as a hanging network. */
        STALLED(
                Fault.NOT_KNOWN,
                "Look at the job on its node while it hangs: a debugger's stack of each rank shows which rank waits for which."),
        /** Its metrics showed that nothing good could come of it, and it was ended for that. */
        ENDED_EARLY(
                Fault.PROGRAM,
                "Look at the curve of the metric and at what changed since the last good run; a smaller learning rate may help.");

        private final Fault fault;
        private final boolean retried;
        private final String remedy;

        Cause(Fault fault, String remedy) {
            this(fault, false, remedy);
        }

        Cause(Fault fault, boolean retried, String remedy) {
            this.fault = fault;
            this.retried = retried;
            this.remedy = remedy;
        }

        /** Whether the machines were to blame and not the program: only then the job is tried again. */
        public boolean infrastructure() {
            return retried;
        }

        public Fault fault() {
            return fault;
        }

        /** What to do where nothing is known but the cause. */
        public String remedy() {
            return remedy;
        }

        /** The one with this name. */
        public static Optional<Cause> named(String name) {
            return Arrays.stream(values())
                    .filter(cause -> cause.name().equals(name))
                    .findFirst();
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
