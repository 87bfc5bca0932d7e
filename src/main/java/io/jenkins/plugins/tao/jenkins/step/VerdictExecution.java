package io.jenkins.plugins.tao.jenkins.step;

import hudson.AbortException;
import hudson.FilePath;
import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.security.ACL;
import hudson.security.ACLContext;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import java.io.IOException;
import jenkins.model.Jenkins;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/** A step that reads records and ends: beside the thread of the Pipeline, as whoever the build runs as; begun again after a restart. */
abstract class VerdictExecution extends StepExecution {
    private static final long serialVersionUID = 1L;

    VerdictExecution(StepContext context) {
        super(context);
    }

    /**
     * Does it.
     *
     * @return the value of the step
     * @throws IllegalArgumentException if the step is written wrong
     */
    abstract Object work(Run<?, ?> run, BuildScope scope) throws IOException, InterruptedException;

    @Override
    public final boolean start() {
        Authentication who = Jenkins.getAuthentication2();
        TaoRuntime.steps().execute(() -> {
            try (ACLContext as = ACL.as2(who)) {
                assert as != null;
                end();
            }
        });
        return false;
    }

    @Override
    public final void onResume() {
        start();
    }

    private void end() {
        StepContext context = getContext();
        StepWork.run(context, () -> {
            try {
                Run<?, ?> run = context.get(Run.class);
                context.onSuccess(work(run, new BuildScope(run, context.get(TaskListener.class))));
            } catch (AbortException e) {
                throw e;
            } catch (IOException e) {
                throw new AbortException(
                        "Records or baselines cannot be read or written: " + e.getMessage()
                                + ". Look into 'tao' of the job's directory, or into the workspace where 'baselines' names a file.");
            }
        });
    }

    /** The workspace; there is none outside of a node. */
    final @Nullable FilePath workspace() throws IOException, InterruptedException {
        return getContext().get(FilePath.class);
    }

    @Override
    public final void stop(Throwable cause) {
        getContext().onFailure(cause);
    }
}
