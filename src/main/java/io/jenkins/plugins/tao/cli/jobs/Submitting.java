package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.util.Objects;
import java.util.Optional;

/** One job on its way to where it runs. */
public interface Submitting {
    /** Begins to send {@code job}, to one target at once or by what its file says of several, of another job, or of its turn. */
    static Submitting start(Session session, JobOutput output, Assignment job) throws UsageException {
        return start(session, output, job, CodeVersion.origin(session.here(), job));
    }

    /** The same for a job whose origin is known. */
    static Submitting start(Session session, JobOutput output, Assignment job, RunOrigin origin) throws UsageException {
        try {
            Objects.requireNonNull(CliPlace.wanted(job), "what it wants of the job before it, which is read here");
        } catch (IllegalArgumentException e) {
            throw new UsageException(job.request().file() + ": " + e.getMessage() + ".", e);
        }
        return PlacedSending.wants(job)
                ? PlacedSending.start(session, output, job)
                : Sending.start(session, output, job, origin);
    }

    /** Runs {@code then} once it is there, or failed. */
    void whenAnswered(Runnable then);

    /** Whether it is there, or failed. */
    boolean answered();

    /** Waits until the job is where it stays; empty when Ctrl-C came before. */
    Optional<Sending.Sent> await() throws UsageException, InterruptedException;
}
