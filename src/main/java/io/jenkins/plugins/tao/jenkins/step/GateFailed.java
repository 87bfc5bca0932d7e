package io.jenkins.plugins.tao.jenkins.step;

import hudson.AbortException;

/** What a gate said of the runs of a build, as the failure of its step: told from a block that failed by itself. */
final class GateFailed extends AbortException {
    private static final long serialVersionUID = 1L;

    private final boolean bad;

    /** @param bad whether the runs are worse; else nothing could be said of them */
    GateFailed(String sentence, boolean bad) {
        super(sentence);
        this.bad = bad;
    }

    boolean bad() {
        return bad;
    }
}
