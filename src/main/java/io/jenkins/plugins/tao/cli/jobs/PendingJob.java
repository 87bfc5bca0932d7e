package io.jenkins.plugins.tao.cli.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.jenkins.plugins.tao.cli.input.JobRequest;
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

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    public Instant at() {
        return Instant.parse(sentAt);
    }

    public String render() {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of texts is always JSON", e);
        }
    }

    /**
     * Reads what {@link #render} wrote; keys it does not know pass by.
     *
     * @throws IllegalArgumentException if it is damaged
     */
    public static PendingJob parse(String text) {
        try {
            PendingJob pending = JSON.readValue(text, PendingJob.class);
            Instant unused = pending.at();
            return pending;
        } catch (JsonProcessingException | RuntimeException e) {
            throw new IllegalArgumentException("damaged record: " + e.getMessage(), e);
        }
    }
}
