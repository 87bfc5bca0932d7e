package io.jenkins.plugins.tao.dispatch;

import io.jenkins.plugins.tao.backend.Avoiding;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.CodeStore;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.monitor.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One submission on its way: checks once, then sends, and sends again under the same key while no answer comes. */
final class Submission {
    private static final Pattern FULL_STOP = Pattern.compile("\\.\\s*$");
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final String target;
    private final JobSpec spec;
    private final JobKey key;
    private final SubmitObserver observer;
    private boolean unchecked;
    private boolean delivered;
    /** Whether it may have reached the target. */
    private boolean left;

    private Duration pause = FIRST_PAUSE;
    private final Duration giveUpAfter;
    private Optional<Instant> began = Optional.empty();

    Submission(
            String target, JobSpec spec, JobKey key, SubmitObserver observer, boolean unchecked, Duration giveUpAfter) {
        this.giveUpAfter = giveUpAfter;
        this.target = target;
        this.spec = spec;
        this.key = key;
        this.observer = observer;
        this.unchecked = unchecked;
        left = !unchecked;
    }

    /** What a submission needs of the world: a backend to call. */
    @FunctionalInterface
    interface Line {
        JobHandle call(Dispatcher.Call<JobHandle> work) throws BackendException;
    }

    CompletableFuture<JobHandle> start(Line line, Ticker ticker, Executor io) {
        CompletableFuture<JobHandle> result = new CompletableFuture<>();
        io.execute(() -> attempt(line, ticker, io, result));
        return result;
    }

    private void attempt(Line line, Ticker ticker, Executor io, CompletableFuture<JobHandle> result) {
        if (result.isDone()) {
            return;
        }
        Instant start = began.orElseGet(ticker::now);
        began = Optional.of(start);
        try {
            result.complete(line.call(backend -> send(backend, result)));
        } catch (BackendException.Unreachable e) {
            Duration patience = left ? giveUpAfter : observer.patienceBefore(giveUpAfter);
            Duration rest = patience.minus(Duration.between(start, ticker.now()));
            if (rest.isNegative() || rest.isZero()) {
                result.completeExceptionally(gaveUp(e, patience));
            } else {
                Duration next = shorter(nextPause(e), rest);
                observer.delayed(e.explain(), next);
                ticker.after(next, () -> io.execute(() -> attempt(line, ticker, io, result)));
            }
        } catch (BackendException | RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private Duration nextPause(BackendException.Unreachable e) {
        Duration next = e.retryAfter().orElse(pause);
        pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
        return next;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private BackendException gaveUp(BackendException.Unreachable last, Duration patience) {
        return new BackendException.Unreachable(
                "The submission of '" + key + "' to '" + target + "' had no answer for " + Durations.words(patience)
                        + " and was given up. The last response: " + last.getMessage(),
                last.remedy());
    }

    private JobHandle send(Backend backend, Future<JobHandle> result) throws BackendException {
        if (unchecked) {
            Report found = backend.preflight(spec).withSpecOf(spec);
            Report report = found.with(observer.checks(!found.failed()));
            observer.checked(report);
            if (report.failed()) {
                throw refused(report);
            }
            unchecked = false;
        }
        deliver(backend);
        if (!observer.sending() || result.isCancelled()) {
            throw new CancellationException("given up before anything was sent");
        }
        left = true;
        JobHandle job = sent(backend)
                .withStartWithin(spec.resources().startWithin())
                .withGpus(spec.resources().gpus())
                .withRetryBudget(spec.resources().retryBudget());
        return job.withTimeLimit(job.timeLimit().or(spec.resources()::wallTime));
    }

    private JobHandle sent(Backend backend) throws BackendException {
        Set<String> avoided = observer.avoided();
        return backend instanceof Avoiding avoiding && !avoided.isEmpty()
                ? avoiding.submit(spec, key, avoided)
                : backend.submit(spec, key);
    }

    /** Before the job is noted as sent: whoever is ended during it has sent no job. */
    private void deliver(Backend backend) throws BackendException {
        Optional<SourceTree> code = observer.code();
        if (delivered || code.isEmpty()) {
            return;
        }
        if (!(backend instanceof CodeStore store)) {
            throw new BackendException.Rejected(
                    "The target '" + target + "' takes no code from a directory.",
                    "Use a target of the backend slurm, ssh, local, kubernetes or lepton, or bring the code in the image and leave"
                            + " 'code' out.");
        }
        observer.delivered(store.deliver(code.get(), key));
        delivered = true;
    }

    private BackendException refused(Report report) {
        String what = report.checks().stream()
                .filter(check -> check.verdict() == Report.Verdict.FAILED)
                .map(check ->
                        check.name() + ": " + FULL_STOP.matcher(check.detail()).replaceFirst(""))
                .collect(Collectors.joining("; "));
        String remedy = report.checks().stream()
                .filter(check -> check.verdict() == Report.Verdict.FAILED)
                .map(Report.Check::remedy)
                .distinct()
                .collect(Collectors.joining(" "));
        return new BackendException.Rejected(
                "Nothing was sent to '" + target + "', because checks failed: " + what + ".", remedy);
    }
}
