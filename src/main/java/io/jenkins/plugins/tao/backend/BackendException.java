package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.text.Sentences;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** A request that was not carried out: what happened, to what, and what to do next. A failed job is no exception. */
public abstract sealed class BackendException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    private BackendException(String what, String remedy, Throwable cause) {
        super(Sentences.clean(what), outage(cause));
        this.remedy = Sentences.clean(remedy);
    }

    /**
     * The same where it may come from the target.
     *
     * @throws IllegalStateException if it is an error of this installation, such as a missing class, however deep a library wrapped it
     */
    public static <T extends Throwable> T outage(T trouble) {
        Stream.iterate((Throwable) trouble, Objects::nonNull, Throwable::getCause)
                .filter(Error.class::isInstance)
                .findFirst()
                .ifPresent(error -> {
                    throw new IllegalStateException("This installation of tao-run is at fault: " + error, error);
                });
        return trouble;
    }

    private BackendException(String what, String remedy) {
        super(Sentences.clean(what));
        this.remedy = Sentences.clean(remedy);
    }

    /** What to do next, a sentence for the user. */
    public final String remedy() {
        return remedy;
    }

    /** What happened and the remedy, for a log. */
    public final String explain() {
        return Sentences.join(String.valueOf(getMessage()), remedy);
    }

    /** The backend refuses the request as it is: change the job. */
    public static final class Rejected extends BackendException {
        private static final long serialVersionUID = 1L;

        private final boolean forLimit;

        public Rejected(String what, String remedy) {
            this(what, remedy, false);
        }

        private Rejected(String what, String remedy, boolean forLimit) {
            super(what, remedy);
            this.forLimit = forLimit;
        }

        /** The request is fine, and there are too many like it now: it may pass once others have ended. */
        public static Rejected forLimit(String what, String remedy) {
            return new Rejected(what, remedy, true);
        }

        /** Whether the same request may pass once other jobs have ended. */
        public boolean isForLimit() {
            return forLimit;
        }
    }

    /** The credential or a permission is wrong: change that. Never tried again by itself. */
    public static final class Denied extends BackendException {
        private static final long serialVersionUID = 1L;

        public Denied(String what, String remedy) {
            super(what, remedy);
        }

        public Denied(String what, String remedy, Throwable cause) {
            super(what, remedy, cause);
        }
    }

    /** No answer, half an answer, or throttled: wait. Nothing is known of the request's fate. */
    public static final class Unreachable extends BackendException {
        private static final long serialVersionUID = 1L;

        private final transient Optional<Duration> retryAfter;
        private final boolean filesCanBeRead;

        public Unreachable(String what, String remedy) {
            super(what, remedy);
            retryAfter = Optional.empty();
            filesCanBeRead = false;
        }

        private Unreachable(String what, String remedy, boolean filesCanBeRead) {
            super(what, remedy);
            retryAfter = Optional.empty();
            this.filesCanBeRead = filesCanBeRead;
        }

        /** The host answers and its scheduler does not: what jobs write can be read meanwhile. */
        public static Unreachable schedulerAlone(String what, String remedy) {
            return new Unreachable(what, remedy, true);
        }

        public Unreachable(String what, String remedy, Throwable cause) {
            super(what, remedy, cause);
            retryAfter = Optional.empty();
            filesCanBeRead = false;
        }

        public Unreachable(String what, String remedy, Duration retryAfter) {
            super(what, remedy);
            this.retryAfter = Optional.of(retryAfter);
            filesCanBeRead = false;
        }

        /** Whether the place's files can be read all the same. */
        public boolean filesCanBeRead() {
            return filesCanBeRead;
        }

        /** How long the backend asked to wait, when it did. */
        public Optional<Duration> retryAfter() {
            return retryAfter;
        }
    }

    /** An answer that this version cannot read. */
    public static final class Unreadable extends BackendException {
        private static final long serialVersionUID = 1L;
        private static final int EXCERPT = 200;

        public Unreadable(String what, String excerpt, String remedy) {
            super(
                    what + ": '"
                            + excerpt.substring(0, Math.min(EXCERPT, excerpt.length()))
                                    .strip() + "'.",
                    remedy);
        }
    }
}
