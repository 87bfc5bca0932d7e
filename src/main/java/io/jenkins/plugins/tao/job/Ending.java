package io.jenkins.plugins.tao.job;

/** How a backend says that a job ended. A claim, not yet an {@link Outcome}: success needs more than the scheduler's word. */
public enum Ending {
    COMPLETED,
    FAILED,
    CANCELLED,
    TIME_LIMIT,
    DEADLINE,
    OUT_OF_MEMORY,
    PREEMPTED,
    NODE_FAILURE,
    BOOT_FAILURE,
    LAUNCH_FAILURE,
    /** It waited, and was ended because it could not start, or not in time. */
    NOT_STARTED,
    /** It ended, and nothing tells how. */
    UNKNOWN
}
