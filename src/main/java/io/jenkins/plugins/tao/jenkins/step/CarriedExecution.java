package io.jenkins.plugins.tao.jenkins.step;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.FilePath;
import hudson.model.Result;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.jenkins.run.TaoFailure;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceFiles;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.sweep.ArrayEnds;
import io.jenkins.plugins.tao.sweep.Cell;
import io.jenkins.plugins.tao.sweep.CellEnd;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;

/**
 * One {@code taoSweep} under way whose cells one job carries: a {@code taoRun} of that job, and at its end a table of its members. It holds
 * no thread.
 */
final class CarriedExecution extends StepExecution {
    private static final long serialVersionUID = 1L;

    private final SweepStep step;
    private String name = "";
    /** Null until the matrix and the workspace are read: before that nothing is sent. */
    private @Nullable RunExecution run;

    private @Nullable Throwable stopped;

    CarriedExecution(StepContext context, SweepStep step) {
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
        RunExecution under = under();
        if (under == null) {
            TaoRuntime.calls().execute(this::begin);
        } else {
            under.onResume();
        }
    }

    private synchronized @Nullable RunExecution under() {
        return run;
    }

    private void begin() {
        StepContext context = getContext();
        StepWork.run(context, () -> {
            BuildScope scope = scope();
            SweepStep here = (SweepStep) step.in(scope.run().getParent());
            WorkspaceFiles files = WorkspaceFiles.read(here, context.get(FilePath.class));
            String called = FormText.text(step.getName())
                    .orElseGet(() -> scope.run().getParent().getName());
            List<Cell> cells = step.chosen();
            RunStep job = CarriedSweep.job((SweepStep) here.with(files), cells, called, scope.kind(here.getTarget()));
            scope.say("sweep " + called + ": " + cells.size() + " cells in one job, at most "
                    + Math.min(cells.size(), step.terms().maxParallel()) + " at a time");
            begin(job, called, files);
        });
    }

    private synchronized void begin(RunStep job, String called, WorkspaceFiles files)
            throws IOException, InterruptedException {
        if (stopped != null) {
            return;
        }
        name = called;
        run = new RunExecution(new WholeContext(this), job, files.code().orElse(null));
        run.start();
    }

    private void ended(TaoResult result) {
        StepWork.run(getContext(), () -> {
            end(result);
        });
    }

    private void end(TaoResult result) throws IOException, InterruptedException {
        BuildScope scope = scope();
        List<CellEnd> ends = ends(scope, result);
        Optional<CellEnd> winner = step.tell(scope, ends);
        String summary = SweepAnswer.summary(ends);
        if (result.isSuccess() || !step.isFailOnError()) {
            if (!result.isSuccess()) {
                NodeLabel.warn(getContext(), summary);
            }
            getContext()
                    .onSuccess(SweepAnswer.value(
                            result.isSuccess(), ends, cells(result, ends), winner, new ArrayList<>()));
        } else {
            getContext().onFailure(failure(result, summary));
        }
    }

    private static List<Map<String, Object>> cells(TaoResult result, List<CellEnd> ends) {
        return IntStream.range(0, ends.size())
                .mapToObj(index ->
                        SweepAnswer.cell(ends.get(index), result.getToken(), result.getResultsDir() + "/" + index))
                .toList();
    }

    /** What the record does not tell of is not known. */
    private List<CellEnd> ends(BuildScope scope, TaoResult result) {
        List<Cell> cells = step.chosen();
        try {
            Optional<RunRecord> record = JobHistory.of(scope.run().getParent()).read().records().stream()
                    .filter(known -> known.id().equals(result.getId()))
                    .reduce((older, newer) -> newer);
            if (record.isPresent()) {
                return ArrayEnds.of(cells, record.get());
            }
            scope.say("sweep " + name + ": the job left no record, so how its cells ended is not known");
        } catch (IOException e) {
            scope.say("sweep " + name + ": how its cells ended cannot be read: " + e.getMessage());
        }
        return cells.stream()
                .map(cell -> new CellEnd(cell, ArrayEnds.NOT_KNOWN, Map.of(), result.getId()))
                .toList();
    }

    private static Throwable failure(TaoResult result, String summary) {
        String what = summary + ": " + result;
        return result.getStatus().equals("ABORTED")
                ? new FlowInterruptedException(Result.ABORTED, false, new JobCancelled(what))
                : new TaoFailure(what, result.isInfrastructure());
    }

    private BuildScope scope() throws IOException, InterruptedException {
        return BuildScope.of(getContext());
    }

    @Override
    public synchronized void stop(Throwable cause) {
        stopped = cause;
        if (run == null) {
            getContext().onFailure(cause);
        } else {
            run.stop(cause);
        }
    }

    @Override
    public synchronized String getStatus() {
        return run == null ? "about to run a sweep on " + step.getTarget() : run.getStatus();
    }

    /** The context of the job, whose end is followed by the table. */
    private static final class WholeContext extends OwnContext {
        private static final long serialVersionUID = 1L;

        private final CarriedExecution sweep;

        WholeContext(CarriedExecution sweep) {
            this.sweep = sweep;
        }

        @Override
        public <T> T get(Class<T> key) throws IOException, InterruptedException {
            return sweep.getContext().get(key);
        }

        @Override
        public void onSuccess(Object result) {
            TaoRuntime.calls().execute(() -> sweep.ended((TaoResult) result));
        }

        @Override
        public void onFailure(Throwable failure) {
            sweep.getContext().onFailure(failure);
        }

        @Override
        public ListenableFuture<Void> saveState() {
            return sweep.getContext().saveState();
        }
    }
}
