package hudson.model;

import hudson.FilePath;
import hudson.Launcher;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jenkins.model.ArtifactManager;
import org.jspecify.annotations.Nullable;

/** Stands in for Jenkins' own in tests: a build with a folder, which is found again by its id. */
public abstract class Run<JobT extends Job<JobT, RunT>, RunT extends Run<JobT, RunT>> extends Actionable
        implements Saveable, hudson.security.AccessControlled {
    public static final hudson.security.Permission UPDATE = null;

    private static final Map<String, Run<?, ?>> KNOWN = new HashMap<>();

    private volatile String id;
    private volatile File folder;
    private volatile @Nullable Result result;
    private volatile boolean building = true;
    private volatile Runnable duringArchiving = () -> {};

    protected Run(String id, File folder) {
        this.id = id;
        this.folder = folder;
        synchronized (KNOWN) {
            KNOWN.put(id, this);
        }
    }

    /** Lets this happen once, after its artifact manager began. */
    public void duringArchiving(Runnable what) {
        duringArchiving = what;
    }

    /** Gives it another id and folder, as the renaming of its job does. */
    protected void moved(String to, File place) {
        synchronized (KNOWN) {
            KNOWN.remove(id);
            KNOWN.put(to, this);
            id = to;
            folder = place;
        }
    }

    public static @Nullable Run<?, ?> fromExternalizableId(String id) {
        synchronized (KNOWN) {
            return KNOWN.get(id);
        }
    }

    /** Lets it end: with {@code with}, or with what is worse and was set before. */
    public void end(Result with) {
        setResult(with);
        building = false;
    }

    public boolean isBuilding() {
        return building;
    }

    public @Nullable Result getResult() {
        return result;
    }

    /** A stand-in began with the clock. */
    public final long getTimeInMillis() {
        return 0;
    }

    public int getNumber() {
        return Integer.parseInt(id.substring(id.indexOf('#') + 1));
    }

    /** By Jenkins' own rule: a result only gets worse, and stays as it is once the build has ended. */
    public void setResult(Result with) {
        if (!building) {
            throw new IllegalStateException("cannot change build result while in COMPLETED");
        }
        Result before = result;
        if (before == null || with.isWorseThan(before)) {
            result = with;
        }
    }

    public JobT getParent() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getDisplayName() {
        return id;
    }

    public String getUrl() {
        return "job/" + id.replace('#', '/') + "/";
    }

    public File getRootDir() {
        return folder;
    }

    public String getExternalizableId() {
        return id;
    }

    public final synchronized ArtifactManager pickArtifactManager() throws IOException {
        return new ArtifactManager() {
            @Override
            public void archive(
                    FilePath workspace, Launcher launcher, BuildListener listener, Map<String, String> artifacts)
                    throws IOException {
                Path archive = folder.toPath().resolve("archive"); // once, as Jenkins does
                duringArchiving.run();
                duringArchiving = () -> {};
                for (Map.Entry<String, String> file : artifacts.entrySet()) {
                    Path to = archive.resolve(file.getKey());
                    Files.createDirectories(to.resolveSibling(""));
                    Path from = Path.of(workspace.toString()).resolve(file.getValue());
                    if (Files.exists(from)) { // as Jenkins does, which passes over what is gone
                        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        };
    }

    @Override
    @SuppressWarnings("deprecation") // as Jenkins declares it
    public List<Action> getActions() {
        return List.of();
    }

    /** Every build of a test was started by ana. */
    public <T extends Cause> @Nullable T getCause(Class<T> type) {
        return type.cast(new Cause.UserIdCause() {
            @Override
            public String getUserName() {
                return "ana";
            }

            @Override
            public String getUserId() {
                return "ana";
            }
        });
    }

    @Override
    public synchronized void save() throws IOException {
        // nothing is kept
    }
}
