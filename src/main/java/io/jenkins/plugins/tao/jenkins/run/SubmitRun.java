package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.dispatch.SubmitObserver;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Sentences;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One submission on its way, in one build. */
public final class SubmitRun {
    private static final long GRACE_SECONDS = 30;

    private final BuildScope scope;
    private final Dispatcher dispatcher;
    private final Target target;
    private final Map<String, String> credentialIds;
    private final JobRequest request;
    private final JobKey key;
    private final JobSpec spec;
    private final CompletableFuture<JobHandle> submission;
    private final CompletableFuture<TaoJob> result;
    private final Departure departure;

    private SubmitRun(BuildScope scope, JobRequest request, JobKey key, boolean resumed) {
        this.scope = scope;
        this.request = request;
        this.key = key;
        dispatcher = TaoRuntime.dispatcher();
        target = scope.target(request.getTarget());
        departure = new Departure(resumed);
        credentialIds = JobSpecs.credentialIds(request);
        spec = JobSpecs.of(request, scope.secrets(credentialIds));
        scope.say((resumed ? "looking for " : "submitting ") + key + " on " + target.name());
        submission = dispatcher.submit(target, spec, key, resumed, new Told());
        result = submission.thenApply(this::submitted);
    }

    /**
     * Starts it. Looks up credentials, so it may block for a while.
     *
     * @param place what tells this submission from others of the same build, the same after a restart
     * @param resumed whether an earlier process may have sent it already
     * @throws IllegalArgumentException if the request, the target or a credential is wrong
     */
    public static SubmitRun start(BuildScope scope, JobRequest request, String place, boolean resumed) {
        String name = FormText.text(request.getName())
                .orElseGet(() -> scope.run().getParent().getName());
        return new SubmitRun(scope, request, JobKey.derive(name, scope.origin(place)), resumed);
    }

    /** The job, once the target has taken it. */
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
    public CompletableFuture<Void> abort(String by) {
        if (departure.giveUp()) {
            submission.cancel(false);
        }
        UnansweredWish wish = new UnansweredWish(key, scope.run().getExternalizableId(), by, request);
        if (!submission.isDone()) {
            CancelWishes.unanswered().keep(wish);
        }
        CompletableFuture<JobHandle> settled = submission.whenComplete((job, failure) -> {
            CancelWishes.unanswered().answered(wish, job, failure);
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

    private TaoJob submitted(JobHandle job) {
        scope.page().add(JobRecord.submitted(job, credentialIds));
        new RunJournal(scope.hiding(target.name(), credentialIds), job).asked(spec);
        scope.save();
        String image = spec.image().map(name -> " with " + name).orElse("");
        scope.say(job.shortName() + " submitted as " + job.key() + image + ", results in " + job.resultsDirectory());
        scope.say("token " + job.token());
        return new TaoJob(job.token());
    }

    /** Tells the build log what the engine tells of the submission. */
    private final class Told implements SubmitObserver {
        @Override
        public void checked(Report report) {
            long passed = report.checks().stream()
                    .filter(check -> check.verdict() == Report.Verdict.PASSED)
                    .count();
            scope.say("preflight of " + target.name() + ": " + passed + " of "
                    + report.checks().size() + " checks passed");
            report.checks().stream()
                    .filter(check -> check.verdict() != Report.Verdict.PASSED)
                    .forEach(check -> scope.say("  " + check.verdict() + " " + check.name() + ": "
                            + Sentences.join(check.detail(), check.remedy())));
        }

        @Override
        public boolean sending() {
            return departure.leave();
        }

        @Override
        public void delayed(String what, Duration next) {
            scope.say(what + " Trying again in " + next.toSeconds() + " s.");
        }
    }
}
