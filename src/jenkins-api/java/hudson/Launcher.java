package hudson;

import hudson.model.TaskListener;

public abstract class Launcher {
    protected Launcher() {}

    public static class LocalLauncher extends Launcher {
        public LocalLauncher(TaskListener listener) {}
    }
}
