package io.jenkins.plugins.tao.jenkins.step;

import io.jenkins.plugins.tao.gate.Bisect;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jenkinsci.plugins.workflow.steps.BodyExecution;
import org.jenkinsci.plugins.workflow.steps.BodyExecutionCallback;
import org.jenkinsci.plugins.workflow.steps.EnvironmentExpander;
import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;

/**
 * One {@code taoBisect} under way. The commits, each answer and the commit that is judged now are saved with the build: after a
 * restart its block goes on where it was, and the search with it. It holds no thread.
 */
final class BisectExecution extends StepExecution {
    private static final long serialVersionUID = 1L;

    private final int budget;
    private final LinkedHashMap<String, String> answers = new LinkedHashMap<>();
    private final ArrayList<String> commits;
    /** The commit whose block runs; null before the first and between two. */
    private @Nullable String current;

    private @Nullable BodyExecution body;

    BisectExecution(StepContext context, List<String> commits, int budget) {
        super(context);
        this.commits = new ArrayList<>(commits);
        this.budget = budget;
    }

    @Override
    public boolean start() {
        TaoRuntime.calls().execute(this::begin);
        return false;
    }

    /** A block that ran goes on by itself. */
    @Override
    public synchronized void onResume() {
        if (current == null) {
            start();
        }
    }

    private synchronized void begin() {
        StepWork.run(getContext(), this::proceed);
    }

    private Bisect search() {
        Map<String, Bisect.Answer> known = new LinkedHashMap<>();
        answers.forEach((commit, answer) -> known.put(commit, Bisect.Answer.valueOf(answer)));
        return new Bisect(commits, known, budget);
    }

    private synchronized void proceed() throws IOException, InterruptedException {
        Optional<String> next = search().next();
        if (next.isEmpty()) {
            String sentence = search().sentence();
            scope().say(sentence);
            getContext().onSuccess(value(sentence));
            return;
        }
        String commit = next.get();
        scope().say("judging " + commit + " (" + (answers.size() + 1) + " of at most " + budget + ")");
        current = commit;
        EnvironmentExpander expander = EnvironmentExpander.merge(
                getContext().get(EnvironmentExpander.class),
                EnvironmentExpander.constant(Map.of("TAO_COMMIT", commit)));
        body = getContext()
                .newBodyInvoker()
                .withContext(expander)
                .withContext(new BisectJudge(commit))
                .withDisplayName(commit)
                .withCallback(new Answered(this))
                .start();
    }

    /** For a Pipeline: texts, and a map of them. */
    private Map<String, Object> value(String sentence) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("sentence", sentence);
        value.put("answers", new LinkedHashMap<>(answers));
        search().found().ifPresent(commit -> value.put("first", commit));
        return value;
    }

    private synchronized void answered(Bisect.Answer answer, String why) {
        String commit = current;
        if (commit == null) {
            return;
        }
        answers.put(commit, answer.name());
        current = null;
        body = null;
        StepWork.run(getContext(), () -> {
            scope().say(commit + " is " + answer.name().toLowerCase(Locale.ROOT) + why);
            proceed();
        });
    }

    private BuildScope scope() throws IOException, InterruptedException {
        return BuildScope.of(getContext());
    }

    @Override
    public synchronized void stop(Throwable cause) {
        BodyExecution running = body;
        if (running == null) {
            getContext().onFailure(cause);
        } else {
            running.cancel(cause);
        }
    }

    @Override
    public synchronized String getStatus() {
        return current == null ? "looking for the next commit" : "judging " + current;
    }

    /** What the end of a block says of its commit; an abort ends the search. */
    private static final class Answered extends BodyExecutionCallback {
        private static final long serialVersionUID = 1L;

        private final BisectExecution step;

        Answered(BisectExecution step) {
            this.step = step;
        }

        @Override
        public void onSuccess(StepContext context, Object result) {
            step.answered(Bisect.Answer.GOOD, "");
        }

        @Override
        public void onFailure(StepContext context, Throwable failure) {
            if (failure instanceof FlowInterruptedException || failure instanceof InterruptedException) {
                step.getContext().onFailure(failure);
            } else if (failure instanceof GateFailed gate && gate.bad()) {
                step.answered(Bisect.Answer.BAD, ": " + gate.getMessage());
            } else {
                step.answered(Bisect.Answer.UNKNOWN, ": " + failure.getMessage());
            }
        }
    }
}
