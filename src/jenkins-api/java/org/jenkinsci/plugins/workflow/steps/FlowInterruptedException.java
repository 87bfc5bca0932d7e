package org.jenkinsci.plugins.workflow.steps;

import hudson.model.Result;
import java.util.List;
import jenkins.model.CauseOfInterruption;

public final class FlowInterruptedException extends InterruptedException {
    private static final long serialVersionUID = 1L;

    public FlowInterruptedException(Result result, boolean actualInterruption, CauseOfInterruption... causes) {}

    public List<CauseOfInterruption> getCauses() {
        throw new UnsupportedOperationException();
    }
}
