package io.jenkins.plugins.tao.jenkins.step;

import hudson.AbortException;
import hudson.FilePath;
import hudson.model.Run;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.Departing;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import io.jenkins.plugins.tao.jenkins.run.PlacedRun;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import io.jenkins.plugins.tao.jenkins.run.SubmissionId;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceCode;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;

/** One {@code taoSubmit} under way. After a restart it asks for the same job again, by the same key. It holds no thread. */
final class SubmitExecution extends StepExecution {
    private static final long serialVersionUID = 1L;
    private static final Logger LOGGER = Logger.getLogger(SubmitExecution.class.getName());
    private static final Duration AGAIN = Duration.ofSeconds(15);

    /** Once its files are read, the step with what they hold. */
    private SubmitStep step;
    /** Null in a step that version 0.1 began. */
    private @Nullable SubmissionId id;

    private transient volatile @Nullable Departing submission;
    private transient volatile @Nullable Throwable stopped;
    private transient volatile @Nullable String missing;
    private transient volatile @Nullable WorkspaceCode code;

    SubmitExecution(StepContext context, SubmitStep step) {
        this(context, step, null);
    }

    /** For a step whose code was read already. */
    SubmitExecution(StepContext context, SubmitStep step, @Nullable WorkspaceCode code) {
        super(context);
        this.step = step;
        this.code = code;
    }

    /**
     * A Pipeline is saved when all its branches rest. A crash before that forgets the steps that began since, and they begin
     * anew as other steps with other keys: so nothing leaves before this step is on the disk. No thread waits for that.
     */
    @Override
    public boolean start() throws IOException, InterruptedException {
        Run<?, ?> run = getContext().get(Run.class);
        id = SubmissionId.fresh(run);
        try {
            step = step.in(run.getParent()); // saved with it: after a restart the folders may say something else
        } catch (IllegalArgumentException e) {
            getContext().onFailure(Failures.forUser(e));
            return false;
        }
        if (step.needsWorkspace()) {
            TaoRuntime.calls().execute(this::read);
        } else {
            save(run);
        }
        return false;
    }

    private void save(Run<?, ?> run) {
        StateSaves.request(run, () -> getContext().saveState(), this::beginWhenSaved);
    }

    /** What the files of the workspace hold becomes part of the step before it is saved: after a restart they may be others. */
    private void read() {
        StepContext context = getContext();
        StepWork.run(context, () -> {
            WorkspaceFiles files = WorkspaceFiles.read(step, context.get(FilePath.class));
            code = files.code().orElse(null);
            step = step.with(files);
            save(context.get(Run.class));
        });
    }

    private void beginWhenSaved(Future<Void> saved) {
        try {
            saved.get();
        } catch (ExecutionException e) {
            getContext()
                    .onFailure(new AbortException("Nothing was sent to '" + step.getTarget()
                            + "', because Jenkins could not save the build first: " + e.getCause()
                            + ". Free disk space below JENKINS_HOME, or fix what cannot be saved."));
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            getContext().onFailure(e);
            return;
        }
        Throwable cause = stopped;
        if (cause != null) {
            getContext().onFailure(cause);
            return;
        }
        begin(false);
    }

    @Override
    public void onResume() {
        if (step.needsWorkspace()) { // nothing was sent before its files were read
            TaoRuntime.calls().execute(this::read);
        } else if (!step.hasFolder()) {
            TaoRuntime.steps().execute(() -> begin(true));
        } else {
            TaoRuntime.calls().execute(this::resumeWithCode);
        }
    }

    /** Where the workspace still holds the same code, the target can get it again; else it must have it. */
    private void resumeWithCode() {
        try {
            code = WorkspaceFiles.again(step, getContext().get(FilePath.class)).orElse(null);
        } catch (IOException | RuntimeException e) {
            LOGGER.log(Level.FINE, e, () -> "the code of " + step.getTarget() + " is not in the workspace any more");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        begin(true);
    }

    private void begin(boolean resumed) {
        StepContext context = getContext();
        StepWork.run(context, () -> {
            BuildScope scope = BuildScope.of(context);
            SubmissionId own = id;
            SubmissionId known = own == null
                    ? SubmissionId.ofVersion01(
                            scope.run(), context.get(FlowNode.class).getId())
                    : own;
            submit(scope, known, resumed);
        });
    }

    private void submit(BuildScope scope, SubmissionId known, boolean resumed) {
        Throwable cause = stopped;
        try {
            Departing run = PlacedRun.start(scope, step, known, resumed, Optional.ofNullable(code));
            submission = run;
            missing = null;
            var unused = run.result().whenComplete((job, failure) -> end(job, failure));
            cause = stopped;
            if (cause != null) {
                abort(run, cause);
            }
        } catch (IllegalArgumentException e) {
            if (!resumed) {
                throw e;
            }
            if (cause == null) {
                wait(scope, String.valueOf(e.getMessage()));
            } else {
                PlacedRun.abandon(scope, step, known, JobCancelled.by(cause));
                getContext().onFailure(cause);
            }
        }
    }

    /** The job may have been sent before the restart: where its target is missing by now, the step waits for it. */
    private void wait(BuildScope scope, String why) {
        if (!why.equals(missing)) {
            missing = why;
            scope.say("taoSubmit cannot continue: " + why + " It looks for its job once this is fixed.");
        }
        TaoRuntime.ticker().after(AGAIN, this::onResume);
    }

    private void end(@Nullable Object job, @Nullable Throwable failure) {
        if (stopped != null) {
            return;
        }
        if (failure == null) {
            getContext().onSuccess(job);
        } else {
            getContext().onFailure(Failures.forUser(failure));
        }
    }

    /** Called on the Pipeline's own thread, which is not for files and the network. */
    @Override
    public void stop(Throwable cause) {
        stopped = cause;
        Departing run = submission;
        if (run != null) {
            TaoRuntime.steps().execute(() -> abort(run, cause));
        }
    }

    private void abort(Departing run, Throwable cause) {
        var unused = run.abort(JobCancelled.by(cause))
                .whenComplete((done, failure) -> getContext().onFailure(cause));
    }

    @Override
    public String getStatus() {
        String why = missing;
        return "submitting to " + step.getTarget() + (why == null ? "" : ", which cannot continue: " + why);
    }
}
