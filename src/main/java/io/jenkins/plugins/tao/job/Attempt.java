package io.jenkins.plugins.tao.job;

import java.time.Instant;

/**
 * One ended attempt of a job.
 *
 * @param number counts from 1
 * @param nativeId the backend's id of it
 * @param cause why it ended
 * @param detail one line for a person
 * @param endedAt when the end was seen
 */
public record Attempt(int number, String nativeId, Outcome.Cause cause, String detail, Instant endedAt) {}
