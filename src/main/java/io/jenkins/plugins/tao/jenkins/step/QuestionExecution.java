package io.jenkins.plugins.tao.jenkins.step;

import hudson.FilePath;
import hudson.model.Run;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceFiles;
import java.io.IOException;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;

/** A step that asks once and returns the answer. Asking twice does no harm, so after a restart it asks again. */
abstract class QuestionExecution extends StepExecution {
    private static final long serialVersionUID = 1L;

    QuestionExecution(StepContext context) {
        super(context);
    }

    /** Asks; may wait for a network. The answer, if there is one, consists of texts, numbers, truth values, lists and maps. */
    abstract @Nullable Object answer(BuildScope scope) throws BackendException, IOException, InterruptedException;

    /** The step with what its folders say, and with what its files in the workspace hold. */
    final SubmitStep read(SubmitStep step) throws IOException, InterruptedException {
        SubmitStep whole = step.in(getContext().get(Run.class).getParent());
        return whole.needsWorkspace()
                ? whole.with(WorkspaceFiles.read(whole, getContext().get(FilePath.class)))
                : whole;
    }

    @Override
    public boolean start() {
        TaoRuntime.calls().execute(this::ask);
        return false;
    }

    @Override
    public void onResume() {
        start();
    }

    private void ask() {
        StepContext context = getContext();
        StepWork.run(context, () -> {
            context.onSuccess(answer(BuildScope.of(context)));
        });
    }

    @Override
    public void stop(Throwable cause) {
        getContext().onFailure(cause);
    }
}
