package io.jenkins.plugins.tao.job;

import io.jenkins.plugins.tao.job.Outcome.Cause;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a backend says that a job ended. A claim, not yet an {@link Outcome}: success needs more than the scheduler's word. */
public enum Ending {
    COMPLETED(null),
    FAILED(Cause.PROGRAM),
    CANCELLED(null),
    TIME_LIMIT(Cause.TIME_LIMIT),
    DEADLINE(Cause.TIME_LIMIT),
    OUT_OF_MEMORY(Cause.OUT_OF_MEMORY),
    PREEMPTED(Cause.PREEMPTED),
    NODE_FAILURE(Cause.NODE_FAILURE),
    BOOT_FAILURE(Cause.BOOT_FAILURE),
    LAUNCH_FAILURE(Cause.LAUNCH),
    /** It waited, and was ended because it could not start, or not in time. */
    NOT_STARTED(Cause.NOT_STARTED),
    /** A signal ended it that neither we nor the scheduler sent, and the machine counted no kill for lack of memory. */
    KILLED(Cause.UNCONFIRMED),
    /** It ended, and nothing tells how. */
    UNKNOWN(Cause.UNCONFIRMED);

    private final @Nullable Cause cause;

    Ending(@Nullable Cause cause) {
        this.cause = cause;
    }

    /** The cause of the failure, where nothing else tells more; empty where it is none. */
    public Optional<Cause> cause() {
        return Optional.ofNullable(cause);
    }
}
