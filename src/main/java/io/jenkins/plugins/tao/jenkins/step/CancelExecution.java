package io.jenkins.plugins.tao.jenkins.step;

import hudson.AbortException;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.ArrayList;
import java.util.List;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jspecify.annotations.Nullable;

/** One {@code taoCancel} under way. After a restart it asks again, which does no harm. */
final class CancelExecution extends QuestionExecution {
    private static final long serialVersionUID = 1L;

    private final String job;
    private final boolean takeOver;

    CancelExecution(StepContext context, String job, boolean takeOver) {
        super(context);
        this.job = job;
        this.takeOver = takeOver;
    }

    /** Asks for the end of each job, also after one was refused; then fails with the first refusal. */
    @Override
    @Nullable
    Object answer(BuildScope scope) throws AbortException {
        List<AbortException> refusals = new ArrayList<>();
        for (JobHandle handle : Tokens.parse(job)) {
            try {
                cancel(scope, handle);
            } catch (BackendException | IllegalArgumentException e) {
                AbortException refusal = (AbortException) Failures.forUser(e);
                scope.say(handle.shortName() + " is not cancelled: " + refusal.getMessage());
                refusals.add(refusal);
            }
        }
        if (!refusals.isEmpty()) {
            throw refusals.get(0);
        }
        return null;
    }

    private void cancel(BuildScope scope, JobHandle handle) throws BackendException {
        if (takeOver) {
            scope.takeOver(handle);
        }
        scope.cancel(handle);
    }

    @Override
    public String getStatus() {
        return "cancelling " + Tokens.shortNames(job);
    }
}
