package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "cancel", description = "Ends a job, and waits until the target confirms that it has ended.")
final class CancelVerb extends Verb {
    @Mixin
    KnownJob job = new KnownJob();

    @Option(names = "--no-wait", description = "Asks once and leaves.")
    boolean noWait;

    @Option(names = "--take-over", description = "Also when another controller holds the job.")
    boolean takeOver;

    CancelVerb(Surroundings here, Interrupts interrupts) {
        super(here, interrupts);
    }

    @Override
    ExitCode run(Session session) throws UsageException, BackendException, InterruptedException {
        JobEntry entry = job.entry(session);
        Target target = job.place(entry, session.here()).target();
        if (takeOver) {
            session.dispatcher().takeOver(target, entry.handle());
        }
        if (noWait) {
            session.dispatcher().cancel(target, entry.handle());
            session.here()
                    .out()
                    .println("Asked for the end of " + entry.handle().shortName() + ".");
            return ExitCode.SUCCEEDED;
        }
        return untilConfirmed(session, entry, target);
    }

    private static ExitCode untilConfirmed(Session session, JobEntry entry, Target target)
            throws UsageException, InterruptedException {
        JobOutput output =
                new PlainOutput(session.here().out(), entry.handle().key().value(), new Verbosity(true, false));
        WatchPlan plan = new WatchChoice().plan(Map::of).withoutRetries();
        Optional<JobResult> result = watch(session, entry, target, plan.withoutLogs(), output);
        if (result.isPresent() && result.get().outcome() instanceof Outcome.Succeeded) {
            // it had ended by itself, and only its log and status.json tell whether that was a success
            result = watch(session, entry, target, plan, output);
        }
        if (result.isEmpty()) {
            return ExitCode.DETACHED;
        }
        new Reminder(session, target).tell(output::note);
        Outcome outcome = result.get().outcome();
        session.store()
                .save(entry.withState(
                        entry.handle(), outcome.word(), session.here().clock().instant()));
        output.on(new JobEvent.Ended(result.get()));
        return outcome instanceof Outcome.Lost ? ExitCode.NO_WORD : ExitCode.SUCCEEDED;
    }

    /** Wishes the end, and waits for it. */
    private static Optional<JobResult> watch(
            Session session, JobEntry entry, Target target, WatchPlan plan, JobOutput output)
            throws UsageException, InterruptedException {
        CompletableFuture<JobResult> end = new CompletableFuture<>();
        Watch watch = session.dispatcher().watch(target, entry.handle(), plan, LogsVerb.Forgetful.NEW, event -> {
            if (event instanceof JobEvent.Ended ended) {
                end.complete(ended.result());
                return;
            }
            output.on(event);
            if (event instanceof JobEvent.CancelRefused refused) {
                end.completeExceptionally(new BackendException.Rejected(refused.what(), refused.remedy()));
            }
        });
        watch.cancel("tao cancel");
        return new Waiting(session, output).until(end, () -> false);
    }
}
