package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.backend.BackendException;
import java.time.Duration;
import java.time.Instant;

/** What cannot be done for one job though its target answers: when to try it again, and when to tell. */
final class JobTrouble {
    private final Silence silence;
    private Instant next;
    private int failures;

    JobTrouble(Instant now) {
        silence = new Silence(now);
        next = now;
    }

    /** Whether it is time to try again. */
    boolean due(Instant now) {
        return !now.isBefore(next);
    }

    /** How long until it is. */
    Duration left(Instant now) {
        return due(now) ? Duration.ZERO : Duration.between(now, next);
    }

    /** How long it has lasted. */
    Duration lasting(Instant now) {
        return Duration.between(silence.lastWord(), now);
    }

    /** Takes note of one more failure; says whether a person has to be told. */
    boolean failed(BackendException why, Instant now) {
        failures++;
        Duration pause = Pace.afterSilence(failures);
        next = now.plus(
                why instanceof BackendException.Unreachable unreachable
                        ? unreachable.retryAfter().orElse(pause)
                        : pause);
        return silence.missed(why, now).isPresent();
    }
}
