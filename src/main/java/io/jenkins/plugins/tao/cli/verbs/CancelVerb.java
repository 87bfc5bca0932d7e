package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.cli.jobs.KnownJobs;
import io.jenkins.plugins.tao.cli.jobs.PendingJob;
import io.jenkins.plugins.tao.cli.jobs.PlacedJob;
import io.jenkins.plugins.tao.cli.jobs.PlacedSending;
import io.jenkins.plugins.tao.cli.jobs.Sending;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.jobs.Waiting;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.PlainOutput;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.sweep.SweepPlan;
import io.jenkins.plugins.tao.cli.sweep.SweepState;
import io.jenkins.plugins.tao.cli.sweep.SweepStore;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "cancel", description = "Ends jobs, and waits until their targets confirm that they have ended.")
final class CancelVerb extends Verb {
    private static final WatchPlan PLAN = new WatchChoice().plan(Map::of).withoutRetries();

    @Mixin
    KnownJobs jobs = new KnownJobs();

    @Option(names = "--no-wait", description = "Asks once and leaves.")
    boolean noWait;

    @Option(names = "--take-over", description = "Also when another controller holds the job.")
    boolean takeOver;

    /** The jobs that were on their way and had not been sent. */
    private final List<String> givenUp = new ArrayList<>();

    /** For others who watch the job, too. */
    private static final String BY = "tao cancel of user " + System.getProperty("user.name", "?");

    @Override
    ExitCode run(Session session) throws UsageException, BackendException, InterruptedException {
        if (!stopSweeps(session)) {
            return ExitCode.SUCCEEDED;
        }
        if (!takeUpPending(session)) {
            return ExitCode.DETACHED;
        }
        if (!givenUp.isEmpty() && jobs.jobs.isEmpty() && !jobs.all) {
            return ExitCode.SUCCEEDED;
        }
        List<KnownJobs.Chosen> chosen = jobs.chosen(session);
        for (KnownJobs.Chosen job : chosen) {
            if (takeOver) {
                session.dispatcher().takeOver(job.target(), job.entry().handle());
            }
            if (noWait) {
                session.dispatcher().cancel(job.target(), job.handle(), BY);
                session.out().println("Asked for the end of " + job.handle().shortName() + ".");
            }
        }
        return noWait ? ExitCode.SUCCEEDED : untilConfirmed(session, chosen);
    }

    /**
     * Puts the jobs of a sweep in its place that were sent and have not ended, after it is noted that no other is started.
     *
     * @return whether there are jobs left to cancel
     */
    private boolean stopSweeps(Session session) throws UsageException {
        SweepStore sweeps = new SweepStore(session.here());
        List<String> chosen = new ArrayList<>();
        boolean any = false;
        for (String job : jobs.jobs) {
            Optional<SweepState> sweep = sweeps.find(job);
            if (sweep.isEmpty()) {
                chosen.add(job);
                continue;
            }
            any = true;
            sweeps.stop(sweep.get().id(), BY);
            chosen.addAll(SweepPlan.live(sweep.get(), session));
            session.out().println("No other cell of the sweep " + sweep.get().id() + " is started.");
        }
        jobs.jobs = chosen;
        return !any || !chosen.isEmpty();
    }

    /** A job whose sending has no recorded answer may run: it is found first, or sent, for only a known job can be ended. */
    private boolean takeUpPending(Session session) throws UsageException, InterruptedException {
        for (PlacedJob job : onTheirWay(session)) {
            Optional<String> there = PlacedSending.giveUp(session, job);
            if (there.isEmpty()) {
                session.out().println(job.id() + " was not sent and will not be.");
                givenUp.add(job.id());
            }
        }
        jobs.jobs.removeAll(givenUp);
        if (!givenUp.isEmpty() && jobs.jobs.isEmpty() && !jobs.all) {
            return true;
        }
        List<PendingJob> pending = new ArrayList<>();
        if (jobs.all) {
            pending.addAll(session.store().pending());
        } else if (jobs.jobs.isEmpty()) {
            session.store().pending(Optional.empty()).ifPresent(pending::add);
        }
        for (String job : jobs.jobs) {
            session.store().pending(Optional.of(job)).ifPresent(pending::add);
        }
        for (PendingJob job : pending) {
            if (Sending.takeUp(session, output(session, job.id()), job).await().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private List<PlacedJob> onTheirWay(Session session) throws UsageException {
        if (jobs.all) {
            return session.store().onTheirWay();
        }
        List<PlacedJob> found = new ArrayList<>();
        for (String job : jobs.jobs) {
            session.store().onItsWay(Optional.of(job)).ifPresent(found::add);
        }
        return found;
    }

    private static JobOutput output(Session session, String name) {
        return new PlainOutput(session.out(), name, new Verbosity(true, false));
    }

    private static ExitCode untilConfirmed(Session session, List<KnownJobs.Chosen> chosen)
            throws UsageException, InterruptedException {
        List<Asked> asked = new ArrayList<>();
        for (KnownJobs.Chosen job : chosen) {
            asked.add(ask(session, job, PLAN.withoutLogs()));
        }
        ExitCode code = ExitCode.SUCCEEDED;
        for (Asked one : asked) {
            ExitCode of = one.untilConfirmed(session);
            if (of == ExitCode.DETACHED) {
                return of;
            }
            code = of == ExitCode.SUCCEEDED ? code : of;
        }
        return code;
    }

    /** Asks for the end and begins to watch for it. */
    private static Asked ask(Session session, KnownJobs.Chosen job, WatchPlan plan) {
        JobOutput output = output(session, job.name());
        CompletableFuture<JobResult> end = new CompletableFuture<>();
        Watch watch = session.dispatcher().watch(job.target(), job.handle(), plan, WatchMemory.none(), event -> {
            if (event instanceof JobEvent.Ended ended) {
                end.complete(ended.result());
                return;
            }
            output.on(event);
            if (event instanceof JobEvent.CancelRefused refused) {
                end.completeExceptionally(new BackendException.Rejected(refused.what(), refused.remedy()));
            }
        });
        watch.cancel(BY);
        return new Asked(job, output, end);
    }

    /** A job whose end was asked for. */
    private record Asked(KnownJobs.Chosen job, JobOutput output, CompletableFuture<JobResult> end) {
        ExitCode untilConfirmed(Session session) throws UsageException, InterruptedException {
            Optional<JobResult> result = until(session, this);
            if (result.isPresent() && result.get().outcome() instanceof Outcome.Succeeded) {
                // it had ended by itself, and only its log and status.json tell whether that was a success
                result = until(session, ask(session, job, PLAN));
            }
            if (result.isEmpty()) {
                return ExitCode.DETACHED;
            }
            session.dispatcher().reminderAtEnd(job.target()).forEach(output::note);
            Outcome outcome = result.get().outcome();
            if (!job.isMember()) {
                session.store().save(job.entry().withState(job.entry().handle(), outcome.word(), session.now()));
            }
            output.on(new JobEvent.Ended(result.get()));
            return outcome instanceof Outcome.Lost ? ExitCode.NO_WORD : ExitCode.SUCCEEDED;
        }

        private static Optional<JobResult> until(Session session, Asked asked) throws InterruptedException {
            return new Waiting(session, asked.output()).until(asked.end(), () -> false);
        }
    }
}
