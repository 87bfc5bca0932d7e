package org.jenkinsci.plugins.workflow.steps;

/** Stands in for Jenkins' own in tests: knows its context, which is saved with it. */
public abstract class StepExecution implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    private final StepContext context;

    protected StepExecution(StepContext context) {
        this.context = context;
    }

    public StepContext getContext() {
        return context;
    }

    public abstract boolean start() throws Exception;

    public void stop(Throwable cause) throws Exception {
        throw new UnsupportedOperationException();
    }

    public void onResume() {}

    public String getStatus() {
        return "";
    }
}
