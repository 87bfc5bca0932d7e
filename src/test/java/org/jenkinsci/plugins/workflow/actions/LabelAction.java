package org.jenkinsci.plugins.workflow.actions;

import hudson.model.Action;

/** Stands in for Jenkins' own in tests: knows its text. */
public class LabelAction implements Action {
    private final String text;

    public LabelAction(String text) {
        this.text = text;
    }

    @Override
    public String getIconFileName() {
        return "";
    }

    @Override
    public String getDisplayName() {
        return text;
    }

    @Override
    public String getUrlName() {
        return "";
    }
}
