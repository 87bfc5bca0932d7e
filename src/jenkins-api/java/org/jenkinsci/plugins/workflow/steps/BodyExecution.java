package org.jenkinsci.plugins.workflow.steps;

public abstract class BodyExecution implements java.util.concurrent.Future<Object>, java.io.Serializable {
    private static final long serialVersionUID = 1L;

    public abstract boolean cancel(Throwable t);
}
