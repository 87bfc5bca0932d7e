package jenkins.util;

import hudson.model.BuildListener;
import hudson.model.TaskListener;
import java.io.PrintStream;

/** Stands in for Jenkins' own in tests. */
public final class BuildListenerAdapter implements BuildListener {
    private static final long serialVersionUID = 1L;

    private final transient TaskListener listener;

    private BuildListenerAdapter(TaskListener listener) {
        this.listener = listener;
    }

    @Override
    public PrintStream getLogger() {
        return listener.getLogger();
    }

    public static BuildListener wrap(TaskListener l) {
        return new BuildListenerAdapter(l);
    }
}
