package hudson.model;

import java.io.File;
import java.io.IOException;
import jenkins.model.ArtifactManager;
import org.jspecify.annotations.Nullable;

public abstract class Run<JobT extends Job<JobT, RunT>, RunT extends Run<JobT, RunT>> extends Actionable
        implements Saveable, hudson.security.AccessControlled {
    public static final hudson.security.Permission UPDATE = null;

    public static Run<?, ?> fromExternalizableId(String id) throws IllegalArgumentException {
        throw new UnsupportedOperationException();
    }

    public boolean isBuilding() {
        throw new UnsupportedOperationException();
    }

    public @Nullable Result getResult() {
        throw new UnsupportedOperationException();
    }

    public void setResult(Result r) {
        throw new UnsupportedOperationException();
    }

    public <T extends Cause> @Nullable T getCause(Class<T> type) {
        throw new UnsupportedOperationException();
    }

    public final long getTimeInMillis() {
        throw new UnsupportedOperationException();
    }

    public int getNumber() {
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
