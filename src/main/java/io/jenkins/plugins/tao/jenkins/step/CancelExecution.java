package io.jenkins.plugins.tao.jenkins.step;

import hudson.model.Run;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import io.jenkins.plugins.tao.job.JobHandle;
import java.io.IOException;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;

/** One {@code taoCancel} under way. After a restart it asks again, which does no harm. */
final class CancelExecution extends StepExecution {
    private static final long serialVersionUID = 1L;

    private final String job;
    private final boolean takeOver;

    CancelExecution(StepContext context, String job, boolean takeOver) {
        super(context);
        this.job = job;
        this.takeOver = takeOver;
    }

    @Override
    public boolean start() {
        TaoRuntime.calls().execute(this::cancel);
        return false;
    }

    @Override
    public void onResume() {
        start();
    }

    private void cancel() {
        StepContext context = getContext();
        try {
            BuildScope scope = new BuildScope(context.get(Run.class), context.get(TaskListener.class));
            for (JobHandle handle : Tokens.parse(job)) {
                if (takeOver) {
                    scope.takeOver(handle);
                }
                scope.cancel(handle);
            }
            context.onSuccess(null);
        } catch (IOException | BackendException | RuntimeException e) {
            context.onFailure(Failures.forUser(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            context.onFailure(e);
        }
    }

    @Override
    public void stop(Throwable cause) {
        getContext().onFailure(cause);
    }

    @Override
    public String getStatus() {
        return "cancelling " + Tokens.shortNames(job);
    }
}
