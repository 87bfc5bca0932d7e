package io.jenkins.plugins.tao.dispatch;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Attributing;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.JobArrays;
import io.jenkins.plugins.tao.backend.Leasing;
import io.jenkins.plugins.tao.backend.LiveJobs;
import io.jenkins.plugins.tao.backend.Machine;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.PatternUse;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.Tidying;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.TargetHealth;
import io.jenkins.plugins.tao.monitor.Ticker;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.monitor.poll.Connections;
import io.jenkins.plugins.tao.monitor.poll.Monitor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/**
 * The verbs that every door shares. One per process: it keeps one connection for each target in use and none when
 * nothing is, and a small, bounded number of threads whatever the number of jobs.
 */
public final class Dispatcher implements AutoCloseable {
    /** How long a submission without an answer is tried where nothing else is said. */
    public static final Duration SUBMISSION_GIVES_UP = Duration.ofHours(1);

    private static final String UNMATCHED = "matches no file below the results directory";

    private final BackendTypes types;
    private final Ticker ticker;
    private final Workers workers;
    private final Connections connections;
    private final Monitor monitor;
    private final Controller controller;

    Dispatcher(BackendTypes types, Ticker ticker, Workers workers, Controller controller) {
        this.types = types;
        this.ticker = ticker;
        this.workers = workers;
        this.controller = controller;
        connections = new Connections(types, ticker, workers.calls(), controller);
        monitor = new Monitor(connections, ticker, workers.polls());
    }

    /** A dispatcher over {@code types} that runs on the real clock. */
    public static Dispatcher start(BackendTypes types) {
        return start(types, Controller.NONE, Ticker.system());
    }

    /** The same by {@code ticker}, for {@code controller}: what it submits, no other controller ends or starts anew. */
    public static Dispatcher start(BackendTypes types, Controller controller, Ticker ticker) {
        return new Dispatcher(types, ticker, Workers.start(), controller);
    }

    /** The kinds of backend it knows. */
    public BackendTypes types() {
        return types;
    }

    /** Makes every check of {@code spec} against {@code target} anew; blocks on the network, writes nothing. */
    public Report preflight(Target target, JobSpec spec) throws BackendException {
        try (Connections.Loan loan = connections.borrow(target)) {
            loan.forget();
            return loan.backend().preflight(spec).withSpecOf(spec);
        }
    }

    /** Shows what would be sent; pure. */
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        return types.of(target).preview(target, spec, key);
    }

    /**
     * Checks and starts a job, with what the target told of itself in the last half minute, or finds the one that an earlier call with the same {@code key} started; while the
     * target does not answer, tries again with growing pauses. Never blocks.
     *
     * @param resumed whether an earlier process may have sent this submission already: then it is not checked again
     * @return the handle; fails with {@link BackendException} or, when cancelled, stops trying
     */
    public CompletableFuture<JobHandle> submit(
            Target target, JobSpec spec, JobKey key, boolean resumed, SubmitObserver observer) {
        return submit(target, spec, key, resumed, observer, SUBMISSION_GIVES_UP);
    }

    /**
     * The same with a patience of its own.
     *
     * @param giveUpAfter how long it is tried without an answer, the attempts' own time included
     */
    public CompletableFuture<JobHandle> submit(
            Target target, JobSpec spec, JobKey key, boolean resumed, SubmitObserver observer, Duration giveUpAfter) {
        Submission submission = new Submission(target.name(), spec, key, observer, !resumed, giveUpAfter);
        return submission.start(work -> call(target, work), ticker, workers.calls());
    }

    /** Watches a job until it has ended; never blocks. Goes on where {@code memory} says an earlier watch was. */
    public Watch watch(Target target, JobHandle job, WatchPlan plan, WatchMemory memory, JobObserver observer) {
        return monitor.watch(target, job, plan, memory, observer);
    }

    /** How the targets answer whose jobs are watched; asks nobody. */
    public List<TargetHealth> health() {
        return monitor.health();
    }

    /** For each connection that is open just now, the name of its target; asks nobody. */
    public List<String> connections() {
        return connections.open();
    }

    /** The clock that it goes by. */
    public Ticker ticker() {
        return ticker;
    }

    /** The few threads on which single calls may block. */
    public Executor calls() {
        return workers.calls();
    }

    /** Who it acts for. */
    public Controller controller() {
        return controller;
    }

    /**
     * The jobs of tao-run that have not ended on {@code target}, whoever watches them; blocks on the network.
     *
     * @return what was found; empty where targets of that kind cannot tell
     */
    public Optional<LiveJobs.Look> live(Target target) throws BackendException {
        return call(target, backend -> backend instanceof LiveJobs jobs ? Optional.of(jobs.live()) : Optional.empty());
    }

    /** One look at some jobs of one target; blocks on the network. */
    public Map<JobHandle, JobStatus> poll(Target target, Set<JobHandle> jobs) throws BackendException {
        return call(target, backend -> backend.poll(jobs));
    }

    /** Reads on in some streams of one target; blocks on the network. */
    public Map<StreamRef, Tail> read(Target target, Map<StreamRef, Position> from) throws BackendException {
        return call(target, backend -> backend.read(from));
    }

    /** Hands what is read to {@code taker}, a piece at a time, and gives where to read on; blocks on the network. */
    public Map<StreamRef, Position> readOn(
            Target target, Map<StreamRef, Position> from, BiConsumer<StreamRef, Tail> taker) throws BackendException {
        return call(target, backend -> backend.readOn(from, taker));
    }

    /**
     * Asks once for the end of a job; blocks on the network. A running watch's {@link Watch#cancel} is more patient.
     *
     * @param by who asks, for {@code cancelled by …}
     */
    public void cancel(Target target, JobHandle job, String by) throws BackendException {
        call(target, backend -> {
            Attributing.cancel(backend, job, by);
            return job;
        });
    }

    /**
     * The handle of one member of an array.
     *
     * @throws BackendException.Rejected if the target has no arrays, or the array no such member
     */
    public JobHandle member(Target target, JobHandle array, int index) throws BackendException {
        return call(target, backend -> {
            if (backend instanceof JobArrays arrays) {
                return arrays.member(array, index);
            }
            throw new BackendException.Rejected(
                    "Jobs of the target '" + target.name() + "' have no members.", "Leave out [" + index + "].");
        });
    }

    /** Makes this controller the holder of a job that another one may hold; blocks on the network. */
    public void takeOver(Target target, JobHandle job) throws BackendException {
        call(target, backend -> {
            if (backend instanceof Leasing leasing) {
                leasing.takeOver(job);
            }
            return job;
        });
    }

    /**
     * Removes what was staged for jobs that ended long ago; blocks on the network.
     *
     * @return what was, or would be, removed; empty where a target's kind stages nothing that stays
     */
    public Optional<Tidying.Tidied> tidy(Target target, boolean dryRun) throws BackendException {
        return call(
                target,
                backend -> backend instanceof Tidying tidying ? Optional.of(tidying.tidy(dryRun)) : Optional.empty());
    }

    /**
     * Looks at a path as jobs of {@code target} see it; blocks on the network, writes nothing.
     *
     * @return what is there; empty when nothing is
     * @throws BackendException.Rejected if nobody but a job can look there
     */
    public Optional<Paths.Listing> list(Target target, String path) throws BackendException {
        return call(target, backend -> {
            if (backend instanceof Paths paths) {
                return paths.list(path);
            }
            throw new BackendException.Rejected(
                    "The target '" + target.name() + "' has no storage that can be looked at from here.",
                    "Name a target of the backend slurm, ssh or local, or one with S3 settings and an s3:// address.");
        });
    }

    /**
     * Collects what a person would look at after a failure; blocks on the network. Of a job that was ended because it
     * stalled, or early, the target sees our own signal, which explains nothing: then only the facts count.
     */
    public Diagnosis diagnose(Target target, JobHandle job, Outcome.Failed failed) throws BackendException {
        Diagnosis found = call(target, backend -> backend.diagnose(job));
        boolean byUs = failed.cause() == Outcome.Cause.STALLED || failed.cause() == Outcome.Cause.ENDED_EARLY;
        return byUs ? new Diagnosis("", "", found.facts()) : found;
    }

    /**
     * Brings the files of an ended job home, on one of a few threads kept for that. A pattern of {@code plan} that matched none,
     * though the target was read to its end, is reported to {@code sink} as skipped.
     */
    public CompletableFuture<Void> fetch(Target target, JobHandle job, ArtifactPlan plan, ArtifactSink sink) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        PatternUse use = new PatternUse(plan, sink);
        workers.fetches().execute(() -> {
            try {
                call(target, backend -> {
                    backend.fetch(job, plan, use);
                    return job;
                });
                use.unmatched().forEach(glob -> sink.skipped(glob, UNMATCHED));
                done.complete(null);
            } catch (BackendException | RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /**
     * Asks for something that only a machine understands which its users look after; blocks on the network.
     *
     * @throws BackendException.Rejected if {@code target} is no such machine
     */
    public <R> R machine(Target target, MachineCall<R> call) throws BackendException {
        return call(target, backend -> {
            if (backend instanceof Machine machine) {
                return call.on(machine);
            }
            throw new BackendException.Rejected(
                    "The target '" + target.name() + "' is no machine of your own to look after.",
                    "Name a target of the backend ssh or local.");
        });
    }

    /** What is owed to whoever pays for the machine of {@code target}; empty when it is nobody's bill. Blocks. */
    public List<String> reminder(Target target) throws BackendException {
        return call(target, backend -> backend instanceof Machine machine ? machine.reminder() : List.of());
    }

    /** The same once a job has ended: a machine that cannot be asked may cost money too. */
    public List<String> reminderAtEnd(Target target) {
        try {
            return reminder(target);
        } catch (BackendException e) {
            return List.of("REMINDER: if the machine of target '" + target.name()
                    + "' is rented, it still costs money; the machine could not be queried: " + e.getMessage());
        }
    }

    /** Ends all connections and threads; jobs are not touched. */
    @Override
    public void close() {
        ticker.close();
        workers.close();
        monitor.close();
        connections.close();
    }

    private <R> R call(Target target, Call<R> call) throws BackendException {
        try (Connections.Loan loan = connections.borrow(target)) {
            return call.on(loan.backend());
        }
    }

    /** Something asked of a machine. */
    @FunctionalInterface
    public interface MachineCall<R> {
        /** Does it. */
        R on(Machine machine) throws BackendException;
    }

    /** Something asked of a backend. */
    @FunctionalInterface
    interface Call<R> {
        R on(Backend backend) throws BackendException;
    }
}
