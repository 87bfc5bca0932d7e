package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Ticker;
import io.jenkins.plugins.tao.monitor.Tracker;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.monitor.WatchRecord;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;

/** One watch: the tracker of its job, who hears of it, and what is kept of it. Its poller alone moves the tracker. */
final class Watched implements Watch {
    private static final Logger LOGGER = Logger.getLogger(Watched.class.getName());
    private static final Duration ASK_AGAIN = Duration.ofSeconds(15);

    /** With the longest pause between two looks, five minutes. */
    private static final Duration QUIET = Duration.ofMinutes(4);

    /** How long a request to end a job may be under way at its target. */
    private static final Duration REQUEST_SETTLES = Duration.ofMinutes(2);

    private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(5);
    private static final Duration SAVE_POSITIONS_EVERY = Duration.ofSeconds(15);

    private final WatchPlan plan;
    private final WatchMemory memory;
    private final JobObserver observer;
    private final Ticker ticker;
    private final Runnable hurry;
    private final Tracker tracker;
    private final Silence silence;
    private Optional<String> cancelledBy;
    private Optional<Failed> givenUp;
    private boolean mayWait;
    private Optional<Instant> askedForEnd = Optional.empty();
    private Optional<Instant> firstAskedForEnd = Optional.empty();
    private Optional<JobTrouble> endTrouble = Optional.empty();
    private Optional<JobTrouble> attemptTrouble = Optional.empty();
    private Instant spoke;
    private Instant saved;
    private WatchRecord kept;
    private volatile boolean over;
    private final boolean endRestored;
    /** Whether a process before this one kept the request: whether it had sent it is not known. */
    private final boolean cancelRestored;
    /** Since when a job runs whose end was asked for because it had not started. */
    private Optional<Instant> begunSince = Optional.empty();
    /** As far as the observer has heard; what was read beyond that is read again by the next watch. */
    private WatchRecord told;

    /** Takes the watch up where {@code memory} says it was; {@code hurry} makes the poller look at it at once. */
    Watched(JobHandle job, WatchPlan plan, WatchMemory memory, JobObserver observer, Ticker ticker, Runnable hurry) {
        this.plan = plan;
        this.memory = memory;
        this.observer = observer;
        this.ticker = ticker;
        this.hurry = hurry;
        WatchRecord record = memory.load()
                .map(WatchRecord::parse)
                .filter(kept -> kept.isOf(job))
                .orElseGet(() -> WatchRecord.begin(job));
        Instant now = ticker.now();
        told = record;
        kept = record;
        tracker = new Tracker(record, plan, now);
        silence = new Silence(now);
        cancelledBy = record.cancelledBy();
        givenUp = record.givenUp();
        cancelRestored = cancelledBy.isPresent();
        endRestored = givenUp.isPresent();
        saved = now;
        spoke = now;
    }

    Silence silence() {
        return silence;
    }

    WatchPlan plan() {
        return plan;
    }

    boolean over() {
        return over;
    }

    synchronized Optional<String> cancelledBy() {
        return cancelledBy;
    }

    /**
     * Who ended the job: whoever asked for its end, unless it had ended by itself before the request was sent. A job that was
     * cancelled did not end by itself, however the clocks of both sides differ.
     */
    synchronized Optional<String> endedBy() {
        boolean cancelled = tracker.status().ending().equals(Optional.of(Ending.CANCELLED));
        Optional<Instant> end = tracker.status().endedAt();
        boolean late = firstAskedForEnd
                .map(asked -> !cancelled && end.isPresent() && end.get().isBefore(asked.minus(CLOCKS_DIFFER)))
                .orElse(!cancelRestored);
        return late ? Optional.empty() : cancelledBy;
    }

    /** Whether the requested end has to be asked for now: at once, and again as long as the job does not end. */
    synchronized boolean mustAskForEnd(Instant now) {
        boolean due = askedForEnd
                .map(asked -> Duration.between(asked, now).compareTo(ASK_AGAIN) >= 0)
                .orElse(true);
        return awaitsEnd() && !tracker.ended() && due && (begunSince.isEmpty() || !withdrawing());
    }

    /** Whether its end was asked for and is awaited. */
    synchronized boolean awaitsEnd() {
        return cancelledBy.isPresent() || givenUp.isPresent();
    }

    @Override
    public synchronized boolean withdrawing() {
        return givenUp().filter(why -> why.cause() == Cause.NOT_STARTED).isPresent();
    }

    /** Why it is ended, where nobody cancelled it. */
    synchronized Optional<Failed> givenUp() {
        return cancelledBy.isPresent() ? Optional.empty() : givenUp;
    }

    /**
     * Ends a job that waits in vain or for too long, or that stalls or whose metrics show that it fails and was to be ended then: notes why,
     * reports it, and lets its end be asked for.
     */
    void endIfHopeless(Instant now) {
        Optional<Failed> why;
        synchronized (this) {
            why = awaitsEnd() || over || mayWait ? Optional.empty() : hopeless(now);
            if (why.isEmpty()) {
                return;
            }
            givenUp = why;
            if (!isSaved()) {
                givenUp = Optional.empty(); // a request that nobody remembers is not made
                return;
            }
        }
        tell(List.of(new JobEvent.Notice(Sentences.join(why.get().detail(), "It is ended now"))));
    }

    /**
     * Lets a job go on that started while its end was asked for because it had not started. It is not asked again. Where the request
     * may have hit it all the same, that becomes certain only after a while.
     *
     * @param sparesBegun whether the request ends jobs that wait, and no other
     */
    void keepIfBegun(Instant now, boolean sparesBegun) {
        synchronized (this) {
            if (over || !withdrawing() || !tracker.begunAndLive()) {
                return;
            }
            begunSince = Optional.of(begunSince.orElse(now));
            boolean settled = !now.isBefore(begunSince.get().plus(REQUEST_SETTLES));
            boolean asked = askedForEnd.isPresent() || endRestored;
            if (asked && !sparesBegun && !settled) {
                return;
            }
            givenUp = Optional.empty();
            begunSince = Optional.empty();
            askedForEnd = Optional.empty();
            mayWait = true;
            saveOrLog();
        }
        tell(List.of(new JobEvent.Notice("It started while it was being withdrawn. It continues.")));
    }

    private Optional<Failed> hopeless(Instant now) {
        return tracker.unstarted(now)
                .map(why -> new Failed(Cause.NOT_STARTED, why))
                .or(() -> tracker.earlyEnd().map(why -> new Failed(Cause.ENDED_EARLY, why)))
                .or(() -> plan.onStall() == WatchPlan.OnStall.TELL
                        ? Optional.empty()
                        : tracker.stalled()
                                .or(() -> plan.idleAfter().isPresent() ? tracker.idle() : Optional.empty())
                                .map(why -> new Failed(Cause.STALLED, why)));
    }

    synchronized void askedForEnd(Instant now) {
        askedForEnd = Optional.of(now);
        firstAskedForEnd = firstAskedForEnd.or(() -> askedForEnd);
    }

    /** Keeps the request, which will be asked for again. */
    void missedEnd(BackendException why, Instant now) {
        JobTrouble trouble = endTrouble.orElseGet(() -> new JobTrouble(now));
        endTrouble = Optional.of(trouble);
        if (trouble.failed(why, now)) {
            tell(List.of(new JobEvent.Notice(
                    handle().shortName() + " could not be asked to end yet, it is asked again. " + why.explain())));
        }
    }

    /** Whether a new attempt, or what has to be read before it, may be tried now. */
    boolean mayGoOn(Instant now) {
        return attemptTrouble.map(trouble -> trouble.due(now)).orElse(true);
    }

    /**
     * Takes note that a new attempt could not be started.
     *
     * @return whether to try it once more later
     */
    boolean missedAttempt(BackendException why, Instant now) {
        JobTrouble trouble = attemptTrouble.orElseGet(() -> new JobTrouble(now));
        attemptTrouble = Optional.of(trouble);
        if (trouble.failed(why, now)) {
            tell(List.of(new JobEvent.Notice("a new attempt of " + handle().key()
                    + " could not be started yet, it is tried again. " + why.explain())));
        }
        return trouble.lasting(now).compareTo(plan.giveUpAfter()) < 0;
    }

    /** The next attempt runs. */
    synchronized void wentOn() {
        attemptTrouble = Optional.empty();
        mayWait = false;
        givenUp = Optional.empty();
        askedForEnd = Optional.empty();
        firstAskedForEnd = Optional.empty();
    }

    /** How long the next look at a job that has ended may wait. */
    Duration pauseWhileEnding(Instant now) {
        Duration left = attemptTrouble.map(trouble -> trouble.left(now)).orElse(Duration.ZERO);
        return left.compareTo(Pace.whileEnding()) > 0 ? left : Pace.whileEnding();
    }

    /** Says where the job stands when nothing else was said for long. */
    void breakSilence(Instant now) {
        if (!over && Duration.between(spoke, now).compareTo(QUIET) >= 0) {
            tell(List.of(new JobEvent.Still(describe())));
        }
    }

    /** Drops the request: it was refused for good. */
    void refusedEnd(BackendException refusal) {
        synchronized (this) {
            cancelledBy = Optional.empty();
            mayWait = mayWait || givenUp.isPresent();
            givenUp = Optional.empty();
            endTrouble = Optional.empty();
            saveOrLog();
        }
        tell(List.of(new JobEvent.CancelRefused(String.valueOf(refusal.getMessage()), refusal.remedy())));
    }

    @Override
    public synchronized JobHandle handle() {
        return tracker.handle();
    }

    @Override
    public void cancel(String by) {
        synchronized (this) {
            if (over || cancelledBy.isPresent()) {
                return;
            }
            cancelledBy = Optional.of(by);
            saveOrLog();
        }
        hurry.run();
    }

    @Override
    public void detach() {
        synchronized (this) {
            keep();
            over = true;
        }
        hurry.run();
    }

    /** Saves how far the observer was told, for the process that goes on with the watch. */
    synchronized void keep() {
        if (!over && !told.equals(kept)) {
            saveOrLog();
        }
    }

    /** A watch that cannot be saved goes on all the same: one after a restart repeats some lines. */
    private void saveOrLog() {
        var unused = isSaved();
    }

    private boolean isSaved() {
        try {
            save();
            return true;
        } catch (UncheckedIOException e) {
            LOGGER.log(
                    Level.WARNING,
                    e,
                    () -> "could not save the log position of " + handle().shortName()
                            + "; its next watch may repeat lines");
            return false;
        }
    }

    /** Tells the observer; keeps what changed, at once after a transition, seldom for mere reading. */
    void tell(List<JobEvent> events) {
        for (JobEvent event : events) {
            if (!over) {
                deliver(event);
            }
        }
        boolean transition = events.stream()
                .anyMatch(event -> !(event instanceof JobEvent.Lines
                        || event instanceof JobEvent.Advanced
                        || event instanceof JobEvent.GpusUsed));
        Instant now = ticker.now();
        synchronized (this) {
            if (over) {
                return;
            }
            if (!events.isEmpty()) {
                told = tracker.record(cancelledBy).withEnd(cancelledBy, givenUp);
            }
            boolean due = Duration.between(saved, now).compareTo(SAVE_POSITIONS_EVERY) >= 0;
            if (transition || (due && !told.equals(kept))) {
                saveOrLog();
            }
        }
    }

    /** Tells the end; nothing is told after it. */
    void finish(JobResult result) {
        synchronized (this) {
            if (over) {
                return;
            }
            told = tracker.record(cancelledBy).withEnd(cancelledBy, givenUp);
            saveOrLog();
            over = true;
        }
        deliver(new JobEvent.Ended(result));
    }

    /** Changes the tracker while nobody else reads it. */
    synchronized <R> R move(Function<Tracker, R> step) {
        return step.apply(tracker);
    }

    @SuppressWarnings(
            "CatchAndPrintStackTrace") // an observer's fault is the admin's to see and must not stop the poller
    private void deliver(JobEvent event) {
        boolean silent = event instanceof JobEvent.Lines
                || event instanceof JobEvent.Machine
                || event instanceof JobEvent.GpusUsed;
        if (!silent) {
            spoke = ticker.now();
        }
        try {
            observer.on(event);
        } catch (RuntimeException e) {
            LOGGER.log(
                    Level.WARNING,
                    e,
                    () -> "an observer of " + handle().shortName() + " failed on "
                            + event.getClass().getSimpleName());
        }
    }

    private void save() {
        told = told.withEnd(cancelledBy, givenUp);
        memory.save(told.render());
        kept = told;
        saved = ticker.now();
    }

    @Override
    public synchronized String describe() {
        return WatchWords.of(tracker, ticker.now());
    }
}
