package io.jenkins.plugins.tao.jenkins.step;

import com.google.common.util.concurrent.ListenableFuture;
import io.jenkins.plugins.tao.jenkins.run.TaoJob;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceCode;
import io.jenkins.plugins.tao.status.MetricPoint;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;

/**
 * One {@code taoRun} under way: a {@code taoSubmit}, and then a {@code taoWait}. After a restart the one that was under way goes
 * on; where the change to the second was not saved, the first finds its job again and hands it over anew.
 */
final class RunExecution extends StepExecution {
    private static final long serialVersionUID = 1L;

    private final RunStep step;
    private final SubmitExecution submit;
    private @Nullable WaitExecution wait;
    private transient @Nullable Throwable stopped;
    private transient @Nullable Consumer<List<MetricPoint>> measured;

    RunExecution(StepContext context, RunStep step) {
        this(context, step, null);
    }

    /** For a step whose code was read already. */
    RunExecution(StepContext context, RunStep step, @Nullable WorkspaceCode code) {
        super(context);
        this.step = step;
        submit = new SubmitExecution(new HandOver(this), step, code);
    }

    /** Lets {@code listener} hear the metrics that the job tells; to be called before it starts, and before it resumes. */
    synchronized void hear(Consumer<List<MetricPoint>> listener) {
        measured = listener;
        if (wait != null) {
            wait.hear(listener);
        }
    }

    /** Ends the job, as a rule orders; the step goes on to its result. */
    synchronized void endEarly(String by) {
        if (wait != null) {
            wait.endEarly(by);
        }
    }

    @Override
    public boolean start() throws IOException, InterruptedException {
        return submit.start();
    }

    @Override
    public synchronized void onResume() {
        if (wait == null) {
            submit.onResume();
        } else {
            wait.onResume();
        }
    }

    /** A stop that came before is the submission's, which cancels the job. */
    private synchronized void submitted(TaoJob job) {
        if (stopped == null) {
            WaitExecution next = new WaitExecution(getContext(), step.waitFor(job.getToken()));
            wait = next;
            Consumer<List<MetricPoint>> listener = measured;
            if (listener != null) {
                next.hear(listener);
            }
            var unused = getContext().saveState();
            next.start();
        }
    }

    @Override
    public synchronized void stop(Throwable cause) {
        stopped = cause;
        if (wait == null) {
            submit.stop(cause);
        } else {
            wait.stop(cause);
        }
    }

    @Override
    public synchronized String getStatus() {
        return wait == null ? submit.getStatus() : wait.getStatus();
    }

    /** The context of the submission, whose end is the beginning of the wait. */
    private static final class HandOver extends OwnContext {
        private static final long serialVersionUID = 1L;

        private final RunExecution run;

        HandOver(RunExecution run) {
            this.run = run;
        }

        @Override
        public <T> T get(Class<T> key) throws IOException, InterruptedException {
            return run.getContext().get(key);
        }

        @Override
        public void onSuccess(Object job) {
            run.submitted((TaoJob) job);
        }

        @Override
        public void onFailure(Throwable failure) {
            run.getContext().onFailure(failure);
        }

        @Override
        public ListenableFuture<Void> saveState() {
            return run.getContext().saveState();
        }
    }
}
