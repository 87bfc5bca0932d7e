package io.jenkins.plugins.tao.jenkins.step;

import io.jenkins.plugins.tao.jenkins.run.Failures;
import org.jenkinsci.plugins.workflow.steps.Step;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;

/** A step that is refused in one line of the build log: Jenkins shows what else a start throws with its stack trace. */
public abstract class TaoStep extends Step {
    @Override
    public final StepExecution start(StepContext context) throws Exception {
        Parameters.tidy(this);
        try {
            return begin(context);
        } catch (IllegalArgumentException e) {
            throw Failures.refusal(e);
        }
    }

    /** Gives the texts that an earlier version did not save their empty value. */
    protected Object readResolve() {
        Parameters.tidy(this);
        return this;
    }

    /**
     * Checks what the step was given, and makes its execution.
     *
     * @throws IllegalArgumentException naming the parameter that is wrong
     */
    abstract StepExecution begin(StepContext context);
}
