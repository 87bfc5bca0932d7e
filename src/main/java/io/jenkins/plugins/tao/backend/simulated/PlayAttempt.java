package io.jenkins.plugins.tao.backend.simulated;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One attempt of a job that is played.
 *
 * @param number counts from 1
 * @param submittedAt when it was asked for
 * @param avoid machines that it must not use
 * @param cancelledAt when its end was asked for
 */
record PlayAttempt(int number, Instant submittedAt, List<String> avoid, Optional<Instant> cancelledAt) {
    PlayAttempt {
        avoid = List.copyOf(avoid);
    }
}
