package org.jenkinsci.plugins.workflow.steps;

public abstract class BodyInvoker {
    public abstract BodyInvoker withContext(Object override);

    public abstract BodyInvoker withDisplayName(String name);

    public abstract BodyInvoker withCallback(BodyExecutionCallback callback);

    public abstract BodyExecution start();
}
