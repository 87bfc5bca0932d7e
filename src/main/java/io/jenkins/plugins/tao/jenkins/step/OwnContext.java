package io.jenkins.plugins.tao.jenkins.step;

import hudson.model.Result;
import org.jenkinsci.plugins.workflow.steps.BodyInvoker;
import org.jenkinsci.plugins.workflow.steps.StepContext;

/** The context of a step that a class of this plugin starts, and no Pipeline. The step has no block. */
abstract class OwnContext extends StepContext {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setResult(Result result) {
        throw new UnsupportedOperationException("only the step that the Pipeline started sets the result of its build");
    }

    @Override
    public BodyInvoker newBodyInvoker() {
        throw new IllegalStateException("this step has no block");
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
