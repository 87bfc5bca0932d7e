package io.jenkins.plugins.tao.placing;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Ticker;
import io.jenkins.plugins.tao.monitor.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Does what a {@link Placing} says, one step after the other, until the job is placed. Holds no thread while it waits. */
public final class Placer {
    /** How long whoever looks after a parent may take to start its next attempt after a failure of machines. */
    private static final Duration NEXT_ATTEMPT = Duration.ofMinutes(2);

    /** A limit of a target passes when a job there ends, which here nobody is told. */
    private static final Duration LIMIT_AGAIN = Duration.ofMinutes(1);

    /** Until a target that did not answer is asked again what the parent left. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private final Door door;
    private final Ticker ticker;
    private final Executor io;
    private final CompletableFuture<JobHandle> result = new CompletableFuture<>();
    private Placing placing;
    private boolean resumed;
    private @Nullable Watch watch;
    private @Nullable CompletableFuture<JobHandle> sending;
    private @Nullable String stoppedBy;
    private String waitsFor = "";

    private Placer(Door door, Placing placing, boolean resumed, Ticker ticker, Executor io) {
        this.door = door;
        this.placing = placing;
        this.resumed = resumed;
        this.ticker = ticker;
        this.io = io;
    }

    /**
     * Begins, or goes on where {@code placing} is; returns at once.
     *
     * @param resumed whether another process has begun it
     */
    public static Placer start(Door door, Placing placing, boolean resumed, Ticker ticker, Executor io) {
        Placer placer = new Placer(door, placing, resumed, ticker, io);
        placer.again();
        return placer;
    }

    /** The job, once it is where it stays; fails with {@link BackendException} or with what kept it from being recorded. */
    public CompletableFuture<JobHandle> result() {
        return result;
    }

    /**
     * Lets no further target be asked.
     *
     * @param by who wants it, for people
     * @return the leg on which the job may be; whoever stops the placing ends that job
     */
    public synchronized Optional<Leg> stop(String by) {
        stoppedBy = by;
        detach();
        CompletableFuture<JobHandle> sent = sending;
        if (placing.current().isEmpty() && sent != null) {
            sent.cancel(false);
        }
        if (placing.current().isEmpty()) {
            placing.legs().forEach(door::turnOver);
            keep(placing.givenUp("Given up by " + by + "."));
        }
        result.completeExceptionally(new BackendException.Rejected("The job was given up by " + by + ".", ""));
        return placing.current();
    }

    /** Leaves all as it is; another process can go on. */
    public synchronized void leave() {
        stoppedBy = "leave";
        detach();
    }

    private void again() {
        later(this::act);
    }

    /** What fails ends the placing: else it would wait for ever. */
    private void later(Runnable step) {
        io.execute(() -> {
            try {
                step.run();
            } catch (Door.GivenUp e) {
                result.completeExceptionally(new BackendException.Rejected(String.valueOf(e.getMessage()), ""));
            } catch (RuntimeException | LinkageError e) {
                result.completeExceptionally(e);
            }
        });
    }

    private synchronized void act() {
        if (stoppedBy != null) {
            return;
        }
        Next next = placing.next();
        if (next instanceof Next.Await await) {
            await(door.newest(await.parent()));
        } else if (next instanceof Next.Send send) {
            send(send);
        } else if (next instanceof Next.Watch watching) {
            JobHandle job = watching.leg().job();
            Sight sight = new Sight(watching.leg());
            watch = door.watch(job, sight::on);
            sight.watchedBy(watch);
        } else if (next instanceof Next.Placed placed) {
            result.complete(placed.job());
        } else if (next instanceof Next.Nowhere nowhere) {
            result.completeExceptionally(new BackendException.Rejected(nowhere.why(), nowhere.remedy()));
        }
    }

    private void send(Next.Send send) {
        boolean maybeSent = resumed && send.leg().state() == Leg.State.SENDING;
        if (!maybeSent && mustWait(send)) {
            return;
        }
        resumed = false;
        keep(placing.sending(send.leg()));
        CompletableFuture<JobHandle> answer = door.send(send, maybeSent);
        sending = answer;
        var unused = answer.whenComplete((job, failure) -> later(() -> take(send, job, failure)));
    }

    /** Whether the job has no turn yet; then it asks again, or its next target is asked. */
    private boolean mustWait(Next.Send send) {
        Turn turn = door.turn(send.leg());
        if (turn.granted()) {
            return false;
        }
        Optional<Duration> most = send.last() ? Optional.empty() : door.startWithin();
        if (most.filter(time -> !ticker.now().isBefore(turn.since().plus(time))).isPresent()) {
            door.turnOver(send.leg());
            keep(placing.notThere(send.leg(), "It had no turn in time: " + turn.why() + "."));
            door.say(send.leg().target() + " is not asked: the job had no turn in time");
            again();
            return true;
        }
        told(turn.why());
        ticker.after(turn.again(), this::again);
        return true;
    }

    private void told(String why) {
        if (!why.equals(waitsFor)) {
            waitsFor = why;
            door.say(why);
        }
    }

    /** Where the target may have the job, nothing is known, and no other one is asked. */
    private synchronized void take(Next.Send send, @Nullable JobHandle job, @Nullable Throwable failure) {
        if (job != null) {
            keep(placing.taken(send.leg(), job));
        } else if (door.mayBeThere(send.leg()) || stoppedBy != null) {
            result.completeExceptionally(unwrapped(failure));
            return;
        } else {
            Throwable cause = unwrapped(failure);
            if (cause instanceof BackendException.Rejected full
                    && full.isForLimit()
                    && door.waitsWhenRefused(send.leg())) {
                keep(placing.open(send.leg()));
                told("waits for target " + send.leg().target() + ", whose own limits are reached: "
                        + full.getMessage());
                ticker.after(LIMIT_AGAIN, this::again);
                return;
            }
            door.turnOver(send.leg());
            if (send.last() && placing.legs().size() == 1) {
                keep(placing.notThere(send.leg(), words(cause)));
                result.completeExceptionally(cause);
                return;
            }
            if (!(cause instanceof BackendException)) {
                result.completeExceptionally(cause);
                return;
            }
            keep(placing.notThere(send.leg(), words(cause)));
            door.say(send.leg().target() + " does not run the job: " + words(cause));
        }
        again();
    }

    private static Throwable unwrapped(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause == null
                ? new IllegalStateException("a submission ended without a job and without a reason")
                : cause;
    }

    private static String words(Throwable cause) {
        return cause instanceof BackendException known
                ? known.explain()
                : Sentences.join(String.valueOf(cause.getMessage()));
    }

    private void keep(Placing now) {
        door.save(now);
        placing = now;
    }

    private void detach() {
        Watch running = watch;
        watch = null;
        if (running != null) {
            running.detach();
        }
    }

    private void await(JobHandle parent) {
        door.say("waits for " + parent.shortName() + " (" + parent.key() + ") to succeed");
        watch = door.watchParent(parent, event -> {
            if (event instanceof JobEvent.Ended ended) {
                later(() -> judge(ended.result()));
            }
        });
    }

    private synchronized void judge(JobResult parent) {
        watch = null;
        if (stoppedBy != null) {
            return;
        }
        if (parent.outcome() instanceof Outcome.Succeeded) {
            Inherited inherited = door.inherit(parent.handle());
            if (inherited.unknown().isPresent()) {
                told(inherited.unknown().get() + " It is looked at again in " + LOOK_AGAIN.toSeconds() + " s");
                ticker.after(LOOK_AGAIN, () -> later(() -> judge(parent)));
                return;
            }
            keep(inherited
                    .missing()
                    .map(why -> placing.givenUp("Nothing was sent. " + why))
                    .orElseGet(() -> placing.parentSucceeded(inherited.values())));
            again();
        } else if (parent.outcome() instanceof Outcome.Failed failed
                && failed.cause().infrastructure()) {
            ticker.after(NEXT_ATTEMPT, () -> later(() -> parentFailed(parent)));
        } else {
            parentFailed(parent);
        }
    }

    /** Whoever waits for the parent may have started its next attempt meanwhile. */
    private synchronized void parentFailed(JobResult parent) {
        if (stoppedBy != null) {
            return;
        }
        if (door.newest(parent.handle()).attempt() == parent.handle().attempt()) {
            keep(placing.givenUp("Nothing was sent: the job " + parent.handle().key() + " ("
                    + parent.handle().shortName() + "), after which this one was to run, ended as "
                    + words(parent.outcome()) + ". Send it after a job that succeeds."));
        }
        again();
    }

    private static String words(Outcome outcome) {
        String why = outcome.match(ok -> "", failed -> failed.words(), cancelled -> "by " + cancelled.by(), lost -> "");
        return outcome.word() + (why.isEmpty() ? "" : " (" + why.replaceFirst("\\.$", "") + ")");
    }

    /** What is seen of a job that may still be withdrawn. */
    private final class Sight {
        private final Leg leg;
        private @Nullable Watch own;
        private boolean begun;
        private boolean over;

        Sight(Leg leg) {
            this.leg = leg;
        }

        private synchronized void watchedBy(Watch started) {
            own = started;
            settleIfBegun();
        }

        private synchronized void on(JobEvent event) {
            if (over) {
                return;
            }
            if (event instanceof JobEvent.Notice notice) {
                door.say(leg.job().shortName() + ": " + notice.text());
            }
            if (event instanceof JobEvent.StatusChanged changed) {
                begun = hasBegun(changed.now());
            }
            if (event instanceof JobEvent.CancelRefused refused) {
                over = true;
                door.say(leg.job().shortName() + " cannot be withdrawn and stays where it is. " + refused.what());
                later(this::stays);
            } else if (event instanceof JobEvent.Ended ended) {
                over = true;
                later(() -> ended(ended.result()));
            } else {
                settleIfBegun();
            }
        }

        private boolean hasBegun(JobStatus now) {
            return now.state() == JobState.RUNNING || now.state() == JobState.PAUSED || now.runs() > 0;
        }

        private void settleIfBegun() {
            Watch seen = own;
            if (begun && !over && seen != null && !seen.withdrawing()) {
                over = true;
                later(this::stays);
            }
        }

        private void stays() {
            moveOn(Placing::stays);
        }

        /** Only an end that was asked for before the job began, and is confirmed, lets another target be asked. */
        private void ended(JobResult end) {
            if (end.outcome() instanceof Outcome.Failed failed && failed.cause() == Outcome.Cause.NOT_STARTED) {
                door.turnOver(leg);
                moveOn(now -> now.notThere(leg, failed.words()));
                door.say(leg.job().shortName() + " is withdrawn: " + failed.words());
            } else {
                stays();
            }
        }
    }

    private synchronized void moveOn(UnaryOperator<Placing> step) {
        if (stoppedBy != null) {
            return;
        }
        keep(step.apply(placing));
        detach();
        act();
    }
}
