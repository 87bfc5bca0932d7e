package io.jenkins.plugins.tao.jenkins.run;

import hudson.AbortException;

/** A failure of TAO jobs as a build shows it: one message without a stack trace. A Pipeline may ask whether machines were to blame. */
public final class TaoFailure extends AbortException {
    private static final long serialVersionUID = 1L;

    private final boolean infrastructure;

    /**
     * A failure.
     *
     * @param infrastructure whether the machines were to blame and not the program, so that the same job may succeed later
     */
    public TaoFailure(String message, boolean infrastructure) {
        super(message);
        this.infrastructure = infrastructure;
    }

    /** Whether the machines were to blame, or a target that did not answer; then no job of it runs on. */
    public boolean isInfrastructure() {
        return infrastructure;
    }
}
