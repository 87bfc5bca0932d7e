package io.jenkins.plugins.tao.jenkins.step;

import hudson.util.ListBoxModel;

/** What may become of jobs when their build is aborted. */
final class OnAbort {
    private OnAbort() {}

    static ListBoxModel items() {
        ListBoxModel model = new ListBoxModel();
        model.add(Messages.Wait_cancel(), "cancel");
        model.add(Messages.Wait_detach(), "detach");
        return model;
    }
}
