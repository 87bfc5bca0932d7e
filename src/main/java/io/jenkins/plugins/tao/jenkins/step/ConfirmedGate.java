package io.jenkins.plugins.tao.jenkins.step;

import com.google.common.util.concurrent.ListenableFuture;
import hudson.model.Run;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.gate.SeedPlace;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import io.jenkins.plugins.tao.jenkins.run.JobRequests;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.util.Optional;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;

/**
 * One {@code taoGate} with {@code confirm} under way: where the night is suspect it is a {@code taoRun} first, whose end,
 * whatever it is, begins the judgement. The run is part of this step when it is saved, which is before anything is sent: after a
 * restart the same run goes on, and no other is asked for.
 */
final class ConfirmedGate extends StepExecution {
    private static final long serialVersionUID = 1L;

    private final GateExecution gate;
    private final String place;
    private @Nullable RunExecution run;
    private boolean ended;
    private transient @Nullable Throwable stopped;

    ConfirmedGate(StepContext context, GateExecution gate, String place) {
        super(context);
        this.gate = gate;
        this.place = place;
    }

    @Override
    public boolean start() {
        TaoRuntime.steps().execute(this::begin);
        return false;
    }

    @Override
    public synchronized void onResume() {
        if (ended) {
            gate.start();
        } else if (run == null) {
            start();
        } else {
            run.onResume();
        }
    }

    private synchronized void begin() {
        StepContext context = getContext();
        if (stopped != null) {
            return;
        }
        try {
            BuildScope scope = new BuildScope(context.get(Run.class), context.get(TaskListener.class));
            Optional<Confirmation> wanted = gate.confirmation(scope);
            if (wanted.isPresent()) {
                confirm(scope, wanted.get());
            } else {
                judge();
            }
        } catch (IOException | RuntimeException e) {
            context.onFailure(Failures.forUser(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            context.onFailure(e);
        }
    }

    private void confirm(BuildScope scope, Confirmation wanted) throws IOException, InterruptedException {
        RunStep again = ConfirmingRun.of(
                JobRequests.of(scope.run(), new JobKey(wanted.of().id())), wanted, SeedPlace.parse(place));
        scope.tell(wanted.night() + " is beyond the limit: a confirming run of "
                + wanted.of().id() + " with " + place
                + " = " + wanted.seed()
                + (wanted.avoidNodes().isEmpty() ? "" : ", not on " + String.join(", ", wanted.avoidNodes()))
                + ", comes before the verdict");
        run = new RunExecution(new AfterRun(this), again);
        run.start();
    }

    /** A confirming run that fails settles nothing: the night is judged without it. */
    private synchronized void ended(Optional<String> failure) {
        Throwable cause = stopped;
        if (cause != null) {
            getContext().onFailure(cause);
            return;
        }
        ended = true;
        failure.ifPresent(this::tell);
        judge();
    }

    private void tell(String failure) {
        try {
            BuildScope scope =
                    new BuildScope(getContext().get(Run.class), getContext().get(TaskListener.class));
            scope.tell("the confirming run settles nothing: " + failure);
        } catch (IOException e) {
            // the verdict says the same without it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void judge() {
        gate.start();
    }

    @Override
    public synchronized void stop(Throwable cause) {
        stopped = cause;
        if (run == null || ended) {
            getContext().onFailure(cause);
        } else {
            run.stop(cause);
        }
    }

    @Override
    public synchronized String getStatus() {
        return run == null || ended ? gate.getStatus() : "confirming: " + run.getStatus();
    }

    /** The context of the run, whose end is the beginning of the judgement. */
    private static final class AfterRun extends StepContext {
        private static final long serialVersionUID = 1L;

        private final ConfirmedGate step;

        AfterRun(ConfirmedGate step) {
            this.step = step;
        }

        @Override
        public <T> T get(Class<T> key) throws IOException, InterruptedException {
            return step.getContext().get(key);
        }

        @Override
        public void onSuccess(Object result) {
            step.ended(Optional.empty());
        }

        @Override
        public void onFailure(Throwable failure) {
            step.ended(Optional.of(String.valueOf(failure.getMessage())));
        }

        @Override
        public ListenableFuture<Void> saveState() {
            return step.getContext().saveState();
        }
    }
}
