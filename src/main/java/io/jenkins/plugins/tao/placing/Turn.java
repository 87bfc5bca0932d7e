package io.jenkins.plugins.tao.placing;

import java.time.Duration;
import java.time.Instant;

/**
 * Whether a job may be sent now.
 *
 * @param granted whether it may
 * @param why where it stands and what it waits for; empty once it may
 * @param since when it first asked
 * @param again when to ask next: the further back, the later
 */
public record Turn(boolean granted, String why, Instant since, Duration again) {
    /** The turn of a job on a target without limits. */
    public static Turn none(Instant now) {
        return now(now);
    }

    static Turn now(Instant since) {
        return new Turn(true, "", since, Duration.ZERO);
    }
}
