package jenkins.model;

import hudson.FilePath;
import hudson.Launcher;
import hudson.model.BuildListener;
import java.io.IOException;
import java.util.Map;

public abstract class ArtifactManager {
    public abstract void archive(
            FilePath workspace, Launcher launcher, BuildListener listener, Map<String, String> artifacts)
            throws IOException, InterruptedException;
}
