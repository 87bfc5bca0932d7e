package io.jenkins.plugins.tao.jenkins.step;

import hudson.AbortException;
import hudson.model.Result;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import io.jenkins.plugins.tao.jenkins.run.JobWatch;
import io.jenkins.plugins.tao.jenkins.run.TaoFailure;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.jenkins.run.WatchRun;
import io.jenkins.plugins.tao.jenkins.run.WatchTerms;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.status.MetricPoint;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;

/** One {@code taoWait} under way. After a restart it watches the same jobs on. */
final class WaitExecution extends StepExecution {
    private static final long serialVersionUID = 1L;
    /** Within this time it is one abort that Jenkins tells twice, as a milestone does, and not a person who waits no longer. */
    private static final Duration ONE_ABORT = Duration.ofSeconds(2);

    private final WaitStep step;
    /** Null in a step without a block. */
    private final @Nullable EventBlocks blocks;

    private transient volatile @Nullable List<JobWatch> watches;
    private transient volatile @Nullable Throwable stopped;
    private transient @Nullable Instant stoppedAt;
    private transient boolean shown;
    private transient volatile @Nullable Consumer<List<MetricPoint>> measured;
    private transient volatile @Nullable String early;

    WaitExecution(StepContext context, WaitStep step) {
        super(context);
        this.step = step;
        blocks = step.hasBlock() ? new EventBlocks(this) : null;
    }

    /** Lets {@code listener} hear the metrics; to be called before the watch begins. */
    void hear(Consumer<List<MetricPoint>> listener) {
        measured = listener;
    }

    /** Ends the jobs, as a rule orders; the result comes when they have ended. */
    void endEarly(String by) {
        early = by;
        List<JobWatch> running = watches;
        if (running != null) {
            TaoRuntime.steps().execute(() -> {
                for (JobWatch watch : running) {
                    var unused = watch.abort(by); // its result comes by itself
                }
            });
        }
    }

    @Override
    public boolean start() {
        if (step.isTakeOver()) {
            TaoRuntime.calls().execute(() -> begin(true, false));
        } else {
            TaoRuntime.steps().execute(() -> begin(false, false));
        }
        return false;
    }

    /** Takes over no more: since the first start another controller may have done so. */
    @Override
    public void onResume() {
        if (blocks != null) {
            blocks.resume();
        }
        TaoRuntime.steps().execute(() -> begin(false, true));
    }

    private void begin(boolean takeOver, boolean resumed) {
        StepContext context = getContext();
        try {
            BuildScope scope = BuildScope.of(context);
            step.check();
            WatchTerms terms = terms();
            List<JobHandle> jobs = Tokens.parse(step.getJob());
            if (takeOver) {
                for (JobHandle job : jobs) {
                    scope.takeOver(job);
                }
            }
            List<JobWatch> started = watched(scope, terms, jobs, resumed);
            watches = started;
            if (blocks == null) { // a step with a block and a label would be taken for a stage
                started.forEach(watch -> watch.onMove(() -> TaoRuntime.steps().execute(this::label)));
                if (started.size() > 1 || started.stream().allMatch(JobWatch::showsStates)) {
                    label();
                }
            }
            var unused = results(started).whenComplete((results, failure) -> end(results, failure));
            String by = early;
            if (by != null) {
                endEarly(by);
            }
            Throwable cause = stopped;
            if (cause != null) {
                stop(cause);
            }
        } catch (IOException | BackendException | RuntimeException e) {
            fail(Failures.forUser(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(e);
        }
    }

    private WatchTerms terms() {
        WatchTerms terms = WatchTerms.of(step);
        Consumer<List<MetricPoint>> listener = measured;
        EventBlocks begun = blocks;
        terms = begun == null ? terms : terms.withHappened(event -> begun.tell(event.variables()));
        return listener == null ? terms : terms.withMeasured(listener);
    }

    /** Watches all, or none: a watch that no step waits for would go on telling a build that has ended. */
    private static List<JobWatch> watched(BuildScope scope, WatchTerms terms, List<JobHandle> jobs, boolean resumed) {
        List<JobWatch> started = new ArrayList<>();
        try {
            jobs.forEach(job ->
                    started.add(resumed ? WatchRun.resume(scope, terms, job) : WatchRun.start(scope, terms, job)));
            return List.copyOf(started);
        } catch (RuntimeException e) {
            started.forEach(JobWatch::stop);
            throw e;
        }
    }

    private static CompletableFuture<List<TaoResult>> results(List<JobWatch> watches) {
        List<CompletableFuture<TaoResult>> each =
                watches.stream().map(JobWatch::result).toList();
        return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        each.stream().map(CompletableFuture::join).collect(Collectors.toCollection(ArrayList::new)));
    }

    /** Shows the states in the graph, until the ends are shown there. */
    private synchronized void label() {
        List<JobWatch> running = watches;
        if (running != null && !shown) {
            NodeLabel.show(getContext(), running.stream().map(JobWatch::label).collect(Collectors.joining(", ")));
        }
    }

    private synchronized void showEnds(List<TaoResult> results) {
        shown = true;
        NodeLabel.show(
                getContext(),
                results.stream()
                        .map(result -> result.getTarget() + "/" + result.getNativeId() + " " + result.getOutcome())
                        .collect(Collectors.joining(", ")));
    }

    /** The step ends after its block has run for the last event. */
    private void end(@Nullable List<TaoResult> results, @Nullable Throwable failure) {
        if (blocks == null) {
            conclude(results, failure);
        } else {
            blocks.whenTold(() -> conclude(results, failure));
        }
    }

    /** Ends the step, and its block before that. */
    private void fail(Throwable failure) {
        if (blocks == null) {
            getContext().onFailure(failure);
        } else {
            blocks.close(failure, () -> getContext().onFailure(failure));
        }
    }

    private void conclude(@Nullable List<TaoResult> results, @Nullable Throwable failure) {
        if (stopped != null) {
            return;
        }
        if (results == null) {
            getContext()
                    .onFailure(Failures.forUser(failure == null ? new IllegalStateException("no result") : failure));
            return;
        }
        if (blocks == null) {
            showEnds(results);
        }
        List<TaoResult> bad =
                results.stream().filter(result -> !result.isSuccess()).toList();
        if (!bad.isEmpty() && !step.isFailOnError()) {
            NodeLabel.warn(getContext(), bad.stream().map(TaoResult::toString).collect(Collectors.joining("; ")));
        }
        List<String> failedBlocks = blocks == null ? List.of() : blocks.failures();
        if (!failedBlocks.isEmpty() && (bad.isEmpty() || !step.isFailOnError())) {
            getContext().onFailure(new AbortException(String.join("\n", failedBlocks)));
        } else if (bad.isEmpty() || !step.isFailOnError()) {
            getContext().onSuccess(step.isList() ? results : results.get(0));
        } else {
            getContext().onFailure(failure(bad, results.size()));
        }
    }

    /** A job that someone cancelled aborts the build; any other ending fails it. */
    private static Throwable failure(List<TaoResult> bad, int all) {
        String what = bad.stream().map(TaoResult::toString).collect(Collectors.joining("\n"));
        if (bad.stream().allMatch(result -> result.getStatus().equals("ABORTED"))) {
            return new FlowInterruptedException(Result.ABORTED, false, new JobCancelled(what));
        }
        return new TaoFailure(
                all == 1 ? what : bad.size() + " of " + all + " jobs did not succeed:\n" + what,
                bad.stream().allMatch(TaoResult::isInfrastructure));
    }

    /** Called on the Pipeline's own thread, which is not for files and the network. */
    @Override
    public void stop(Throwable cause) {
        boolean again = isStoppedAgain(cause);
        if (stopped != null && stopped != cause && !again) {
            return;
        }
        stopped = cause;
        if (blocks != null) {
            blocks.close(cause, () -> {});
        }
        List<JobWatch> running = watches;
        if (running == null) {
            return;
        }
        if (again) {
            fail(cause);
        } else {
            TaoRuntime.steps().execute(() -> giveUp(running, cause));
        }
    }

    private synchronized boolean isStoppedAgain(Throwable cause) {
        Instant now = TaoRuntime.ticker().now();
        Instant before = stoppedAt;
        if (before == null) {
            stoppedAt = now;
            return false;
        }
        return watches != null && stopped != cause && !now.isBefore(before.plus(ONE_ABORT));
    }

    private void giveUp(List<JobWatch> running, Throwable cause) {
        if (step.detachesOnAbort()) {
            running.forEach(JobWatch::leave);
            fail(cause);
        } else {
            cancel(running, cause);
        }
    }

    private void cancel(List<JobWatch> running, Throwable cause) {
        CompletableFuture<?>[] ends = running.stream()
                .map(watch -> watch.abort(JobCancelled.by(cause)))
                .toArray(CompletableFuture[]::new);
        var unused = CompletableFuture.allOf(ends).whenComplete((done, failure) -> fail(cause));
    }

    @Override
    public String getStatus() {
        List<JobWatch> running = watches;
        return running == null
                ? "about to watch " + Tokens.shortNames(step.getJob())
                : running.stream().map(JobWatch::describe).collect(Collectors.joining("; "));
    }
}
