package io.jenkins.plugins.tao.jenkins.step;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.JobRequests;
import io.jenkins.plugins.tao.job.JobHandle;
import java.io.IOException;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;

/** One {@code taoRetry} under way: it finds what was asked for, and then is a {@code taoRun}. */
final class RetryExecution extends StepExecution {
    private static final long serialVersionUID = 1L;

    private final RetryStep step;
    private @Nullable RunExecution run;
    private transient @Nullable Throwable stopped;

    RetryExecution(StepContext context, RetryStep step) {
        super(context);
        this.step = step;
    }

    @Override
    public boolean start() {
        TaoRuntime.steps().execute(this::begin);
        return false;
    }

    @Override
    public synchronized void onResume() {
        if (run == null) {
            start();
        } else {
            run.onResume();
        }
    }

    private synchronized void begin() {
        if (stopped == null) {
            StepWork.run(getContext(), this::repeat);
        }
    }

    private synchronized void repeat() throws IOException, InterruptedException {
        BuildScope scope = BuildScope.of(getContext());
        JobHandle job = Tokens.parse(step.getOf()).get(0);
        require(
                !scope.succeeded(job),
                "%s has succeeded: there is nothing to run again. Use taoRun for another job.",
                job.key());
        RunStep again = step.repeating(JobRequests.of(scope.run(), job.key()));
        scope.say("running " + job.key() + " again");
        run = new RunExecution(getContext(), again);
        run.start();
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
        return run == null ? "about to run " + Tokens.shortNames(step.getOf()) + " again" : run.getStatus();
    }
}
