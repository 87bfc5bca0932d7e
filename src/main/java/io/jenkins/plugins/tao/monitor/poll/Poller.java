package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.Outcome.Lost;
import io.jenkins.plugins.tao.monitor.TargetHealth;
import io.jenkins.plugins.tao.monitor.Ticker;
import io.jenkins.plugins.tao.monitor.Tracker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/** Looks after all watches of one target: one round of a few calls for all of them, never two rounds at once. */
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
final class Poller {
    private static final Logger LOGGER = Logger.getLogger(Poller.class.getName());

    private final Target target;
    private final Connections connections;
    private final Ticker ticker;
    private final Executor io;
    private final Consumer<Poller> idle;
    private final List<Watched> watches = new ArrayList<>();
    private final FailedNodes failedNodes = new FailedNodes();
    private Optional<Connections.Loan> loan = Optional.empty();
    private Optional<Ticker.Alarm> alarm = Optional.empty();
    private boolean busy;
    private boolean again;
    private int failures;
    private volatile Answered answered = new Answered(Optional.empty(), Duration.ZERO, 0, "");

    synchronized boolean isIdle() {
        return watches.isEmpty() && !busy;
    }

    synchronized void add(Watched watched) {
        watches.add(watched);
        failedNodes.learn(watched.move(Tracker::attempts));
        hurry();
    }

    /** Asks for a round now, or for another one right after the one under way. */
    synchronized void hurry() {
        if (busy) {
            again = true;
        } else {
            alarm.ifPresent(Ticker.Alarm::cancel);
            start();
        }
    }

    /** How its target answers. */
    TargetHealth health() {
        List<Watched> live = live();
        long waiting = live.stream()
                .filter(watched -> watched.move(tracker -> tracker.status().state()) == JobState.PENDING)
                .count();
        List<String> jobs = live.stream()
                .map(watched -> watched.handle().shortName() + " " + watched.describe())
                .toList();
        return new TargetHealth(
                target.name(), jobs, waiting, answered.last(), answered.took(), answered.failures(), answered.error());
    }

    /** Keeps where all its watches stand. */
    void keep() {
        live().forEach(Watched::keep);
    }

    private synchronized void start() {
        if (!busy) {
            busy = true;
            again = false;
            alarm = Optional.empty();
            io.execute(this::work);
        }
    }

    private void work() {
        Duration pause = Duration.ofMinutes(1);
        try {
            pause = round();
        } finally {
            rest(pause);
            if (isIdle()) {
                idle.accept(this);
            }
        }
    }

    private synchronized void rest(Duration pause) {
        busy = false;
        watches.removeIf(Watched::over);
        if (watches.isEmpty()) {
            loan.ifPresent(Connections.Loan::close);
            loan = Optional.empty();
        } else if (again) {
            start();
        } else {
            alarm = Optional.of(ticker.after(pause, this::start));
        }
    }

    private synchronized List<Watched> live() {
        return watches.stream().filter(watched -> !watched.over()).toList();
    }

    private synchronized Backend backend() {
        if (loan.isEmpty()) {
            loan = Optional.of(connections.borrow(target));
        }
        return loan.get().backend();
    }

    private Duration round() {
        List<Watched> live = live();
        if (live.isEmpty()) {
            return Duration.ZERO;
        }
        Instant began = ticker.now();
        try {
            boolean more = false;
            for (Round round : Round.of(backend(), live, ticker, failedNodes)) {
                more |= round.run();
            }
            failures = 0;
            Instant now = ticker.now();
            answered = new Answered(Optional.of(now), Duration.between(began, now), 0, "");
            return more ? Duration.ZERO : pause(began);
        } catch (BackendException e) {
            return silent(live, e);
        } catch (RuntimeException | LinkageError e) {
            LOGGER.log(Level.SEVERE, e, () -> "a round of polling " + target.name() + " failed");
            return silent(live, ourFault(e));
        } finally {
            live.forEach(watched -> watched.breakSilence(ticker.now()));
        }
    }

    private Unreadable ourFault(Throwable e) {
        return new Unreadable(
                "A fault of tao-run itself keeps it from looking at '" + target.name() + "'",
                e.toString(),
                "It is tried again; please report it with the stack trace from the log of this process.");
    }

    private Duration pause(Instant began) {
        Instant now = ticker.now();
        Optional<Duration> asked = live().stream()
                .flatMap(watched -> watched.plan().interval().stream())
                .min(Duration::compareTo);
        return Pace.forTarget(wanted(now), Duration.between(began, now), asked);
    }

    /** The pause that the most urgent of its jobs needs. */
    private Duration wanted(Instant now) {
        return live().stream()
                .map(watched -> watched.move(tracker -> pauseFor(watched, tracker, now)))
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private static Duration pauseFor(Watched watched, Tracker tracker, Instant now) {
        if (tracker.ended()) {
            return watched.pauseWhileEnding(now);
        }
        if (watched.awaitsEnd()) {
            return Pace.whileEnding();
        }
        return Pace.forJob(
                tracker.status().state(),
                Duration.between(tracker.since(), now),
                watched.plan().interval());
    }

    private Duration silent(List<Watched> live, BackendException e) {
        failures++;
        answered = new Answered(answered.last(), answered.took(), failures, String.valueOf(e.getMessage()));
        LOGGER.log(Level.FINE, "no answer from {0} ({1} in a row): {2}", new Object[] {
            target.name(), failures, e.getMessage()
        });
        Instant now = ticker.now();
        for (Watched watched : live) {
            watched.silence().missed(e, now).ifPresent(event -> watched.tell(List.of(event)));
            Instant heard = watched.silence().lastWord();
            if (Duration.between(heard, now).compareTo(watched.plan().giveUpAfter()) >= 0) {
                watched.finish(Conclusion.result(watched, new Lost(heard), List.of(), now));
            }
        }
        if (e instanceof BackendException.Unreachable unreachable
                && unreachable.retryAfter().isPresent()) {
            return unreachable.retryAfter().get();
        }
        return e instanceof BackendException.Denied
                ? Pace.afterRefusal(failures)
                : Pace.afterSilence(failures, wanted(now));
    }

    /** How the rounds so far ended. */
    private record Answered(Optional<Instant> last, Duration took, int failures, String error) {}
}
