package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.input.TargetsChoice;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A job that was submitted before, and its target. */
public final class KnownJob {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "JOB",
            description = "An id, a token, the folder of a run, or nothing for the job submitted last.")
    public Optional<String> job = Optional.empty();

    @Mixin
    public TargetsChoice targets = new TargetsChoice();

    /**
     * The job; one whose sending has no recorded answer is found or sent first.
     *
     * @return empty when Ctrl-C came before the answer
     */
    public Optional<JobEntry> entry(Session session, JobOutput output) throws UsageException, InterruptedException {
        Optional<PlacedJob> placed = session.store().onItsWay(job);
        if (placed.isPresent()) {
            return PlacedSending.takeUp(session, output, placed.get()).await().map(Sending.Sent::entry);
        }
        Optional<PendingJob> pending = session.store().pending(job);
        if (pending.isPresent()) {
            return Sending.takeUp(session, output, pending.get()).await().map(Sending.Sent::entry);
        }
        return Optional.of(session.store().resolve(job, session.here()));
    }
}
