package io.jenkins.plugins.tao.jenkins.run;

import hudson.AbortException;
import io.jenkins.plugins.tao.backend.BackendException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Turns what went wrong into what the build log shows: one line with its remedy, no stack trace for a user's mistake. */
public final class Failures {
    private Failures() {}

    /** The failure as a build shows it. */
    public static Throwable forUser(Throwable failure) {
        Throwable cause = unwrapped(failure);
        if (cause instanceof BackendException refused) {
            return abort(refused.explain(), refused);
        }
        return cause instanceof IllegalArgumentException wrong
                ? abort(String.valueOf(wrong.getMessage()), wrong)
                : cause;
    }

    private static AbortException abort(String message, Throwable cause) {
        AbortException abort = new AbortException(message);
        abort.initCause(cause);
        return abort;
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wrapper = failure instanceof CompletionException
                || failure instanceof ExecutionException
                || failure instanceof UncheckedIOException;
        return wrapper && cause != null ? unwrapped(cause) : failure;
    }
}
