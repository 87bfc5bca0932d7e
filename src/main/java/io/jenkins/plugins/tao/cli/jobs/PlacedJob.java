package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.journal.RecordJson;
import io.jenkins.plugins.tao.placing.Next;
import io.jenkins.plugins.tao.placing.Placing;
import java.time.Instant;

/**
 * A job that may run on one of several targets, after another one, or once it has its turn: written before each step of its way,
 * and kept, for its id leads to where it went.
 *
 * @param id the job's id
 * @param askedAt ISO 8601, when it was asked for
 * @param request what was asked for
 * @param placing how far it is, as {@link Placing#render} writes it
 */
public record PlacedJob(String id, String askedAt, JobRequest request, String placing) {
    /** What {@code tao list} shows as its state. */
    public static final String STATE = "placing";

    public Instant at() {
        return Instant.parse(askedAt);
    }

    public Placing known() {
        return Placing.parse(placing);
    }

    public PlacedJob with(Placing now) {
        return new PlacedJob(id, askedAt, request, now.render());
    }

    /** Whether more has to be done until it is where it stays. */
    boolean isOpen() {
        Next next = known().next();
        return !(next instanceof Next.Placed || next instanceof Next.Nowhere);
    }

    String render() {
        return RecordJson.file(this);
    }

    /**
     * Reads what {@link #render} wrote; keys it does not know pass by.
     *
     * @throws IllegalArgumentException if it is damaged
     */
    static PlacedJob parse(String text) {
        return RecordJson.parse("record", text, PlacedJob.class, PlacedJob::known);
    }
}
