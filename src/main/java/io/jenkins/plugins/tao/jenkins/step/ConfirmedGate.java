package io.jenkins.plugins.tao.jenkins.step;

import com.google.common.util.concurrent.ListenableFuture;
import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.gate.criteria.SeedPlace;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import io.jenkins.plugins.tao.jenkins.run.JobRequests;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;

/**
 * One {@code taoGate} with {@code confirm} under way: where the night is suspect it is a {@code taoRun} first, whose end,
 * whatever it is, begins the judgement. The run is part of this step when it is saved, which is before anything is sent: after a
 * restart the same run goes on, and no other is asked for. Of several gates of one build that doubt the same job, one has it run again,
 * and the others wait for that.
 */
final class ConfirmedGate extends StepExecution {
    private static final long serialVersionUID = 1L;
    private static final Logger LOGGER = Logger.getLogger(ConfirmedGate.class.getName());
    private static final Duration OTHERS_RESUME = Duration.ofSeconds(5);

    private final GateExecution gate;
    private final String place;
    private @Nullable RunExecution run;
    /** The last good version, of a pair. */
    private @Nullable RunExecution beside;

    private boolean runEnded;
    private boolean besideEnded;
    /** The id of the job that the run confirms; null before. */
    private @Nullable String confirms;

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
            TaoRuntime.ticker()
                    .after(OTHERS_RESUME, this::start); // the gate that this one waits for may come back later
        } else {
            String job = confirms;
            if (job != null) {
                inBuild(scope -> scope.confirm(job));
            }
            if (!runEnded) {
                run.onResume();
            }
            if (beside != null && !besideEnded) {
                beside.onResume();
            }
        }
    }

    private synchronized void begin() {
        StepContext context = getContext();
        if (stopped != null) {
            return;
        }
        StepWork.run(context, () -> {
            BuildScope scope = BuildScope.of(context);
            Optional<Confirmation> wanted = gate.confirmation(scope);
            if (wanted.isPresent()) {
                confirmOnce(scope, wanted.get().of().id());
            } else {
                judge();
            }
        });
    }

    private synchronized void confirmOnce(BuildScope scope, String job) throws IOException, InterruptedException {
        Optional<CompletableFuture<Void>> other = scope.confirm(job);
        if (other.isPresent()) {
            scope.say(job + " is being confirmed for another gate of this build, and is judged after that");
            var unused = other.get().thenRun(() -> TaoRuntime.steps().execute(this::judgeAfterOther));
            return;
        }
        try {
            Optional<Confirmation> still = gate.confirmation(scope); // another may have come to its end meanwhile
            if (still.isPresent()) {
                confirms = job;
                confirm(scope, still.get());
            } else {
                scope.confirmed(job);
                judge();
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            scope.confirmed(job);
            throw e;
        }
    }

    private synchronized void judgeAfterOther() {
        if (stopped == null) {
            ended = true;
            judge();
        }
    }

    private synchronized void confirm(BuildScope scope, Confirmation wanted) throws IOException, InterruptedException {
        SeedPlace seed = SeedPlace.parse(place);
        JobRequest doubted = JobRequests.of(scope.run(), new JobKey(wanted.of().id()));
        Optional<RunStep> good = seed.pair() ? lastGood(scope, wanted, seed) : Optional.empty();
        scope.say(wanted.night() + " is beyond the limit: a confirming run of "
                + wanted.of().id() + " with " + seed
                + " = " + wanted.seed()
                + (wanted.avoidNodes().isEmpty() ? "" : ", not on " + String.join(", ", wanted.avoidNodes()))
                + ", comes before the verdict");
        run = new RunExecution(new AfterRun(this, false), ConfirmingRun.of(doubted, wanted, seed, ""));
        beside = good.map(step -> new RunExecution(new AfterRun(this, true), step))
                .orElse(null);
        run.start();
        if (beside != null) {
            beside.start();
        }
    }

    private static Optional<RunStep> lastGood(BuildScope scope, Confirmation wanted, SeedPlace seed)
            throws IOException {
        if (wanted.lastGood().isEmpty()) {
            scope.say("no pair: there is no good run before " + wanted.night());
            return Optional.empty();
        }
        RunRecord good = wanted.lastGood().get();
        try {
            JobRequest request = JobRequests.of(scope.run(), new JobKey(good.id()));
            scope.say("the version of " + good.label() + ", the last good run, is run beside it");
            return Optional.of(ConfirmingRun.of(request, wanted, seed, good.label()));
        } catch (IllegalArgumentException e) {
            scope.say("no pair: what was asked for " + good.label() + " is not kept");
            return Optional.empty();
        }
    }

    /** A confirming run that fails decides nothing: the run is judged without it. */
    private synchronized void ended(boolean ofBeside, Optional<String> failure) {
        runEnded |= !ofBeside;
        besideEnded |= ofBeside;
        failure.ifPresent(why -> inBuild(scope -> scope.say(
                "the " + (ofBeside ? "run of the last good version" : "confirming run") + " settles nothing: " + why)));
        if (runEnded && (beside == null || besideEnded)) {
            settled();
        }
    }

    private synchronized void settled() {
        String job = confirms;
        if (job != null) {
            inBuild(scope -> scope.confirmed(job));
        }
        Throwable cause = stopped;
        if (cause != null) {
            getContext().onFailure(cause);
            return;
        }
        ended = true;
        judge();
    }

    private void inBuild(Consumer<BuildScope> what) {
        try {
            what.accept(BuildScope.of(getContext()));
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "could not reach the build of a gate", e); // the verdict comes without it
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
            return;
        }
        if (!runEnded) {
            run.stop(cause);
        }
        if (beside != null && !besideEnded) {
            beside.stop(cause);
        }
    }

    @Override
    public synchronized String getStatus() {
        return run == null || ended ? gate.getStatus() : "confirming: " + run.getStatus();
    }

    /** The context of the run, whose end is the beginning of the judgement. */
    private static final class AfterRun extends OwnContext {
        private static final long serialVersionUID = 1L;

        private final ConfirmedGate step;
        private final boolean beside;

        AfterRun(ConfirmedGate step, boolean beside) {
            this.step = step;
            this.beside = beside;
        }

        @Override
        public <T> T get(Class<T> key) throws IOException, InterruptedException {
            return step.getContext().get(key);
        }

        @Override
        public void onSuccess(Object result) {
            step.ended(beside, Optional.empty());
        }

        @Override
        public void onFailure(Throwable failure) {
            step.ended(beside, Optional.of(String.valueOf(failure.getMessage())));
        }

        @Override
        public ListenableFuture<Void> saveState() {
            return step.getContext().saveState();
        }
    }
}
