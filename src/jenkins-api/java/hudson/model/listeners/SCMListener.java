package hudson.model.listeners;

import hudson.ExtensionPoint;
import hudson.FilePath;
import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.scm.SCM;
import hudson.scm.SCMRevisionState;
import java.io.File;
import org.jspecify.annotations.Nullable;

public abstract class SCMListener implements ExtensionPoint {
    public void onCheckout(
            Run<?, ?> build,
            SCM scm,
            FilePath workspace,
            TaskListener listener,
            @Nullable File changelogFile,
            @Nullable SCMRevisionState pollingBaseline)
            throws Exception {
        throw new UnsupportedOperationException();
    }
}
