package io.jenkins.plugins.tao.jenkins.config;

import hudson.util.FormValidation;
import java.util.Map;
import jenkins.model.Jenkins;
import org.jspecify.annotations.Nullable;

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

    /** See {@link FormBinder#readable}. */
    static FormValidation readable(String field, @Nullable String text, Class<?> record) {
        permit();
        return FormBinder.readable(field, text, record);
    }

    /** See {@link FormBinder#checked}. */
    static FormValidation checked(String field, @Nullable String text, Map<String, ?> rest, Class<?> record) {
        permit();
        return FormBinder.checked(field, text, rest, record);
    }
}
