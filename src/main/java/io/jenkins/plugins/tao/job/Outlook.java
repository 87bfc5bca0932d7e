package io.jenkins.plugins.tao.job;

import java.time.Instant;
import java.util.Optional;

/**
 * What a backend expects of a job that waits.
 *
 * @param never whether waiting longer cannot help, because no machine will ever fit or a limit forbids it; the reason of the
 *     {@link JobStatus} says which
 * @param start when the backend expects to start it, by the backend's own estimate
 */
public record Outlook(boolean never, Optional<Instant> start) {
    /** Nothing is known. */
    public static final Outlook NONE = new Outlook(false, Optional.empty());

    /** It can never start. */
    public static final Outlook NEVER = new Outlook(true, Optional.empty());

    /** It is expected to start at {@code time}. */
    public static Outlook startAt(Instant time) {
        return new Outlook(false, Optional.of(time));
    }
}
