package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.journal.RecordJson;
import java.time.Instant;

/**
 * A submission that may have reached its target: written before anything is sent, removed once the answer is recorded. The
 * same request under the same id finds the job that was started, or starts it.
 *
 * @param id the job's id
 * @param target the name of the target
 * @param sentAt ISO 8601, when it was sent
 * @param request what was asked for
 */
public record PendingJob(String id, String target, String sentAt, JobRequest request) {
    /** What {@code tao list} shows as its state. */
    public static final String STATE = "sending";

    public Instant at() {
        return Instant.parse(sentAt);
    }

    public String render() {
        return RecordJson.file(this);
    }

    /**
     * Reads what {@link #render} wrote; keys it does not know pass by.
     *
     * @throws IllegalArgumentException if it is damaged
     */
    public static PendingJob parse(String text) {
        return RecordJson.parse("record", text, PendingJob.class, PendingJob::at);
    }
}
