package io.jenkins.plugins.tao.jenkins.config;

import hudson.model.Descriptor.FormException;

/** What is wrong in a form, as it is told to whoever filled it in. */
public final class FormMistake {
    private FormMistake() {}

    /**
     * The first cause of {@code e}: Stapler says in front of it which class it could not make, and of which whole form. It has no cause itself:
     * Jenkins would show its stack trace.
     *
     * @param field the field that it is told beside
     */
    public static FormException of(IllegalArgumentException e, String field) {
        Throwable first = e;
        for (Throwable next = e.getCause(); next instanceof IllegalArgumentException; next = next.getCause()) {
            first = next;
        }
        return new FormException(String.valueOf(first.getMessage()), field);
    }
}
