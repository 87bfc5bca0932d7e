package io.jenkins.plugins.tao.jenkins.page;

import java.util.Set;

/** Who looks after a job of a build. */
public enum JobOwner {
    /** The build: its steps submit it, wait for it, or will. */
    BUILD,
    /** Its end was asked for, and is asked for again until its target confirms it. */
    CANCEL,
    /** Whoever has its token: the build left it and said so. */
    LEFT,
    /** The job has ended, or was never taken. */
    ENDED;

    private static final Set<String> OUTCOMES = Set.of("SUCCESS", "FAILURE", "ABORTED", "LOST");

    /** The owner where only the state was saved. */
    static JobOwner ofState(String state) {
        return OUTCOMES.contains(state) ? ENDED : BUILD;
    }
}
