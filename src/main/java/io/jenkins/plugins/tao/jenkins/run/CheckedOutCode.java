package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.ExtensionList;
import hudson.FilePath;
import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.model.listeners.SCMListener;
import hudson.scm.SCM;
import hudson.scm.SCMRevisionState;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The code that builds have checked out, until the job is submitted that uses it: a record keeps it from then on. After a restart between
 * checkout and submission the version is not known.
 */
@Extension
public class CheckedOutCode extends SCMListener {
    private final Map<Run<?, ?>, Map<String, String>> byBuild = new WeakHashMap<>();

    static CheckedOutCode get() {
        return ExtensionList.lookupSingleton(CheckedOutCode.class);
    }

    @Override
    public void onCheckout(
            Run<?, ?> build,
            SCM scm,
            FilePath workspace,
            TaskListener listener,
            @Nullable File changelogFile,
            @Nullable SCMRevisionState pollingBaseline) {
        Map<String, String> variables = new LinkedHashMap<>();
        scm.buildEnvironment(build, variables);
        keep(build, variables);
    }

    /** The first checkout of a build counts: libraries and other repositories come later. */
    private synchronized void keep(Run<?, ?> build, Map<String, String> variables) {
        byBuild.putIfAbsent(build, variables);
    }

    /** {@code origin} with the code that the build checked out; as it is where that is not known. */
    synchronized RunOrigin of(Run<?, ?> build, RunOrigin origin) {
        Map<String, String> variables = byBuild.getOrDefault(build, Map.of());
        return origin.with(
                        RunOrigin.CODE,
                        variables.getOrDefault("GIT_COMMIT", variables.getOrDefault("SVN_REVISION", "")))
                .with(RunOrigin.BRANCH, variables.getOrDefault("GIT_BRANCH", "").replaceFirst("^origin/", ""));
    }
}
