package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.cli.input.Place;
import io.jenkins.plugins.tao.cli.jobs.Archive;
import io.jenkins.plugins.tao.cli.jobs.Follower;
import io.jenkins.plugins.tao.cli.jobs.KnownJob;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.OutputChoice;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.sweep.SweepPlan;
import io.jenkins.plugins.tao.cli.sweep.SweepState;
import io.jenkins.plugins.tao.cli.sweep.SweepStore;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "wait",
        description = "Watches a job to its end, from where an earlier watch stopped, and fetches the files.")
final class WaitVerb extends Verb {
    @Mixin
    KnownJob job = new KnownJob();

    @Mixin
    OutputChoice choice = new OutputChoice();

    @Mixin
    WatchChoice watching = new WatchChoice();

    @Option(
            names = "--take-over",
            description =
                    "Makes this command line the owner of the job, in place of any other: then it starts new attempts and can"
                            + " cancel.")
    boolean takeOver;

    @Override
    ExitCode run(Session session) throws UsageException, BackendException, InterruptedException {
        Optional<SweepState> sweep =
                job.job.isEmpty() ? Optional.empty() : new SweepStore(session.here()).find(job.job.get());
        if (sweep.isPresent()) {
            return SweepPlan.known(sweep.get(), session).run(session, watching, choice);
        }
        JobOutput output = choice.open(session.here(), session.store().idOf(job.job, session.here()));
        try {
            Optional<JobEntry> known = job.entry(session, output);
            if (known.isEmpty()) {
                return ExitCode.DETACHED;
            }
            JobEntry entry = known.get();
            Optional<ExitCode> earlier = ExitCode.ofEnd(entry.state());
            if (earlier.isPresent()) {
                output.note(entry.handle().key() + " ended before: " + entry.state() + ", seen "
                        + entry.changedAt().truncatedTo(ChronoUnit.SECONDS));
                return earlier.get().unlessMissing(!bringWhatIsMissing(session, entry, output));
            }
            Place place = job.targets.of(entry, session.here());
            session.store().save(entry);
            if (takeOver) {
                session.dispatcher().takeOver(place.target(), entry.handle());
            }
            return new Follower(session, watching, output, choice.verbosity()).follow(entry, place.target());
        } finally {
            output.close();
        }
    }

    /** The watch that saw the end may have been left before the files were here. */
    private boolean bringWhatIsMissing(Session session, JobEntry entry, JobOutput output) throws InterruptedException {
        Archive archive = new Archive(session, watching, entry, output);
        try {
            return !archive.wanting()
                    || archive.bring(job.targets.of(entry, session.here()).target());
        } catch (UsageException e) {
            output.note("its files are not here, and cannot be brought: " + e.getMessage());
            return false;
        }
    }
}
