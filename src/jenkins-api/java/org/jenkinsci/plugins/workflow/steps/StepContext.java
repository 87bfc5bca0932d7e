package org.jenkinsci.plugins.workflow.steps;

public abstract class StepContext implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    public abstract <T> T get(Class<T> key) throws java.io.IOException, InterruptedException;

    public abstract void onSuccess(Object result);

    public abstract void onFailure(Throwable t);

    public abstract boolean isReady();

    public abstract com.google.common.util.concurrent.ListenableFuture<Void> saveState();

    public abstract void setResult(hudson.model.Result result);

    public abstract BodyInvoker newBodyInvoker() throws IllegalStateException;

    @Override
    public abstract boolean equals(Object other);

    @Override
    public abstract int hashCode();
}
