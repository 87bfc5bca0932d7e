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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The code that builds have checked out, until the job is submitted that uses it: a record keeps it from then on. Only the newest builds are
 * kept; after a restart between checkout and submission the version is not known.
 */
@Extension
public class CheckedOutCode extends SCMListener {
    private static final int MOST = 500;

    private final Map<String, Map<String, String>> byBuild = new LinkedHashMap<>();

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
        keep(build.getExternalizableId(), variables);
    }

    /** The first checkout of a build counts: libraries and other repositories come later. */
    private synchronized void keep(String build, Map<String, String> variables) {
        byBuild.putIfAbsent(build, variables);
        if (byBuild.size() > MOST) {
            byBuild.remove(byBuild.keySet().iterator().next());
        }
    }

    /** {@code origin} with the code that the build checked out; as it is where that is not known. */
    synchronized RunOrigin of(Run<?, ?> build, RunOrigin origin) {
        Map<String, String> variables =
                Optional.ofNullable(byBuild.get(build.getExternalizableId())).orElse(Map.of());
        return origin.with(
                        RunOrigin.CODE,
                        variables.getOrDefault("GIT_COMMIT", variables.getOrDefault("SVN_REVISION", "")))
                .with(RunOrigin.BRANCH, variables.getOrDefault("GIT_BRANCH", "").replaceFirst("^origin/", ""));
    }
}
