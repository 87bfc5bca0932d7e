package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.CodeStore;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.dispatch.SubmitObserver;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.nodes.NodeAvoidance;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jenkins.model.Jenkins;
import org.jspecify.annotations.Nullable;

/** One submission on its way, in one build. */
public final class SubmitRun implements Departing {
    /** A build with more jobs shows the tokens of the first ones alone. */
    private static final int MOST_TOKENS = 5;

    private static final long GRACE_SECONDS = 30;
    private static final Duration IMPATIENT = Duration.ofSeconds(30);
    private static final Duration SAY_AGAIN = Duration.ofMinutes(10);

    private final BuildScope scope;
    private final BuildScope masked;
    private final Dispatcher dispatcher;
    private final Target target;
    private final JobRequest request;
    private final JobKey key;
    private final Trip trip;
    private final JobSpec spec;
    private final CompletableFuture<JobHandle> submission;
    private final CompletableFuture<TaoJob> result;
    private final Departure departure;
    private final Optional<WorkspaceCode> code;
    private final BuildBudget budget;
    /** Whether a request went out that had no answer: then a refusal of the next one does not say that there is no job. */
    private volatile boolean unanswered;

    private volatile boolean mayBeThere = true;

    /** Starts it as a part of the way of a job. */
    SubmitRun(BuildScope build, JobRequest request, Trip trip, Optional<WorkspaceCode> code) {
        scope = build.repeating(trip.key());
        this.request = request;
        this.trip = trip;
        key = trip.key();
        boolean resumed = trip.resumed();
        this.code = code;
        dispatcher = TaoRuntime.dispatcher();
        target = resumed ? scope.target(request.getTarget()) : scope.usableTarget(request.getTarget());
        departure = new Departure(resumed);
        unanswered = resumed;
        String root = Objects.requireNonNullElse(Jenkins.get().getRootUrl(), ""); // then the rest is no address
        spec = JobSpecs.of(request, scope.secrets(JobSpecs.credentialIds(request))).toBuilder()
                .origin(root + scope.run().getUrl())
                .build();
        masked = scope.hiding(target.name(), spec.secrets().values());
        Duration patience = JobSpecs.giveUpAfter(request);
        JobRecord intended = JobRecord.intended(
                        key, target.name(), JobSpecs.credentialIds(request), JobSpecs.survivesBuild(request))
                .knowing(ShownFacts.of(request));
        OpenBuilds.get().open(scope.run());
        scope.page().add(intended);
        LastBuilds.get().keep(key, target.name(), scope.run().getExternalizableId());
        Optional<SealedRequest> sealed = SealedRequest.of(request, scope.bound());
        JobRequests.keep(scope.run(), key, sealed.isPresent() ? sealed.get() : request);
        scope.live().submitting(key.value(), this);
        scope.say((resumed ? "looking for " : "submitting ") + key + " on " + target.name());
        JobSpecs.withoutUnit(request).ifPresent(scope::say);
        sealed.ifPresent(hiding -> scope.say(SealedRequest.warning(request, scope.bound())));
        budget = new BuildBudget(scope.run(), target.name(), key, spec);
        submission = dispatcher.submit(target, spec, key, resumed, new Told(), patience);
        result = submission.thenApply(this::submitted).whenComplete(this::settled);
    }

    /** The same of a job without code of its own. */
    static SubmitRun start(BuildScope scope, JobRequest request, SubmissionId id, boolean resumed) {
        return start(scope, request, id, resumed, Optional.empty());
    }

    /**
     * Starts it. Looks up credentials, so it may block for a while.
     *
     * @param id what tells this submission from every other, the same after a restart
     * @param resumed whether an earlier process may have sent it already
     * @param code the files of its code, sent before it; empty for none, or when the target has them
     * @throws IllegalArgumentException if the request, the target or a credential is wrong
     */
    public static SubmitRun start(
            BuildScope scope, JobRequest request, SubmissionId id, boolean resumed, Optional<WorkspaceCode> code) {
        return new SubmitRun(scope, request, new Trip(id.key(request), resumed, true), code);
    }

    /**
     * What a submission is to know of the way of its job.
     *
     * @param key the id of the job on this target
     * @param resumed whether an earlier process may have sent it
     * @param last whether it stays where it is taken: only then a target is waited for that does not answer though nothing was sent
     */
    record Trip(JobKey key, boolean resumed, boolean last) {}

    /**
     * Gives up a submission that cannot go on after a restart: a job that the target took before it is cancelled.
     *
     * @param by who gave up, for people
     */
    static void abandon(BuildScope scope, JobRequest request, JobKey key, String by) {
        UnansweredWish cancel = new UnansweredWish(key, scope.run().getExternalizableId(), by, request, scope.bound());
        scope.page().update(cancel.key().value(), job -> job.ownedBy(JobOwner.CANCEL));
        CancelRequests.unanswered().pursueLater(cancel);
        scope.say("if " + request.getTarget() + " took " + cancel.key() + ", it is cancelled once it can be asked");
    }

    /** The job, once the target has taken it. */
    @Override
    public CompletableFuture<TaoJob> result() {
        return result;
    }

    /**
     * Gives up: a job that the target took nevertheless is cancelled, however late its answer comes, also after a restart.
     * An answer that is on its way is waited for, half a minute at most.
     *
     * @param by who gave up, for people
     * @return done when there is no more to wait for
     */
    @Override
    public CompletableFuture<Void> abort(String by) {
        if (departure.giveUp()) {
            submission.cancel(false);
        }
        owner(JobOwner.CANCEL);
        UnansweredWish request = request(by);
        if (!submission.isDone()) {
            CancelRequests.unanswered().keep(request);
        }
        CompletableFuture<JobHandle> settled = submission.whenComplete((job, failure) -> {
            CancelRequests.unanswered().answered(request, job, failure);
            if (job != null) {
                scope.say(job.shortName() + " is cancelled, because the build was aborted");
            }
        });
        return settled.copy().orTimeout(GRACE_SECONDS, TimeUnit.SECONDS).handle((done, failure) -> {
            if (!submission.isDone()) {
                scope.say(
                        "no answer from " + target.name()
                                + " yet; if it took the job, the job is cancelled once it answers, also after a restart of Jenkins");
            }
            return null;
        });
    }

    /** Whether the target may have started the job, once {@link #result} has failed. */
    boolean mayBeThere() {
        return mayBeThere;
    }

    /** The job that was taken ended before it began. */
    void cameToNothing() {
        budget.release();
        LastBuilds.get().drop(key);
    }

    private UnansweredWish request(String by) {
        return new UnansweredWish(key, scope.run().getExternalizableId(), by, request, scope.bound());
    }

    private void owner(JobOwner owner) {
        scope.page().update(key.value(), job -> job.ownedBy(owner));
    }

    private void show(String state, String detail) {
        scope.page().update(key.value(), job -> job.now(state, detail));
    }

    private void settled(@Nullable Object job, @Nullable Throwable failure) {
        scope.live().submitted(key.value());
        if (failure != null) {
            failed(failure);
        }
    }

    /** Where nobody knows whether there is a job, it is looked for and ended: no step will wait for it any more. */
    private void failed(Throwable failure) {
        Throwable cause = Failures.unwrapped(failure);
        boolean never = !departure.left()
                || (!unanswered
                        && (cause instanceof BackendException.Rejected || cause instanceof BackendException.Denied));
        mayBeThere = !never;
        show(never ? "NOT SUBMITTED" : "UNKNOWN", scope.mask().apply(String.valueOf(cause.getMessage())));
        if (never) {
            budget.release();
            owner(JobOwner.ENDED);
            LastBuilds.get().drop(key);
        } else {
            owner(JobOwner.CANCEL);
            CancelRequests.unanswered().pursueLater(request("a submission that was given up"));
        }
    }

    private TaoJob submitted(JobHandle job) {
        scope.page().update(key.value(), record -> record.now(job, "SUBMITTED", ""));
        scope.page().force();
        new RunJournal(masked, job).asked(spec, request);
        String image = spec.image().map(name -> " with " + name).orElse("");
        scope.say(job.shortName() + " submitted as " + job.key() + image + ", results in " + job.resultsDirectory());
        int known = scope.page().getJobs().size();
        if (trip.last() && known <= MOST_TOKENS) {
            scope.say("token " + job.token());
        } else if (trip.last() && known == MOST_TOKENS + 1) {
            scope.say("the tokens of further jobs are on the page of this build");
        }
        budget.expectedWait().ifPresent(scope::say);
        scope.happened(TaoEvent.Kind.SUBMITTED, job);
        return new TaoJob(job.token());
    }

    /** Tells the build log what the engine tells of the submission. */
    private final class Told implements SubmitObserver {
        @Override
        public void checked(Report report) {
            scope.show(target.name(), report);
        }

        @Override
        public List<Report.Check> checks(boolean passed) {
            return budget.checks(passed);
        }

        @Override
        public Set<String> avoided() {
            Set<String> nodes = new LinkedHashSet<>();
            Confirming confirming = request.getConfirming();
            if (confirming != null) {
                nodes.addAll(confirming.avoidedNodes());
            }
            nodes.addAll(new NodeAvoidance(TaoRuntime.avoidedNodes(), target, TaoRuntime.ticker()::now, scope::say)
                    .forSubmission());
            return nodes;
        }

        @Override
        public Optional<SourceTree> code() {
            return code.map(SourceTree.class::cast);
        }

        @Override
        public void delivered(CodeStore.Delivery delivery) {
            String what = code.map(WorkspaceCode::describe).orElse("");
            scope.say("the code (" + what + ") is in " + delivery.path() + ", "
                    + (delivery.sentBytes() == 0 ? "where it was already" : delivery.sentBytes() + " bytes sent"));
            code.ifPresent(files -> files.notes().lines().forEach(scope::say));
        }

        @Override
        public boolean sending() {
            return departure.leave();
        }

        @Override
        public Duration patienceBefore(Duration usual) {
            return trip.last() ? usual : IMPATIENT;
        }

        @Override
        public void delayed(String what, Duration next) {
            unanswered |= departure.left();
            show("SUBMITTING", what + " Trying again in " + next.toSeconds() + " s.");
            if (scope.live().lines(target.name()).first("submission " + what, SAY_AGAIN)) {
                scope.say(what + " Trying again, first in " + next.toSeconds() + " s.");
            }
        }
    }
}
