package org.jenkinsci.plugins.workflow.graph;

import hudson.model.Actionable;

public abstract class FlowNode extends Actionable {
    @Override
    public String getDisplayName() {
        throw new UnsupportedOperationException();
    }

    public String getId() {
        throw new UnsupportedOperationException();
    }

    @Override
    @Deprecated
    public java.util.List<hudson.model.Action> getActions() {
        throw new UnsupportedOperationException();
    }
}
