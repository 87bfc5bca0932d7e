package io.jenkins.plugins.tao.jenkins.step;

import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jenkinsci.plugins.workflow.steps.BodyExecution;
import org.jenkinsci.plugins.workflow.steps.BodyExecutionCallback;
import org.jenkinsci.plugins.workflow.steps.EnvironmentExpander;
import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jspecify.annotations.Nullable;

/**
 * The block of a step that waits for jobs: it runs once for each of their events, one after the other. Saved with the build: after
 * a restart the block that ran goes on by itself, what had not been told is told then, and what was told is not told again.
 */
final class EventBlocks implements Serializable {
    private static final long serialVersionUID = 1L;

    private final WaitExecution step;
    /** Jenkins may save them while they change. */
    private final CopyOnWriteArrayList<HashMap<String, String>> events = new CopyOnWriteArrayList<>();

    private final CopyOnWriteArraySet<String> known = new CopyOnWriteArraySet<>();
    private final CopyOnWriteArrayList<String> failures = new CopyOnWriteArrayList<>();
    /** The event whose block runs. */
    private @Nullable HashMap<String, String> current;

    private @Nullable BodyExecution body;
    private boolean closed;
    private transient @Nullable Queue<Runnable> idle;

    EventBlocks(WaitExecution step) {
        this.step = step;
    }

    /** Lets the block run for an event, once: the same event may come again. Returns at once. */
    synchronized void tell(Map<String, String> event) {
        if (!closed && known.add(event.get("TAO_EVENT") + " " + event.get("TAO_TOKEN"))) {
            events.add(new HashMap<>(event));
            var unused = step.getContext().saveState();
            proceed();
        }
    }

    /** Goes on after a restart; a block that had begun goes on by itself. */
    synchronized void resume() {
        if (current != null && body == null) {
            TaoRuntime.steps().execute(this::begin);
        } else {
            proceed();
        }
    }

    private void proceed() {
        if (current == null && !events.isEmpty()) {
            current = events.remove(0);
            TaoRuntime.steps().execute(this::begin);
        } else if (current == null) {
            waiting().forEach(Runnable::run);
            waiting().clear();
        }
    }

    private synchronized void begin() {
        HashMap<String, String> event = current;
        if (event == null) {
            return;
        }
        if (closed) {
            current = null;
            proceed();
            return;
        }
        try {
            StepContext context = step.getContext();
            body = context.newBodyInvoker()
                    .withContext(EnvironmentExpander.merge(
                            context.get(EnvironmentExpander.class), EnvironmentExpander.constant(event)))
                    .withCallback(new Ended(this))
                    .start();
        } catch (IOException | RuntimeException e) {
            ended(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended(e);
        }
    }

    /** Runs {@code then} as soon as no event is left to tell. */
    synchronized void whenTold(Runnable then) {
        waiting().add(then);
        proceed();
    }

    /** Tells no more, ends the block that runs, and then runs {@code then}. */
    synchronized void close(Throwable cause, Runnable then) {
        closed = true;
        events.clear();
        BodyExecution running = body;
        if (running != null) {
            running.cancel(cause);
        }
        whenTold(then);
    }

    /** What failed, one sentence each, in the order of the events. */
    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    private synchronized Queue<Runnable> waiting() {
        idle = Objects.requireNonNullElseGet(idle, ArrayDeque::new);
        return idle;
    }

    /** An abort ends the block alone, and goes no further by itself. */
    private synchronized void ended(@Nullable Throwable failure) {
        HashMap<String, String> event = current;
        current = null;
        body = null;
        boolean aborted = failure instanceof FlowInterruptedException || failure instanceof InterruptedException;
        if (failure != null && aborted && !closed) {
            closed = true;
            events.clear();
            step.stop(failure);
        } else if (failure != null && event != null && !aborted) {
            failed(event, failure);
        }
        proceed();
    }

    private void failed(Map<String, String> event, Throwable failure) {
        String what = "the block of the step failed on " + event.get("TAO_EVENT") + " of " + event.get("TAO_TARGET")
                + "/" + event.get("TAO_NATIVE_ID") + ": "
                + Failures.forUser(failure).getMessage();
        failures.add(what);
        try {
            StepContext context = step.getContext();
            BuildScope.of(context).say(what + ". The job is left alone; the step fails when it has ended.");
        } catch (IOException | RuntimeException e) {
            failures.add(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Hears how a block ended. */
    private static final class Ended extends BodyExecutionCallback {
        private static final long serialVersionUID = 1L;

        private final EventBlocks blocks;

        Ended(EventBlocks blocks) {
            this.blocks = blocks;
        }

        @Override
        public void onSuccess(StepContext context, Object result) {
            blocks.ended(null);
        }

        @Override
        public void onFailure(StepContext context, Throwable failure) {
            blocks.ended(failure);
        }
    }
}
