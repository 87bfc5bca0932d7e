package hudson.model;

import org.jspecify.annotations.Nullable;

public abstract class Job<JobT extends Job<JobT, RunT>, RunT extends Run<JobT, RunT>> extends AbstractItem {
    public java.io.File getBuildDir() {
        throw new UnsupportedOperationException();
    }

    public @Nullable RunT getBuildByNumber(int n) {
        throw new UnsupportedOperationException();
    }
}
