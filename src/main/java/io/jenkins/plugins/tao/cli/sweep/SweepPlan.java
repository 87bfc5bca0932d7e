package io.jenkins.plugins.tao.cli.sweep;

import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.input.Sweeping;
import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.jobs.SharedInputs;
import io.jenkins.plugins.tao.cli.output.OutputChoice;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.mask.Mask;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.sweep.Cell;
import io.jenkins.plugins.tao.sweep.CellEnd;
import io.jenkins.plugins.tao.sweep.EarlyRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A sweep that is about to run or to go on: all its cells are read and checked.
 *
 * @param store where it is kept
 * @param sweep what the job file says
 * @param state what is known of it; kept already
 * @param jobs the job of each cell
 * @param endEarly its rules, with their directions
 */
public record SweepPlan(
        SweepStore store, Sweeping sweep, SweepState state, Map<Cell, Assignment> jobs, List<EarlyRule> endEarly) {

    /** Reads a sweep that is asked for now; one that was asked for under this id before goes on. */
    public static SweepPlan asked(JobRequest request, Sweeping sweep, Optional<String> id, Session session)
            throws UsageException {
        SweepStore store = new SweepStore(session.here());
        String name = id.orElseGet(() ->
                JobKey.derive(request.stem(), UUID.randomUUID().toString()).value());
        SweepState state =
                store.find(name).map(known -> known.asked(request)).orElseGet(() -> SweepState.of(name, request));
        SweepPlan plan = read(store, sweep, state, session);
        store.allow(name);
        return plan.kept();
    }

    /** Reads a sweep that was asked for before. */
    public static SweepPlan known(SweepState state, Session session) throws UsageException {
        Sweeping sweep = Sweeping.of(state.request())
                .orElseThrow(() -> new UsageException("The record of the sweep '" + state.id() + "' has no matrix."));
        return read(new SweepStore(session.here()), sweep, state, session);
    }

    /** The same with the cells that did not succeed asked for once more; those that were ended early have had their answer. */
    public SweepPlan again(Session session) throws UsageException {
        SweepState next = state;
        for (Cell cell : jobs.keySet()) {
            CellEnd end = SweepTurn.end(cell, state.end(cell));
            boolean had = state.end(cell).isPresent();
            if (had && end.bad()) {
                next = next.again(cell);
            }
        }
        SweepPlan plan = read(store, sweep, next, session);
        store.allow(state.id());
        return plan.kept();
    }

    private static SweepPlan read(SweepStore store, Sweeping sweep, SweepState state, Session session)
            throws UsageException {
        Map<Cell, Assignment> jobs = new LinkedHashMap<>();
        SharedInputs shared = new SharedInputs();
        for (Sweeping.Part part : sweep.parts()) {
            jobs.put(
                    part.cell(),
                    Assignment.load(part.request(), Optional.of(state.key(part.cell())), session.here(), shared));
        }
        Assignment first = jobs.values().iterator().next();
        RunRecord planned = Journal.planned(
                first.spec(), first.key(), first.target().name(), RunOrigin.UNKNOWN, Mask.of(List.of())::apply);
        try {
            List<EarlyRule> rules = sweep.terms().endEarly().stream()
                    .map(rule -> rule.directed(sweep.terms().best(), planned))
                    .toList();
            SweepState pinned =
                    state.asked(state.request().withCode(first.request().code()));
            return new SweepPlan(store, sweep, pinned, jobs, rules);
        } catch (IllegalArgumentException e) {
            throw new UsageException(state.request().file() + ": " + e.getMessage() + ".", e);
        }
    }

    /**
     * The jobs to send now, as many as may run at a time: those that were sent before and have not ended take a place, and are among them, for
     * to ask again finds them.
     */
    public List<Assignment> first(Session session) throws UsageException {
        List<Assignment> first = new ArrayList<>();
        for (Map.Entry<Cell, Assignment> job : jobs.entrySet()) {
            Optional<JobEntry> sent =
                    session.store().settled(job.getValue().key().value());
            boolean ended = state.end(job.getKey()).isPresent()
                    || sent.flatMap(entry -> ExitCode.ofEnd(entry.state())).isPresent();
            if (!ended && first.size() < sweep.terms().maxParallel()) {
                first.add(job.getValue());
            }
        }
        return first;
    }

    /** The ids of the jobs of a sweep that were sent, or may have been, and are not known to have ended. */
    public static List<String> live(SweepState state, Session session) throws UsageException {
        Optional<Sweeping> sweep = Sweeping.of(state.request());
        List<String> live = new ArrayList<>();
        for (Sweeping.Part part : sweep.map(Sweeping::parts).orElse(List.of())) {
            String key = state.key(part.cell());
            Optional<JobEntry> sent = session.store().settled(key);
            boolean ended = sent.flatMap(entry -> ExitCode.ofEnd(entry.state())).isPresent();
            if (!ended && (sent.isPresent() || session.store().isOnItsWay(new JobKey(key)))) {
                live.add(key);
            }
        }
        return live;
    }

    /** Keeps what is to be sent, before it is. */
    private SweepPlan kept() throws UsageException {
        store.save(state);
        return this;
    }

    /** Runs it, alone among the processes of this user. */
    public ExitCode run(Session session, WatchChoice watching, OutputChoice choice)
            throws UsageException, InterruptedException {
        SweepStore.Hold hold = store.hold(state.id());
        try {
            return new SweepRun(session, watching, choice, this).run();
        } finally {
            hold.close();
        }
    }
}
