package io.jenkins.plugins.tao.jenkins.step;

import hudson.AbortException;
import hudson.model.Computer;
import hudson.model.Run;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import io.jenkins.plugins.tao.jenkins.run.SubmitRun;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;

/** One {@code taoSubmit} under way. After a restart it asks for the same job again, by the same key. */
final class SubmitExecution extends StepExecution {
    private static final long serialVersionUID = 1L;

    private final SubmitStep step;
    private transient volatile @Nullable SubmitRun submission;
    private transient volatile @Nullable Throwable stopped;

    SubmitExecution(StepContext context, SubmitStep step) {
        super(context);
        this.step = step;
    }

    @Override
    public boolean start() {
        Computer.threadPoolForRemoting.execute(() -> begin(false));
        return false;
    }

    @Override
    public void onResume() {
        Computer.threadPoolForRemoting.execute(() -> begin(true));
    }

    private void begin(boolean resumed) {
        StepContext context = getContext();
        try {
            if (!resumed) {
                saved();
            }
            BuildScope scope = new BuildScope(context.get(Run.class), context.get(TaskListener.class));
            SubmitRun run =
                    SubmitRun.start(scope, step, context.get(FlowNode.class).getId(), resumed);
            submission = run;
            var unused = run.result().whenComplete((job, failure) -> end(job, failure));
            Throwable cause = stopped;
            if (cause != null) {
                abort(run, cause);
            }
        } catch (IOException | RuntimeException e) {
            context.onFailure(Failures.forUser(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            context.onFailure(e);
        }
    }

    /**
     * A Pipeline is saved when all its branches rest. A crash before that forgets the steps that began since, and they begin
     * anew as other steps with other keys: so nothing leaves before this step is on the disk.
     */
    private void saved() throws InterruptedException, AbortException {
        try {
            getContext().saveState().get();
        } catch (ExecutionException e) {
            AbortException abort = new AbortException(
                    "Nothing was sent to '" + step.getTarget() + "', because Jenkins could not save the build first: "
                            + e.getCause() + ". Make room below JENKINS_HOME, or mend what cannot be saved.");
            abort.initCause(e);
            throw abort;
        }
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

    @Override
    public void stop(Throwable cause) {
        stopped = cause;
        SubmitRun run = submission;
        if (run != null) {
            abort(run, cause);
        }
    }

    private void abort(SubmitRun run, Throwable cause) {
        var unused = run.abort(JobCancelled.by(cause))
                .whenComplete((done, failure) -> getContext().onFailure(cause));
    }

    @Override
    public String getStatus() {
        return "submitting to " + step.getTarget();
    }
}
