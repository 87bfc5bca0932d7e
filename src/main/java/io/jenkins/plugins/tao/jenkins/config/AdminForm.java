package io.jenkins.plugins.tao.jenkins.config;

import hudson.util.FormValidation;
import jenkins.model.Jenkins;

/** Checks of the forms that administrators alone fill in: those of targets, and those of the whole controller. */
final class AdminForm {
    private AdminForm() {}

    /**
     * Stands first in what such a form asks for.
     *
     * @throws RuntimeException Jenkins' own, which asks to log in, if whoever asks is no administrator
     */
    static void permit() {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
    }

    /** What a reading of a text says of it. */
    static FormValidation checked(Runnable reading) {
        permit();
        return TargetDescriptor.checked(reading);
    }
}
