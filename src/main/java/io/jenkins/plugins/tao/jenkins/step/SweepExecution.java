package io.jenkins.plugins.tao.jenkins.step;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.FilePath;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceCode;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceFiles;
import io.jenkins.plugins.tao.jenkins.verdict.BuildGate;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.status.MetricPoint;
import io.jenkins.plugins.tao.sweep.Cell;
import io.jenkins.plugins.tao.sweep.CellEnd;
import io.jenkins.plugins.tao.sweep.Hopeless;
import io.jenkins.plugins.tao.sweep.Turns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;

/**
 * One {@code taoSweep} under way: a {@code taoRun} for each cell, at most so many at a time as the step says. It holds no thread; after a
 * restart the cells that were under way go on, and the others wait for their turn.
 */
final class SweepExecution extends StepExecution {
    private static final long serialVersionUID = 1L;
    private static final Logger LOGGER = Logger.getLogger(SweepExecution.class.getName());

    private SweepStep step;
    /** Null until the matrix and the workspace are read: before that nothing is sent. */
    private @Nullable ArrayList<SweepCell> cells;

    private String name = "";
    private transient @Nullable WorkspaceCode code;
    /** Kept over a restart: cells that wait are not started after an abort. */
    private @Nullable Throwable stopped;

    private transient @Nullable Hopeless hopeless;

    SweepExecution(StepContext context, SweepStep step) {
        super(context);
        this.step = step;
    }

    @Override
    public boolean start() {
        TaoRuntime.calls().execute(this::begin);
        return false;
    }

    @Override
    public void onResume() {
        TaoRuntime.calls().execute(this::resume);
    }

    private void begin() {
        StepContext context = getContext();
        StepWork.run(context, () -> {
            BuildScope scope = scope();
            SweepStep asked = asked();
            List<Cell> chosen = asked.chosen();
            WorkspaceFiles files = WorkspaceFiles.read(asked, context.get(FilePath.class));
            SweepStep read = (SweepStep) asked.with(files);
            String called = FormText.text(asked.getName())
                    .orElseGet(() -> scope.run().getParent().getName());
            chosen.forEach(cell -> read.of(cell, called)); // all are checked before the first is sent
            scope.say("sweep " + called + ": " + chosen.size() + " cells, at most "
                    + Math.min(chosen.size(), asked.terms().maxParallel()) + " at a time");
            begin(read, called, chosen, files.code().orElse(null));
        });
    }

    private synchronized void begin(SweepStep read, String called, List<Cell> chosen, @Nullable WorkspaceCode tree) {
        if (stopped != null) {
            return;
        }
        step = read;
        name = called;
        code = tree;
        cells = chosen.stream().map(SweepCell::new).collect(Collectors.toCollection(ArrayList::new));
        proceed();
    }

    private void resume() {
        SweepStep read = begun();
        if (read == null) {
            begin();
            return;
        }
        WorkspaceCode tree = null;
        try {
            tree = WorkspaceFiles.again(read, getContext().get(FilePath.class)).orElse(null);
        } catch (IOException | RuntimeException e) {
            tree = null; // the target has it since the first cell was sent
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        resume(tree);
    }

    private synchronized SweepStep asked() {
        return step;
    }

    private synchronized @Nullable SweepStep begun() {
        return cells == null ? null : step;
    }

    private synchronized void resume(@Nullable WorkspaceCode tree) {
        code = tree;
        for (SweepCell cell : known()) {
            RunExecution run = cell.running();
            if (run != null) {
                run.hear(told -> measured(cell, told));
                run.onResume();
            }
        }
        Throwable cause = stopped;
        if (cause == null) {
            proceed();
        } else {
            stop(cause);
        }
    }

    private List<SweepCell> known() {
        return Objects.requireNonNullElse(cells, new ArrayList<>());
    }

    /** Starts cells while there is room. Called with the lock held. */
    private void fill() throws IOException, InterruptedException {
        for (SweepCell cell : Turns.next(
                known(),
                cell -> cell.running() != null,
                SweepCell::waits,
                step.terms().maxParallel())) {
            say("sweep " + name + ": cell " + cell.cell().id() + " is "
                    + cell.cell().label());
            RunExecution run = new RunExecution(new CellContext(this, cell), step.of(cell.cell(), name), code);
            run.hear(told -> measured(cell, told));
            cell.begin(run);
            start(cell, run);
        }
    }

    /** A run that cannot even begin never ends by itself. */
    private static void start(SweepCell cell, RunExecution run) throws IOException, InterruptedException {
        try {
            run.start();
        } catch (IOException | InterruptedException | RuntimeException e) {
            cell.end(null, String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /** Called by threads that watch: they wait for nothing here but each other. */
    private void measured(SweepCell cell, List<MetricPoint> told) {
        if (!told.isEmpty()) {
            TaoRuntime.steps().execute(() -> judge(cell, told));
        }
    }

    private synchronized void judge(SweepCell cell, List<MetricPoint> told) {
        RunExecution run = cell.running();
        Optional<String> why = rules().take(cell.cell().id(), told);
        if (run != null && why.isPresent() && stopped == null) {
            run.endEarly(why.get()); // which keeps the request before the target is asked
            say("sweep " + name + ": cell " + cell.cell().id() + " is ended early by " + why.get());
        }
    }

    /**
     * What the cells told that ended before a restart is known from their records. Where those cannot be read, no cell is judged: a
     * median of the others alone may be stricter than that of all.
     */
    private Hopeless rules() {
        Hopeless known = hopeless;
        if (known == null) {
            known = fromRecords();
            hopeless = known;
        }
        return known;
    }

    private Hopeless fromRecords() {
        Hopeless all = new Hopeless(step.rules());
        if (step.rules().isEmpty() || known().stream().noneMatch(SweepCell::ended)) {
            return all;
        }
        try {
            for (RunRecord record :
                    JobHistory.of(scope().run().getParent()).read().records()) {
                known().stream()
                        .filter(cell -> cell.jobId().equals(Optional.of(record.id())))
                        .forEach(cell -> all.learn(cell.cell().id(), record));
            }
            return all;
        } catch (IOException e) {
            say("sweep " + name
                    + ": no cell is ended early from now on, because what earlier cells reached cannot be read: "
                    + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Hopeless(List.of());
    }

    /** A line that cannot be written ends no cell. */
    private void say(String line) {
        try {
            scope().say(line);
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not write to a build log: " + line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void ended(SweepCell cell, @Nullable TaoResult result, @Nullable Throwable failure) {
        if (cell.ended()) {
            return;
        }
        cell.end(result, failure == null ? null : String.valueOf(failure.getMessage()));
        if (failure != null) {
            unstarted(cell, failure);
        }
        Throwable cause = stopped;
        if (cause == null) {
            proceed();
        } else if (running().isEmpty()) {
            getContext().onFailure(cause);
        }
    }

    private List<RunExecution> running() {
        return known().stream().map(SweepCell::running).filter(Objects::nonNull).toList();
    }

    /** A cell without a job has no page that says why. */
    private void unstarted(SweepCell cell, Throwable failure) {
        say("sweep " + name + ": cell " + cell.cell().id() + " has no result: " + failure.getMessage());
    }

    private void proceed() {
        try {
            long done = known().stream().filter(SweepCell::ended).count();
            NodeLabel.show(getContext(), done + " of " + known().size() + " cells have ended");
            if (done == known().size()) {
                TaoRuntime.calls().execute(this::endOrFail);
            } else {
                fill();
            }
        } catch (IOException | RuntimeException e) {
            stop(Failures.forUser(e)); // no cell goes on, or starts, in a step that has failed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop(e);
        }
    }

    private void endOrFail() {
        StepWork.run(getContext(), () -> {
            end();
        });
    }

    private synchronized void end() throws IOException, InterruptedException {
        if (stopped != null) {
            return; // aborted after its last cell had ended
        }
        BuildScope scope = scope();
        Optional<CellEnd> winner =
                step.tell(scope, known().stream().map(SweepCell::end).toList());
        SweepAnswer answer = new SweepAnswer(known());
        if (!answer.success()) {
            scope.say("to run the failed cells alone: cells: '" + String.join(", ", answer.failed()) + "'");
        }
        BuildGate.Groups groups = BuildGate.judgeGroups(
                scope,
                step.gates(),
                known().stream().flatMap(cell -> cell.jobId().stream()).toList());
        groups.unstable(scope.run());
        if (groups.failure().isPresent()) {
            getContext().onFailure(new GateFailed(groups.failure().get(), true));
        } else if (answer.success() || !step.isFailOnError()) {
            if (!answer.success()) {
                NodeLabel.warn(getContext(), answer.summary());
            }
            getContext().onSuccess(answer.value(winner, groups.toList()));
        } else {
            getContext().onFailure(answer.failure());
        }
    }

    /** What it would answer if the gates of its groups had passed. */
    synchronized Object judged() {
        return new SweepAnswer(known()).value(Optional.empty(), List.of());
    }

    private BuildScope scope() throws IOException, InterruptedException {
        return BuildScope.of(getContext());
    }

    /** Ends what is under way; what waits is never started. */
    @Override
    public synchronized void stop(Throwable cause) {
        stopped = cause;
        var unused = getContext().saveState();
        List<RunExecution> running = running();
        if (running.isEmpty()) {
            getContext().onFailure(cause);
        }
        for (RunExecution run : running) {
            run.stop(cause);
        }
    }

    @Override
    public synchronized String getStatus() {
        List<SweepCell> all = known();
        return all.isEmpty()
                ? "about to run a sweep on " + step.getTarget()
                : all.stream().filter(SweepCell::ended).count() + " of " + all.size() + " cells have ended; "
                        + running().stream().map(RunExecution::getStatus).collect(Collectors.joining("; "));
    }

    /** The context of one cell, whose end is not the end of the step. */
    private static final class CellContext extends OwnContext {
        private static final long serialVersionUID = 1L;

        private final SweepExecution sweep;
        private final SweepCell cell;

        CellContext(SweepExecution sweep, SweepCell cell) {
            this.sweep = sweep;
            this.cell = cell;
        }

        /** The node of the graph shows the sweep and not a cell. */
        @Override
        @SuppressWarnings("NullAway") // what is not there is null
        public <T> T get(Class<T> key) throws IOException, InterruptedException {
            return key == FlowNode.class ? null : sweep.getContext().get(key);
        }

        @Override
        public void onSuccess(Object result) {
            sweep.ended(cell, (TaoResult) result, null);
        }

        @Override
        public void onFailure(Throwable failure) {
            sweep.ended(cell, null, failure);
        }

        @Override
        public ListenableFuture<Void> saveState() {
            return sweep.getContext().saveState();
        }
    }
}
