package io.jenkins.plugins.tao.dispatch;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.monitor.Ticker;
import java.time.Duration;
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
    private static final Duration GIVE_UP = Duration.ofHours(1);

    private final String target;
    private final JobSpec spec;
    private final JobKey key;
    private final SubmitObserver observer;
    private boolean unchecked;
    private Duration pause = FIRST_PAUSE;
    private Duration waited = Duration.ZERO;

    Submission(String target, JobSpec spec, JobKey key, SubmitObserver observer, boolean unchecked) {
        this.target = target;
        this.spec = spec;
        this.key = key;
        this.observer = observer;
        this.unchecked = unchecked;
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
        try {
            result.complete(line.call(backend -> send(backend, result)));
        } catch (BackendException.Unreachable e) {
            if (waited.compareTo(GIVE_UP) >= 0) {
                result.completeExceptionally(e);
            } else {
                Duration next = nextPause(e);
                observer.delayed(e.explain(), next);
                ticker.after(next, () -> io.execute(() -> attempt(line, ticker, io, result)));
            }
        } catch (BackendException | RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private Duration nextPause(BackendException.Unreachable e) {
        Duration next = e.retryAfter().orElse(pause);
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        waited = waited.plus(next);
        return next;
    }

    private JobHandle send(Backend backend, Future<JobHandle> result) throws BackendException {
        if (unchecked) {
            Report report = backend.preflight(spec);
            observer.checked(report);
            if (report.failed()) {
                throw refused(report);
            }
            unchecked = false;
        }
        if (!observer.sending() || result.isCancelled()) {
            throw new CancellationException("given up before anything was sent");
        }
        return backend.submit(spec, key);
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
