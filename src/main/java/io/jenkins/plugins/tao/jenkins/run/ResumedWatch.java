package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.job.JobHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * A job that is watched again after a restart. Where its target or a credential is missing by now, the wait goes on waiting:
 * the job runs on whatever the configuration of Jenkins says.
 */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
final class ResumedWatch implements JobWatch {
    private static final Logger LOGGER = Logger.getLogger(ResumedWatch.class.getName());
    private static final Duration AGAIN = Duration.ofSeconds(15);

    private final BuildScope scope;
    private final WatchTerms terms;
    private final JobHandle job;
    private final CompletableFuture<TaoResult> result = new CompletableFuture<>();
    private @Nullable WatchRun watch;
    private String missing = "";
    private boolean over;
    private Runnable moved = () -> {};

    static JobWatch start(BuildScope scope, WatchTerms terms, JobHandle job) {
        ResumedWatch resumed = new ResumedWatch(scope, terms, job);
        resumed.attempt();
        return resumed;
    }

    JobHandle job() {
        return job;
    }

    private synchronized void attempt() {
        scope.live().blockedNoMore(this);
        if (over) {
            return;
        }
        try {
            WatchRun started = WatchRun.start(scope, terms, job);
            watch = started;
            started.onMove(moved);
            if (!missing.isEmpty()) {
                scope.say(job.shortName() + " is watched again");
            }
            var unused = started.result().whenComplete((ended, failure) -> {
                if (failure == null) {
                    result.complete(ended);
                } else {
                    result.completeExceptionally(failure);
                }
            });
        } catch (IllegalArgumentException e) {
            String why = String.valueOf(e.getMessage());
            scope.live().blocked(this);
            if (!why.equals(missing)) {
                missing = why;
                LOGGER.log(Level.WARNING, "{0} of {1} cannot be watched: {2}", new Object[] {
                    job.shortName(), scope.run().getExternalizableId(), why
                });
                scope.page().show(job.key().value(), known -> known.now(known.getState(), "cannot be watched: " + why));
                scope.say(job.shortName() + " cannot be watched: " + why
                        + " The step resumes once this is fixed. The job's token is " + job.token());
            }
            TaoRuntime.ticker().after(AGAIN, () -> TaoRuntime.steps().execute(this::attempt));
        }
    }

    private void end() {
        over = true;
        scope.live().blockedNoMore(this);
    }

    @Override
    public CompletableFuture<TaoResult> result() {
        return result;
    }

    @Override
    public synchronized CompletableFuture<Void> abort(String by) {
        if (watch != null) {
            return watch.abort(by);
        }
        end();
        scope.abandon(job, by);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized void leave() {
        end();
        if (watch != null) {
            watch.leave();
        } else {
            scope.leave(job);
        }
    }

    @Override
    public synchronized void stop() {
        end();
        if (watch != null) {
            watch.stop();
        }
    }

    @Override
    public synchronized String describe() {
        return watch == null ? job.shortName() + " cannot be watched: " + missing : watch.describe();
    }

    @Override
    public synchronized String label() {
        return watch == null ? job.shortName() + " unknown" : watch.label();
    }

    @Override
    public synchronized boolean showsStates() {
        return watch == null || watch.showsStates();
    }

    @Override
    public synchronized void onMove(Runnable listener) {
        moved = listener;
        if (watch != null) {
            watch.onMove(listener);
        }
    }
}
