package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.Sentences;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One job watched for one build, to its end and the archiving of its files. Started again after a restart, it goes on. */
public final class WatchRun {
    private static final long GRACE_SECONDS = 120;

    private final BuildScope scope;
    private final WatchTerms terms;
    private final Dispatcher dispatcher = TaoRuntime.dispatcher();
    private final Target target;
    private final Narrator narrator;
    private final RunJournal journal;
    private final Watch watch;
    private final CompletableFuture<TaoResult> result = new CompletableFuture<>();

    private WatchRun(BuildScope scope, WatchTerms terms, JobHandle job) {
        this.scope = scope.hiding(
                job.target(),
                scope.page().job(job.key().value()).map(JobRecord::secrets).orElse(Map.of()));
        this.terms = terms;
        target = scope.target(job.target());
        narrator = new Narrator(this.scope, job, terms.log());
        journal = new RunJournal(this.scope, job);
        journal.watched();
        MemoryFile memory = new MemoryFile(scope.run().getRootDir(), job.key().value(), scope.log());
        watch = dispatcher.watch(target, job, plan(job), memory, this::on);
    }

    /**
     * Starts it. Looks up credentials, so it may block for a while.
     *
     * @throws IllegalArgumentException if the target or a credential is wrong
     */
    public static WatchRun start(BuildScope scope, WatchTerms terms, JobHandle job) {
        return new WatchRun(scope, terms, job);
    }

    /** How the job ended, once its files are archived. */
    public CompletableFuture<TaoResult> result() {
        return result;
    }

    /** Wishes the job to end; the result comes when it has. The wish outlives this watch and this controller. */
    private void cancel(String by) {
        CancelWishes.get().keep(scope.run(), watch.handle(), by);
        watch.cancel(by);
    }

    /**
     * Gives up: wishes the job to end and waits for that, two minutes at most. The watch stays: it asks on until the target
     * confirms, also when the build has ended.
     *
     * @param by who gave up, for people
     * @return done when there is no more to wait for
     */
    public CompletableFuture<Void> abort(String by) {
        cancel(by);
        return result.copy().orTimeout(GRACE_SECONDS, TimeUnit.SECONDS).handle((ended, failure) -> {
            if (!result.isDone()) {
                scope.say(watch.handle().shortName() + " has not ended yet; " + target.name()
                        + " is asked for it until it confirms");
            }
            return null;
        });
    }

    /** Leaves the job alone; no result will come. */
    public void detach() {
        watch.detach();
        scope.say(watch.handle().shortName() + " goes on; taoWait takes it up again with "
                + watch.handle().token());
    }

    /** One line for a person: where the job stands. */
    public String describe() {
        return watch.handle().shortName() + " " + watch.describe();
    }

    /** Only the build that submitted a job knows which credentials its secrets came from. */
    private WatchPlan plan(JobHandle job) {
        Optional<JobRecord> known = scope.page().job(job.key().value());
        if (known.isEmpty()) {
            scope.page().add(JobRecord.takenUp(job));
            scope.save();
        }
        return known.filter(JobRecord::isSubmittedHere)
                .map(own -> terms.plan().withSecrets(() -> secrets(own.secrets())))
                .orElseGet(terms.plan()::withoutRetries);
    }

    private Map<String, Secret> secrets(Map<String, String> credentials) throws BackendException.Rejected {
        try {
            return scope.secrets(credentials);
        } catch (IllegalArgumentException e) {
            throw new BackendException.Rejected(
                    String.valueOf(e.getMessage()), "Restore that credential, and build again.");
        }
    }

    /** Whatever fails on the way to the result is the result: without one the build would wait for ever. */
    private void on(JobEvent event) {
        try {
            take(event);
        } catch (RuntimeException e) {
            if (event instanceof JobEvent.Ended || event instanceof JobEvent.CancelRefused) {
                result.completeExceptionally(e);
            }
            throw e;
        }
    }

    private void take(JobEvent event) {
        journal.on(event);
        narrator.on(event);
        if (event instanceof JobEvent.Ended ended) {
            CancelWishes.get().settle(ended.result());
            archive(ended.result());
        } else if (event instanceof JobEvent.CancelRefused refused) {
            CancelWishes.get().refused(watch.handle());
            watch.detach();
            result.completeExceptionally(new BackendException.Rejected(refused.what(), refused.remedy()));
        }
    }

    private void archive(JobResult ended) {
        JobArchive archive = new JobArchive(scope, ended.handle().key().value());
        var unused = dispatcher
                .fetch(target, ended.handle(), terms.archive(), archive)
                .whenComplete((done, failure) -> {
                    try {
                        if (failure != null) {
                            scope.say("could not bring all files of "
                                    + ended.handle().shortName() + ": "
                                    + Failures.forUser(failure).getMessage());
                        }
                        archive.store(journal);
                        result.complete(concluded(ended));
                    } catch (RuntimeException e) {
                        result.completeExceptionally(e);
                    }
                });
    }

    private TaoResult concluded(JobResult ended) {
        String message = scope.mask().apply(message(ended));
        TaoResult concluded = new TaoResult(ended, message);
        List<String> reminder = reminder();
        narrator.page(concluded.getStatus(), (message + " " + String.join(" ", reminder)).strip());
        scope.say(concluded.toString());
        reminder.forEach(scope::say);
        if (!concluded.isSuccess() && !terms.log()) {
            ended.lastLines().forEach(scope::echo);
        }
        return concluded;
    }

    /** What is owed to whoever pays for the machine, said after every end. */
    private List<String> reminder() {
        try {
            return dispatcher.reminder(target);
        } catch (BackendException e) {
            return List.of("REMINDER: if the machine of target '" + target.name()
                    + "' is rented, it goes on costing money; it could not be asked: " + e.getMessage());
        }
    }

    private String message(JobResult ended) {
        return ended.outcome()
                .match(
                        succeeded -> "",
                        failed -> failed(ended.handle(), failed),
                        cancelled -> "by " + cancelled.by(),
                        lost -> "no word since " + lost.lastSeen() + "; once " + target.name() + " answers, taoWait('"
                                + ended.handle().token() + "') takes it up again");
    }

    private String failed(JobHandle job, Outcome.Failed failed) {
        Diagnosis diagnosis = diagnose(job);
        String what = failed.cause().name() + ", " + failed.detail();
        String why = failed.detail().contains(diagnosis.summary().replaceFirst("\\.$", "")) ? "" : diagnosis.summary();
        return diagnosis.equals(Diagnosis.NONE) ? what : Sentences.join(what, why, diagnosis.remedy());
    }

    private Diagnosis diagnose(JobHandle job) {
        try {
            Diagnosis diagnosis = dispatcher.diagnose(target, job);
            journal.diagnosed(diagnosis);
            return diagnosis;
        } catch (BackendException e) {
            return Diagnosis.NONE;
        }
    }
}
