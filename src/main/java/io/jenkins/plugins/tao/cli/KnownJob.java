package io.jenkins.plugins.tao.cli;

import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A job that was submitted before, and its target. */
final class KnownJob {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "JOB",
            description = "An id, a token, the folder of a run, or nothing for the job submitted last.")
    Optional<String> job = Optional.empty();

    @Mixin
    TargetsChoice targets = new TargetsChoice();

    JobEntry entry(Session session) throws UsageException {
        return session.store().resolve(job, session.here());
    }

    /** The job's target, from the targets file given now, or the one it was submitted with. */
    Place place(JobEntry entry, Surroundings here) throws UsageException {
        return Targets.find(targets.targets.or(entry::targetsFile), here)
                .named(entry.handle().target());
    }
}
