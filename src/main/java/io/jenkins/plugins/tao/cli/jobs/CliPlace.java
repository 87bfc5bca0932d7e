package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.placing.Ask;
import io.jenkins.plugins.tao.placing.Door;
import io.jenkins.plugins.tao.placing.Inheritance;
import io.jenkins.plugins.tao.placing.Inherited;
import io.jenkins.plugins.tao.placing.Left;
import io.jenkins.plugins.tao.placing.Leg;
import io.jenkins.plugins.tao.placing.Limits;
import io.jenkins.plugins.tao.placing.Next;
import io.jenkins.plugins.tao.placing.Placing;
import io.jenkins.plugins.tao.placing.Turn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** What the command line does for a job that is being placed. */
final class CliPlace implements Door {
    private static final WatchPlan PLAN = WatchPlan.defaults().withoutRetries();

    private final Session session;
    private final JobOutput output;
    private final PlacedJob job;
    private final Assignment first;
    private final Set<String> wanted;
    private final List<String> targets;
    private final Map<JobKey, Assignment> assignments = new ConcurrentHashMap<>();

    CliPlace(Session session, JobOutput output, PlacedJob job, Assignment first) {
        this.session = session;
        this.output = output;
        this.job = job;
        this.first = first;
        wanted = wanted(first);
        targets = job.known().legs().stream().map(Leg::target).toList();
    }

    /** The placeholders of the parent that a job has. */
    static Set<String> wanted(Assignment job) {
        return Inheritance.wanted(job.spec(), job.file().after().isPresent());
    }

    /** The job as it was asked for on the target where {@code key} is. */
    Assignment assignment(JobKey key) throws UsageException {
        Assignment known = assignments.get(key);
        if (known != null) {
            return known;
        }
        String target = job.known().legs().stream()
                .filter(leg -> leg.id().equals(key))
                .map(Leg::target)
                .findFirst()
                .orElse(first.target().name());
        return load(target, key);
    }

    private Assignment load(String target, JobKey key) throws UsageException {
        Assignment loaded = Assignment.load(job.request().on(target), Optional.of(key.value()), session.here());
        assignments.put(key, loaded);
        return loaded;
    }

    private static UncheckedIOException unchecked(UsageException e) {
        return new UncheckedIOException(new IOException(e.getMessage(), e));
    }

    @Override
    public void save(Placing placing) {
        try {
            Optional<PlacedJob> kept = session.store().placed(job.id());
            String given = kept.map(known -> known.known().given()).orElse("");
            if (!given.isEmpty()) { // by 'tao cancel' in another terminal
                throw new GivenUp(job.id() + " goes no further. " + given);
            }
            session.store().place(job.with(placing));
        } catch (UsageException e) {
            throw unchecked(e);
        }
    }

    @Override
    public CompletableFuture<JobHandle> send(Next.Send send, boolean resumed) {
        Leg leg = send.leg();
        try {
            Assignment assignment = load(leg.target(), leg.id()).inheriting(send.inherited());
            return Sending.of(session, output, assignment, resumed, send.last())
                    .recorded()
                    .thenApply(handle -> {
                        session.here().turns().taken(leg.target(), leg.key(), handle);
                        return handle;
                    });
        } catch (UsageException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public boolean mayBeThere(Leg leg) {
        return session.store().isPending(leg.id());
    }

    @Override
    public Turn turn(Leg leg) {
        Limits limits = first.accounting().limits(leg.target());
        if (limits.isEmpty()) {
            return Turn.none(session.now());
        }
        Resources asked = first.spec().resources();
        int gpus = asked.nodes() * asked.gpusPerNode().orElse(1);
        return session.here()
                .turns()
                .ask(
                        limits,
                        new Ask(leg.key(), gpus, ""),
                        session.now(),
                        jobs -> session.dispatcher().poll(target(leg.target()), jobs));
    }

    @Override
    public void turnOver(Leg leg) {
        session.here().turns().over(leg.target(), leg.key());
        Assignment sent = assignments.get(leg.id());
        if (sent != null) {
            new Bookkeeping(session, output::note).release(sent, CodeVersion.origin(session.here(), sent));
        }
        try {
            Optional<JobEntry> entry = session.store().find(leg.key());
            if (entry.isPresent()) {
                session.store()
                        .save(entry.get()
                                .withState(entry.get().handle(), new Outcome.Cancelled("").word(), session.now()));
            }
        } catch (UsageException e) {
            output.note(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean waitsWhenRefused(Leg leg) {
        return first.accounting().limits(leg.target()).waitWhenRefused();
    }

    @Override
    public Optional<Duration> startWithin() {
        return first.spec().resources().startWithin();
    }

    @Override
    public Watch watch(JobHandle handle, JobObserver observer) {
        return session.dispatcher()
                .watch(
                        target(handle.target()),
                        handle,
                        PLAN.withoutLogs(),
                        session.store().memory(handle),
                        observer);
    }

    @Override
    public Watch watchParent(JobHandle parent, JobObserver observer) {
        return session.dispatcher().watch(target(parent.target()), parent, PLAN, WatchMemory.none(), observer);
    }

    private Target target(String name) {
        try {
            return Targets.find(
                            Optional.of(job.request().targetsFile()).filter(file -> !file.isEmpty()), session.here())
                    .named(name)
                    .target();
        } catch (UsageException e) {
            throw unchecked(e);
        }
    }

    @Override
    public JobHandle newest(JobHandle known) {
        try {
            return session.store()
                    .find(known.key().value())
                    .map(JobEntry::handle)
                    .filter(handle -> handle.attempt() > known.attempt())
                    .orElse(known);
        } catch (UsageException e) {
            throw unchecked(e);
        }
    }

    @Override
    public Inherited inherit(JobHandle parent) {
        return Inheritance.of(parent, wanted, targets, left(parent));
    }

    private Left left(JobHandle parent) {
        Target target = target(parent.target());
        return new Left(
                parent,
                path -> session.dispatcher().list(target, path),
                positions -> session.dispatcher().read(target, positions));
    }

    @Override
    public void say(String line) {
        output.note(line);
    }
}
