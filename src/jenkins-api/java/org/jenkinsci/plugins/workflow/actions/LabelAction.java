package org.jenkinsci.plugins.workflow.actions;

import hudson.model.Action;

public class LabelAction implements Action {
    public LabelAction(String displayName) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getIconFileName() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getDisplayName() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getUrlName() {
        throw new UnsupportedOperationException();
    }
}
