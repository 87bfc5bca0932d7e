package org.jenkinsci.plugins.workflow.steps;

public abstract class BodyExecutionCallback implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    public abstract void onSuccess(StepContext context, Object result);

    public abstract void onFailure(StepContext context, Throwable t);
}
