package hudson.util;

import hudson.model.Descriptor;

public abstract class FormValidation extends java.io.IOException {
    private static final long serialVersionUID = 1L;

    private FormValidation() {}

    public static FormValidation ok() {
        throw new UnsupportedOperationException();
    }

    public static FormValidation ok(String message) {
        throw new UnsupportedOperationException();
    }

    public static FormValidation warning(String message) {
        throw new UnsupportedOperationException();
    }

    public static FormValidation aggregate(java.util.Collection<FormValidation> validations) {
        throw new UnsupportedOperationException();
    }

    public static FormValidation error(String message) {
        throw new UnsupportedOperationException();
    }

    public static class CheckMethod {
        public CheckMethod(Descriptor<?> descriptor, String fieldName) {}

        public String toStemUrl() {
            throw new UnsupportedOperationException();
        }

        public String getDependsOn() {
            throw new UnsupportedOperationException();
        }
    }
}
