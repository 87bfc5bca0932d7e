package org.jenkinsci.plugins.workflow.steps;

public abstract class StepExecution implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    protected StepExecution(StepContext context) {}

    public StepContext getContext() {
        throw new UnsupportedOperationException();
    }

    public abstract boolean start() throws Exception;

    public void stop(Throwable cause) throws Exception {
        throw new UnsupportedOperationException();
    }

    public void onResume() {
        throw new UnsupportedOperationException();
    }

    public String getStatus() {
        throw new UnsupportedOperationException();
    }
}
