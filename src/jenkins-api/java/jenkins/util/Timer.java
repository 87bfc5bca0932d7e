package jenkins.util;

import java.util.concurrent.ScheduledExecutorService;

public class Timer {
    protected Timer() {}

    public static synchronized ScheduledExecutorService get() {
        throw new UnsupportedOperationException();
    }
}
