package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.SiteFailureRules;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.nodes.NodeAvoidance;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One job watched for one build, to its end and the archiving of its files. Started again after a restart, it goes on. */
public final class WatchRun implements JobWatch {
    private static final long GRACE_SECONDS = 120;
    /** Each state in the graph is a write of Jenkins; in a build with more jobs it shows their ends alone. */
    private static final int SHOWN_IN_GRAPH = 100;

    private final BuildScope scope;
    private final WatchTerms terms;
    private final Dispatcher dispatcher = TaoRuntime.dispatcher();
    private final Target target;
    private final Narrator narrator;
    private final RunJournal journal;
    private final NodeAvoidance nodes;
    private final Watch watch;
    private final CompletableFuture<TaoResult> result = new CompletableFuture<>();
    private volatile Runnable moved = () -> {};
    /** Whether this watch has seen the job from its submission on, and waiting alone. */
    private volatile boolean onlyWaited;

    private volatile JobState state = JobState.UNCLEAR;
    /** Its newest attempt. Events may come before {@link #watch} is set. */
    private volatile JobHandle job;

    private boolean targetMissing;

    private WatchRun(BuildScope scope, WatchTerms terms, JobHandle job) {
        Map<String, String> credentialIds =
                scope.page().job(job.key().value()).map(JobRecord::secrets).orElse(Map.of());
        // a log whose secrets are not known could not be masked
        this.scope = scope.repeating(job.key())
                .hiding(job.target(), scope.secrets(credentialIds).values());
        this.terms = terms;
        this.job = job;
        target = scope.target(job);
        narrator = new Narrator(this.scope, job, terms);
        nodes = new NodeAvoidance(TaoRuntime.avoidedNodes(), target, TaoRuntime.ticker()::now, this.scope::say);
        journal = new RunJournal(this.scope, job);
        journal.watched();
        scope.live().watching(this);
        MemoryFile memory = new MemoryFile(scope.run(), job.key().value(), scope.log());
        onlyWaited = memory.load().isEmpty();
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

    /**
     * The same after a restart: where the target or a credential is missing by now, the watch begins when it is back.
     *
     * @return a watch that may not have begun yet
     */
    public static JobWatch resume(BuildScope scope, WatchTerms terms, JobHandle job) {
        return ResumedWatch.start(scope, terms, job);
    }

    @Override
    public CompletableFuture<TaoResult> result() {
        return result;
    }

    /** The state it was last seen in. */
    JobState state() {
        return state;
    }

    /** Asks for the end of the job; the result comes when it has. The request outlives this watch and this controller. */
    private void cancel(String by) {
        CancelRequests.get().keep(scope.run(), watch.handle(), by);
        scope.page().update(watch.handle().key().value(), job -> job.ownedBy(JobOwner.CANCEL));
        watch.cancel(by);
    }

    /** The watch stays after that: it asks on until the target confirms, also when the build has ended. */
    @Override
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

    @Override
    public void leave() {
        stop();
        scope.leave(watch.handle());
    }

    @Override
    public void stop() {
        watch.detach();
        scope.live().watched(this);
    }

    JobHandle job() {
        return job;
    }

    /** Whether a target of this name is in reach of its build. */
    boolean reaches(String name) {
        return scope.reaches(name);
    }

    /**
     * Says in the log of the build, once each time, when its target is not configured any more.
     *
     * @return whether it has said so just now
     */
    synchronized boolean sayIfMissing(boolean configured) {
        boolean news = targetMissing == configured;
        targetMissing = !configured;
        if (news) {
            String goesOn = " is not configured any more; " + job.shortName()
                    + " continues and is watched with the settings it began with, until Jenkins is restarted";
            scope.say("the target " + job.target() + (configured ? " is configured again" : goesOn));
        }
        return news && !configured;
    }

    @Override
    public String describe() {
        return watch.handle().shortName() + " " + watch.describe();
    }

    @Override
    public String label() {
        return watch.handle().shortName() + " " + watch.describe().split(" ", 2)[0];
    }

    @Override
    public boolean showsStates() {
        return scope.live().watched() <= SHOWN_IN_GRAPH;
    }

    @Override
    public void onMove(Runnable listener) {
        moved = listener;
    }

    /** Only the build that submitted a job knows which credentials its secrets came from. */
    private WatchPlan plan(JobHandle job) {
        Optional<JobRecord> known = scope.page().job(job.key().value());
        if (known.isEmpty()) {
            scope.show(JobRecord.takenUp(job));
            LastBuilds.get().keep(job.key(), job.target(), scope.run().getExternalizableId());
        }
        WatchPlan plan = terms.plan().withRules(SiteFailureRules.current()).withKnown(nodes::known);
        return known.filter(JobRecord::isSubmittedHere)
                .map(own -> plan.withSecrets(() -> secrets(own.secrets())))
                .orElseGet(plan::withoutRetries);
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
        boolean runsNow = event instanceof JobEvent.StatusChanged change && runsNow(change);
        journal.on(event);
        nodes.on(event, scope.run().getExternalizableId() + " " + job.key(), scope.mask()::apply);
        narrator.on(event);
        if (event instanceof JobEvent.Advanced advanced) {
            terms.measured().accept(advanced.measured());
        }
        if (event instanceof JobEvent.Ended ended) {
            CancelRequests.get().settle(ended.result());
            archive(ended.result());
        } else if (event instanceof JobEvent.CancelRefused refused) {
            CancelRequests.get().refused(watch.handle());
            stop();
            result.completeExceptionally(new BackendException.Rejected(refused.what(), refused.remedy()));
        } else if (event instanceof JobEvent.StatusChanged changed) {
            state = changed.now().state();
            onlyWaited = onlyWaited && (state == JobState.PENDING || state == JobState.ENDED);
            if (runsNow) {
                scope.happened(TaoEvent.Kind.RUNNING, job);
            }
            if (state == JobState.RUNNING) { // each time: a crash may have come before whoever hears it had it saved
                terms.happened().accept(TaoEvent.of(TaoEvent.Kind.RUNNING, scope, job));
            }
            if (showsStates()) {
                moved.run();
            }
        } else if (event instanceof JobEvent.AttemptStarted started) {
            onlyWaited = false;
            job = started.next();
            scope.happened(TaoEvent.Kind.NEW_ATTEMPT, job);
            terms.happened().accept(TaoEvent.of(TaoEvent.Kind.NEW_ATTEMPT, scope, job));
        }
    }

    /** Whether the page of the build does not show the job as running yet: a watch that goes on sees its state anew. */
    private boolean runsNow(JobEvent.StatusChanged change) {
        String shown =
                scope.page().job(job.key().value()).map(JobRecord::getState).orElse("");
        return change.now().state() == JobState.RUNNING
                && !shown.equals(change.now().nativeState());
    }

    private void archive(JobResult ended) {
        JobArchive archive = new JobArchive(scope, ended.handle().key().value());
        var unused = fetched(ended, archive).whenComplete((done, failure) -> {
            try {
                if (failure != null) {
                    archive.failed(String.valueOf(Failures.forUser(failure).getMessage()));
                }
                String message = scope.mask().apply(message(ended)); // before the record, which has the diagnosis
                archive.store(journal, terms.mostLog());
                result.complete(concluded(ended, message, archive.notArchived()));
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
    }

    /** A job that was cancelled while it waited has no files: then its target is not asked for any. */
    private CompletableFuture<Void> fetched(JobResult ended, JobArchive archive) {
        boolean never = onlyWaited
                && ended.outcome() instanceof Outcome.Cancelled
                && ended.startedAt().isEmpty()
                && ended.exitCode().isEmpty();
        return never
                ? CompletableFuture.runAsync(() -> {}, TaoRuntime.steps())
                : dispatcher.fetch(target, ended.handle(), terms.archive(), archive);
    }

    private TaoResult concluded(JobResult ended, String message, List<String> notArchived) {
        TaoResult concluded = new TaoResult(ended, message, notArchived);
        List<String> reminder = dispatcher.reminderAtEnd(target);
        narrator.ended(concluded.getStatus(), (message + " " + String.join(" ", reminder)).strip(), ended);
        scope.live().watched(this);
        if (!concluded.isSuccess() && narrator.lacksLastLines()) {
            ended.lastLines().forEach(scope::echo);
        }
        journal.card().lines().forEach(scope::say);
        scope.say(concluded + " (" + ResultWords.facts(ended, scope.run().getUrl()) + ")");
        reminder.forEach(scope::say);
        scope.ended(concluded);
        terms.happened().accept(TaoEvent.ended(scope, concluded));
        return concluded;
    }

    private String message(JobResult ended) {
        return ended.outcome()
                .match(
                        succeeded -> "",
                        failed -> failed(ended.handle(), failed),
                        cancelled -> "by " + cancelled.by(),
                        lost -> "no response since " + lost.lastSeen() + "; once " + target.name()
                                + " answers, taoWait('" + ended.handle().token() + "') watches it again");
    }

    private String failed(JobHandle job, Outcome.Failed failed) {
        Diagnosis diagnosis = diagnose(job, failed);
        String what = failed.cause().name() + ", " + failed.detail();
        String why = failed.detail().contains(diagnosis.summary().replaceFirst("\\.$", "")) ? "" : diagnosis.summary();
        String next = failed.remedy().isEmpty() ? diagnosis.remedy() : failed.remedy();
        return Sentences.join(what, why, next);
    }

    private Diagnosis diagnose(JobHandle job, Outcome.Failed failed) {
        try {
            Diagnosis diagnosis = dispatcher.diagnose(target, job, failed);
            journal.diagnosed(diagnosis);
            return diagnosis;
        } catch (BackendException e) {
            return Diagnosis.NONE;
        }
    }
}
