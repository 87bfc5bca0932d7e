package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.failure.RunMark;
import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.FirstFailure;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Cancelled;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Ticker;
import io.jenkins.plugins.tao.monitor.Tracker;
import io.jenkins.plugins.tao.monitor.Waiting;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What follows from the end of a job: a result, or a new attempt. A job whose new attempt cannot be started waits alone;
 * those beside it go on.
 */
record Conclusion(Backend backend, Ticker ticker, FailedNodes failedNodes) {
    private static final int LAST_LINES = 100;
    /** Each rank of a node writes some kilobytes of stacks after the first one failed. */
    private static final long LAST_BYTES = 256 * 1024L;

    /** Draws it when the job has ended and everything it wrote was read. */
    void drawFor(Watched watched) {
        Instant now = ticker.now();
        Optional<Outcome> outcome = watched.over() || !watched.mayGoOn(now)
                ? Optional.empty()
                : watched.move(tracker -> tracker.outcome(watched.endedBy(), now));
        if (outcome.isEmpty()) {
            return;
        }
        watched.tell(watched.move(Tracker::drain));
        if (watched.givenUp().isPresent() && endedByUs(outcome.get())) {
            settle(watched, truly(watched, watched.givenUp().get()));
        } else if (outcome.get() instanceof Failed failed) {
            settle(watched, failed);
        } else {
            watched.finish(result(watched, outcome.get(), List.of(), now));
        }
    }

    /** Whether this end may come from our own request: some backends call it cancelled, some report the signal as an exit code. */
    private static boolean endedByUs(Outcome outcome) {
        return outcome instanceof Cancelled
                || (outcome instanceof Failed failed
                        && (failed.cause() == Outcome.Cause.PROGRAM || failed.cause() == Outcome.Cause.UNCONFIRMED));
    }

    /** A job may start between the decision to withdraw it and the request that ends it. */
    private static Failed truly(Watched watched, Failed givenUp) {
        boolean ran = watched.move(tracker -> Waiting.hasBegun(tracker.status()));
        return ran && givenUp.cause() == Outcome.Cause.NOT_STARTED
                ? withoutAttempt(
                        givenUp, "It started while it was being withdrawn, and the request to end it reached it.")
                : givenUp;
    }

    private void settle(Watched watched, Failed told) {
        Failed failed = told;
        List<String> lines = List.of();
        try {
            List<List<String>> logs = lastLines(watched);
            lines = logs.stream().flatMap(List::stream).toList();
            JobHandle job = watched.handle();
            failed = ofSeveral(watched)
                    ? told
                    : watched.plan().rules().explain(told, job.backend(), job.mayHaveGpus(), logs);
            if (mayTryAgain(watched, failed)) {
                Attempt ended = ended(watched, failed, lines);
                Optional<Failed> against = RetryDecision.against(job, watched.move(Tracker::attempts), ended, failed);
                if (against.isEmpty()) {
                    tryAgain(watched, ended);
                    return;
                }
                failed = against.get();
            }
        } catch (BackendException.Rejected | BackendException.Denied e) {
            failed = withoutAttempt(failed, "A new attempt was refused: " + e.explain());
        } catch (BackendException e) {
            if (watched.missedAttempt(e, ticker.now())) {
                return;
            }
            failed = withoutAttempt(failed, "A new attempt could not be started: " + e.explain());
        }
        end(watched, failed, lines);
    }

    /** Then the log is of several programs: which of them failed, and why, the backend has told. */
    private static boolean ofSeveral(Watched watched) {
        return watched.move(Tracker::status).members().isPresent();
    }

    private static Failed withoutAttempt(Failed failed, String why) {
        return failed.withDetail(Sentences.join(failed.detail(), why));
    }

    /** A job that stalled starts anew only where that was asked for, whatever its log says of its end. */
    private static boolean mayTryAgain(Watched watched, Failed failed) {
        boolean stalled = watched.givenUp()
                .filter(why -> why.cause() == Outcome.Cause.STALLED)
                .isPresent();
        boolean wanted = stalled
                ? watched.plan().onStall() == WatchPlan.OnStall.RETRY
                : failed.cause().infrastructure();
        return wanted
                && watched.cancelledBy().isEmpty()
                && watched.move(Tracker::attempts).size() < watched.plan().retries();
    }

    private Attempt ended(Watched watched, Failed failed, List<String> lines) {
        JobHandle job = watched.handle();
        JobStatus status = watched.move(Tracker::status);
        Instant now = ticker.now();
        Duration ran = status.startedAt()
                .map(start -> Duration.between(start, status.endedAt().orElse(now)))
                .filter(time -> !time.isNegative())
                .orElse(Duration.ZERO);
        return new Attempt(
                job.attempt(),
                job.nativeId(),
                failed.cause(),
                failed.words(),
                now,
                BadNodes.of(status, failed, lines),
                ran,
                failed.evidence());
    }

    private void tryAgain(Watched watched, Attempt ended) throws BackendException {
        Instant now = ticker.now();
        failedNodes.learn(ended.failedNodes(), now);
        Set<String> avoided =
                new LinkedHashSet<>(failedNodes.since(watched.plan().avoidNodesFor(), now));
        avoided.addAll(watched.plan().known().get());
        JobHandle next =
                backend.resubmit(watched.handle(), watched.plan().secrets().get(), avoided);
        watched.move(tracker -> {
            tracker.next(ended, next, ended.endedAt());
            return tracker;
        });
        watched.wentOn();
        watched.tell(List.of(new JobEvent.AttemptStarted(ended, next, List.copyOf(avoided))));
    }

    /** The result of a watch that ends. */
    static JobResult result(Watched watched, Outcome outcome, List<String> lastLines, Instant now) {
        return watched.move(tracker -> new JobResult(
                tracker.handle(),
                outcome,
                tracker.status().exitCode(),
                tracker.progress(),
                tracker.status().startedAt(),
                tracker.ended() ? tracker.endSeen() : now,
                tracker.attempts(),
                lastLines,
                Set.of()));
    }

    private void end(Watched watched, Failed failed, List<String> lines) {
        leaveNothingWaiting(watched);
        boolean preempted = failed.cause() == Outcome.Cause.PREEMPTED;
        Outcome told = preempted ? new Cancelled("the scheduler (preempted)") : failed;
        int from = Math.max(0, lines.size() - LAST_LINES);
        Set<String> accused = ofSeveral(watched) ? Set.of() : BadNodes.of(watched.move(Tracker::status), failed, lines);
        watched.finish(result(watched, told, lines.subList(from, lines.size()), ticker.now())
                .withFailedNodes(accused));
    }

    /** A job that a bad node keeps from starting is given up before it ran: then its target may still mean to start it. */
    private void leaveNothingWaiting(Watched watched) {
        JobStatus status = watched.move(Tracker::status);
        boolean ran = status.runs() > 0 || status.startedAt().isPresent();
        if (ran || !status.ending().equals(Optional.of(Ending.NODE_FAILURE))) {
            return;
        }
        try {
            backend.cancel(watched.handle());
        } catch (BackendException e) {
            watched.tell(List.of(new JobEvent.Notice(
                    watched.handle().shortName() + " may still start: it could not be cancelled. " + e.explain())));
        }
    }

    /** Of several ranks the log has the words of all: those of the one that failed first stand at its end. */
    private static List<String> wordsOf(FirstFailure first) {
        List<String> lines = new ArrayList<>();
        if (!first.lastLines().isEmpty()) {
            lines.add("tao: " + first.words() + " was the first to fail; its last lines:");
            lines.addAll(first.lastLines());
        }
        return lines;
    }

    /** Reads the ends of the logs once more instead of keeping them in memory while the job runs. */
    private List<List<String>> lastLines(Watched watched) throws BackendException {
        Map<StreamRef, Position> from = new LinkedHashMap<>();
        watched.move(Tracker::wanted).forEach((ref, next) -> {
            boolean missing = watched.move(tracker -> tracker.isMissing(ref.stream())); // and given up
            if (ref.stream().isLog() && next.byteOffset() > 0 && !missing) {
                from.put(ref, new Position(next.file(), Math.max(0, next.byteOffset() - LAST_BYTES)));
            }
        });
        List<List<String>> logs = new ArrayList<>();
        Map<StreamRef, Tail> tails = from.isEmpty() ? Map.of() : backend.read(from);
        for (Stream stream : List.of(Stream.OUT, Stream.ERR)) {
            Tail tail = tails.get(new StreamRef(watched.handle(), stream));
            if (tail != null) {
                logs.add(RunMark.newest(
                        new String(tail.bytes(), StandardCharsets.UTF_8).lines().toList()));
            }
        }
        watched.move(Tracker::status).firstFailure().ifPresent(first -> logs.add(wordsOf(first)));
        return logs;
    }
}
