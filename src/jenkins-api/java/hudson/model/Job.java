package hudson.model;

import org.jspecify.annotations.Nullable;

@SuppressWarnings("unchecked") // getParent() is raw in Jenkins
public abstract class Job<JobT extends Job<JobT, RunT>, RunT extends Run<JobT, RunT>> extends AbstractItem {
    public java.io.File getBuildDir() {
        throw new UnsupportedOperationException();
    }

    public @Nullable RunT getBuildByNumber(int n) {
        throw new UnsupportedOperationException();
    }
}
