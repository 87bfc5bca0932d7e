package hudson.util;

import hudson.model.Descriptor;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Stands in for Jenkins' own in tests: a kind and a message. */
public abstract class FormValidation extends IOException {
    private static final long serialVersionUID = 1L;

    public final Kind kind;

    private FormValidation(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** As Jenkins' own. */
    public enum Kind {
        OK,
        WARNING,
        ERROR
    }

    public static FormValidation ok() {
        return ok("");
    }

    public static FormValidation ok(String message) {
        return of(Kind.OK, message);
    }

    public static FormValidation warning(String message) {
        return of(Kind.WARNING, message);
    }

    public static FormValidation error(String message) {
        return of(Kind.ERROR, message);
    }

    /** The worst of their kinds, and all their messages. */
    public static FormValidation aggregate(Collection<FormValidation> validations) {
        Kind worst = validations.stream()
                .map(validation -> validation.kind)
                .max(Kind::compareTo)
                .orElse(Kind.OK);
        return of(worst, validations.stream().map(Throwable::getMessage).collect(Collectors.joining("\n")));
    }

    private static FormValidation of(Kind kind, String message) {
        return new FormValidation(kind, message) {
            private static final long serialVersionUID = 1L;
        };
    }

    /** As Jenkins' own: the address of a form's method for a field. */
    public static class CheckMethod {
        private final Descriptor<?> form;
        private final String method;

        public CheckMethod(Descriptor<?> form, String field) {
            this.form = form;
            this.method = "check" + field.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + field.substring(1);
        }

        public @Nullable String toStemUrl() {
            return Arrays.stream(form.getClass().getMethods())
                            .anyMatch(found -> found.getName().equalsIgnoreCase("do" + method))
                    ? "/" + form.getDescriptorUrl() + "/" + method
                    : null;
        }

        public @Nullable String getDependsOn() {
            return null;
        }
    }
}
