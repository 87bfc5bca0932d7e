package io.jenkins.plugins.tao.cli.sweep;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.cli.input.Sweeping;
import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.jobs.CodeVersion;
import io.jenkins.plugins.tao.cli.jobs.Follower;
import io.jenkins.plugins.tao.cli.jobs.Sending;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.jobs.Submitting;
import io.jenkins.plugins.tao.cli.jobs.Waiting;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.JsonOutput;
import io.jenkins.plugins.tao.cli.output.OutputChoice;
import io.jenkins.plugins.tao.cli.output.PlainOutput;
import io.jenkins.plugins.tao.cli.output.Question;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.sweep.CellEnd;
import io.jenkins.plugins.tao.sweep.Hopeless;
import io.jenkins.plugins.tao.sweep.SweepTable;
import io.jenkins.plugins.tao.sweep.Turns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Runs the cells of a sweep, some at a time, until all have ended. It holds the one thread of the command line, whatever the number of cells; what
 * happens to them is told by the dispatcher's own threads. All that is needed to take the sweep up again is kept as it goes.
 */
final class SweepRun {
    private static final long TICK_MILLIS = 250;

    private final Session session;
    private final WatchChoice watching;
    private final OutputChoice choice;
    private final SweepStore store;
    private final Sweeping sweep;
    private final List<SweepTurn> turns = new ArrayList<>();
    private final Semaphore news = new Semaphore(0);
    private final Hopeless hopeless;
    private final JobOutput output;
    private volatile SweepState state;
    private final String id;
    private volatile boolean stopped;

    SweepRun(Session session, WatchChoice watching, OutputChoice choice, SweepPlan plan) {
        this.session = session;
        this.watching = watching;
        this.choice = choice;
        store = plan.store();
        sweep = plan.sweep();
        state = plan.state();
        id = state.id();
        output = open(id);
        hopeless = new Hopeless(plan.endEarly());
        plan.jobs().forEach((cell, job) -> turns.add(new SweepTurn(cell, job)));
        stopped = store.isStopped(id);
    }

    /** A sweep's output is lines: the logs of cells that run side by side are in the files that come home. */
    private JobOutput open(String name) {
        Verbosity verbosity = new Verbosity(choice.quiet, false);
        return choice.json
                ? new JsonOutput(session.out(), session.here().clock(), verbosity, Optional.of(name))
                : new PlainOutput(session.out(), name, verbosity);
    }

    /** Runs it to its end, or until Ctrl-C takes leave of it. */
    ExitCode run() throws UsageException, InterruptedException {
        takeUp();
        RunOrigin origin = CodeVersion.origin(session.here());
        while (!turns.stream().allMatch(turn -> turn.hasEnded() || (stopped && turn.waits()))) {
            answers();
            start(origin);
            if (!finish() && news.tryAcquire(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
                news.drainPermits();
            }
            if (session.interrupts().take() && !goOn()) {
                return ExitCode.DETACHED;
            }
        }
        return conclude();
    }

    /** What an earlier process knew of the cells: those that ended have ended, and those that were sent are watched on. */
    private void takeUp() throws UsageException, InterruptedException {
        for (SweepTurn turn : turns) {
            Optional<SweepState.End> end = state.end(turn.cell());
            if (end.isPresent()) {
                turn.ended(end.get());
                learn(turn);
                continue;
            }
            Optional<JobEntry> known = session.store().settled(turn.key());
            if (known.isPresent() && !knowsEnd(turn, known.get())) {
                watch(turn, known.get());
            }
        }
    }

    /**
     * Whether an earlier process brought all of a job home and was killed before it could note that. What gates say is not noted elsewhere: a
     * cell that has some is watched again.
     */
    private boolean knowsEnd(SweepTurn turn, JobEntry job) throws UsageException {
        Optional<ExitCode> code = ExitCode.ofEnd(job.state());
        Optional<RunRecord> record = record(turn).filter(run -> run.outcome().equals(job.state()));
        if (code.isEmpty() || record.isEmpty() || !turn.job().file().gates().isEmpty()) {
            return false;
        }
        SweepState.End end = turn.ended(
                job,
                record.get(),
                code.get(),
                state.early().getOrDefault(turn.cell().id(), ""));
        learn(turn);
        synchronized (this) {
            state = state.withEnd(turn.cell(), end);
            store.save(state);
        }
        return true;
    }

    private void learn(SweepTurn turn) throws UsageException {
        Optional<RunRecord> record = record(turn);
        synchronized (hopeless) { // cells that are watched already tell it what they measure
            hopeless.close(turn.cell().id());
            record.ifPresent(read -> hopeless.learn(turn.cell().id(), read));
        }
    }

    private Optional<RunRecord> record(SweepTurn turn) throws UsageException {
        return watching.noArchive
                ? Optional.empty()
                : SweepRecords.of(
                        session.here().path(watching.archiveDirectory),
                        session.store().whereItStays(turn.key()));
    }

    private void start(RunOrigin origin) throws UsageException {
        stopped = stopped || store.isStopped(id);
        if (stopped) {
            return;
        }
        int most = sweep.terms().maxParallel();
        for (SweepTurn turn : Turns.next(turns, SweepTurn::runs, SweepTurn::waits, most)) {
            if (!choice.quiet) {
                output.note(turn.key() + " is the cell " + turn.cell().label());
            }
            Submitting sending = Submitting.start(
                    session, open(turn.key()), turn.job(), CodeVersion.origin(session.here(), turn.job(), origin));
            turn.sending(sending);
            sending.whenAnswered(news::release);
        }
    }

    /** Watches the jobs whose targets have answered. */
    private void answers() throws UsageException, InterruptedException {
        for (SweepTurn turn : turns) {
            Optional<Submitting> answered = turn.sending().filter(Submitting::answered);
            if (answered.isEmpty()) {
                continue;
            }
            try {
                Optional<Sending.Sent> sent = answered.get().await();
                if (sent.isPresent()) {
                    watch(turn, sent.get().entry());
                    endIfStopped(turn);
                }
            } catch (Waiting.Failed e) {
                if (!(e.getCause() instanceof BackendException refused)) {
                    throw e;
                }
                boolean unknown = session.store().isPending(turn.job().key());
                output.note(
                        turn.key() + (unknown ? " may have been started: " : " was not started: ") + refused.explain());
                turn.ended(new SweepState.End(
                        unknown ? "lost" : "not started",
                        Map.of(),
                        "",
                        refused.explain(),
                        ExitCode.ofRefusal(refused).number()));
            }
        }
    }

    /** A cell that was on its way when the sweep was stopped. */
    private void endIfStopped(SweepTurn turn) {
        if (stopped || store.isStopped(state.id())) {
            turn.watch().ifPresent(watch -> watch.cancel("the end of its sweep"));
        }
    }

    private void watch(SweepTurn turn, JobEntry entry) throws UsageException {
        JobOutput own = open(turn.key());
        Follower follower = new Follower(session, watching, own, new Verbosity(choice.quiet, false));
        SweepTurn.Look look = new SweepTurn.Look(hopeless, turn, this::order);
        String target = entry.handle().target(); // one of several that the cell may run on
        Assignment there = target.equals(turn.job().target().name())
                ? turn.job()
                : Assignment.load(turn.job().request().on(target), Optional.of(turn.key()), session.here());
        Follower.Following following = follower.begin(entry, there.target(), look);
        turn.watching(follower, following);
        String early = state.early().get(turn.cell().id());
        if (early != null) {
            following.watch().cancel(early); // ordered by a process that was killed before it could say so
        }
        var unused = following.end().whenComplete((result, failure) -> news.release());
    }

    /** Ends a hopeless cell: first the order is kept, then it is given. Called by a thread that watches. */
    private void order(SweepTurn turn, String why) {
        CompletableFuture<?> done = turn.orders();
        synchronized (this) {
            state = state.withEarly(turn.cell(), why);
            try {
                store.save(state);
            } catch (UsageException e) {
                output.note("the cell " + turn.cell().id() + " could not be stopped early by " + why + ": "
                        + e.getMessage());
                return;
            }
        }
        output.note(turn.key() + " is ended early by " + why);
        var unused = done.thenRun(() -> turn.watch().ifPresent(watch -> watch.cancel(why)));
    }

    /** Brings home what one ended cell left; the place of every ended one is free before. */
    private boolean finish() throws UsageException, InterruptedException {
        Optional<SweepTurn> ended =
                turns.stream().filter(SweepTurn::wantsFinish).findFirst();
        if (ended.isEmpty()) {
            return false;
        }
        SweepState.End end = ended.get().finish();
        hopeless.close(ended.get().cell().id());
        synchronized (this) {
            state = state.withEnd(ended.get().cell(), end);
            store.save(state);
        }
        return true;
    }

    private boolean goOn() throws UsageException {
        Question.Answer answer = new Question(session.here(), output).answer(watching.onInterrupt(session.here()));
        if (answer == Question.Answer.KEEP_WATCHING) {
            output.note("watching on; Ctrl-C asks again");
            session.interrupts().goOn();
            return true;
        }
        if (answer == Question.Answer.CANCEL) {
            output.note("asking for the end of all cells, and no other is started; Ctrl-C again leaves at once");
            store.stop(id, "Ctrl-C");
            stopped = true;
            turns.forEach(turn -> turn.watch().ifPresent(watch -> watch.cancel("Ctrl-C")));
            return true;
        }
        turns.forEach(turn -> turn.watch().ifPresent(io.jenkins.plugins.tao.monitor.Watch::detach));
        output.close();
        session.err()
                .println(
                        "The cells that were submitted continue, and no other is started. Resume the sweep with: tao wait "
                                + id);
        return false;
    }

    private ExitCode conclude() throws UsageException {
        List<CellEnd> ends = turns.stream().map(SweepTurn::end).toList();
        if (output instanceof JsonOutput json) {
            json.table(new SweepTable(ends, sweep.terms().best()));
        } else {
            SweepTable.lines(ends, sweep.terms().best()).forEach(line -> output.note("  " + line));
        }
        sweep.terms()
                .best()
                .flatMap(rule -> rule.of(ends))
                .ifPresent(best -> output.note("the best cell is " + best.cell().id() + ": "
                        + best.cell().label()));
        List<CellEnd> bad = ends.stream().filter(CellEnd::bad).toList();
        if (!bad.isEmpty()) {
            output.note(
                    bad.size() + " of " + ends.size() + " cells did not succeed; to run them alone: tao retry " + id);
        }
        Map<String, Integer> codes = new LinkedHashMap<>();
        turns.forEach(turn -> codes.put(turn.cell().id(), turn.code()));
        ExitCode cells = SweepExit.of(codes.values());
        ExitCode code =
                cells == ExitCode.SUCCEEDED || SweepExit.isGate(cells) ? SweepExit.worse(cells, judged()) : cells;
        output.close();
        return code;
    }

    private ExitCode judged() throws UsageException {
        if (watching.noArchive || sweep.groupGates().isEmpty()) {
            return ExitCode.SUCCEEDED;
        }
        List<String> keys = new ArrayList<>();
        for (SweepTurn turn : turns) {
            keys.add(session.store().whereItStays(turn.key()));
        }
        return SweepRecords.judged(
                session.here().path(watching.archiveDirectory), keys, sweep.groupGates(), output::note);
    }
}
