package io.jenkins.plugins.tao.jenkins.step;

import jenkins.model.CauseOfInterruption;

/** Why a build was interrupted: someone cancelled the job it waited for. */
final class JobCancelled extends CauseOfInterruption {
    private static final long serialVersionUID = 1L;

    private final String what;

    JobCancelled(String what) {
        this.what = what;
    }

    @Override
    public String getShortDescription() {
        return what;
    }
}
