package hudson.model;

import java.io.File;
import java.io.IOException;
import jenkins.model.ArtifactManager;

public abstract class Run<JobT extends Job<JobT, RunT>, RunT extends Run<JobT, RunT>> extends Actionable
        implements Saveable {
    public static Run<?, ?> fromExternalizableId(String id) throws IllegalArgumentException {
        throw new UnsupportedOperationException();
    }

    public JobT getParent() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getDisplayName() {
        throw new UnsupportedOperationException();
    }

    public String getUrl() {
        throw new UnsupportedOperationException();
    }

    public File getRootDir() {
        throw new UnsupportedOperationException();
    }

    public String getExternalizableId() {
        throw new UnsupportedOperationException();
    }

    public final synchronized ArtifactManager pickArtifactManager() throws IOException {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized void save() throws IOException {
        throw new UnsupportedOperationException();
    }
}
