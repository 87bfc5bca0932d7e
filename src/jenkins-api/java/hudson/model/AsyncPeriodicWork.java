package hudson.model;

import java.io.IOException;
import java.util.logging.Level;

public abstract class AsyncPeriodicWork extends PeriodicWork {
    protected AsyncPeriodicWork(String name) {}

    public final void doRun() {
        throw new UnsupportedOperationException();
    }

    protected Level getNormalLoggingLevel() {
        throw new UnsupportedOperationException();
    }

    protected abstract void execute(TaskListener listener) throws IOException, InterruptedException;
}
