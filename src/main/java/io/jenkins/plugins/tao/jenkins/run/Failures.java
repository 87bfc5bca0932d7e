package io.jenkins.plugins.tao.jenkins.run;

import hudson.AbortException;
import io.jenkins.plugins.tao.backend.BackendException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Turns what went wrong into what the build log shows: one line with its remedy, no stack trace for a user's mistake. */
public final class Failures {
    private static final Logger LOGGER = Logger.getLogger(Failures.class.getName());

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

    /** The refusal of a step, without the wrappers in which Jenkins puts what constructors, setters and conversions throw. */
    public static AbortException refusal(RuntimeException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null
                && (cause instanceof ReflectiveOperationException
                        || String.valueOf(cause.getMessage()).startsWith("Could not instantiate "))) {
            cause = cause.getCause();
        }
        return abort(Optional.ofNullable(cause.getMessage()).orElseGet(cause::toString), failure);
    }

    /** Without its cause: a Pipeline shows the trace of one whose class only a plugin knows. */
    private static AbortException abort(String message, Throwable cause) {
        LOGGER.log(Level.FINE, cause, () -> "reported to a build as: " + message);
        return new TaoFailure(message, cause instanceof BackendException.Unreachable);
    }

    /** What went wrong, without the wrappers of futures. */
    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wrapper = failure instanceof CompletionException
                || failure instanceof ExecutionException
                || failure instanceof UncheckedIOException;
        return wrapper && cause != null ? unwrapped(cause) : failure;
    }
}
