package io.jenkins.plugins.tao.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * One ended attempt of a job.
 *
 * @param number counts from 1
 * @param nativeId the backend's id of it
 * @param cause why it ended
 * @param detail one line for a person
 * @param endedAt when the end was seen
 * @param failedNodes the nodes that failed, which the next attempts avoid; empty if there is no evidence against one
 * @param ran how long it ran; zero where that is not known
 * @param line the line of its log that shows the cause; empty without one
 */
public record Attempt(
        int number,
        String nativeId,
        Outcome.Cause cause,
        String detail,
        Instant endedAt,
        Set<String> failedNodes,
        Duration ran,
        String line) {
    public Attempt {
        failedNodes = Set.copyOf(failedNodes);
    }
}
