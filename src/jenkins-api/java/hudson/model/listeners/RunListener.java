package hudson.model.listeners;

import hudson.ExtensionPoint;
import hudson.model.Run;
import hudson.model.TaskListener;

@SuppressWarnings("rawtypes") // as Jenkins declares it
public abstract class RunListener<R extends Run> implements ExtensionPoint {
    protected RunListener() {}

    public void onCompleted(R r, TaskListener listener) {
        throw new UnsupportedOperationException();
    }
}
