package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.JobPlan;
import java.io.IOException;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.kohsuke.stapler.DataBoundConstructor;

/** {@code taoPreview}: returns what a submission would send and what changed since the last good run; sends nothing. */
public final class PreviewStep extends SubmitStep {
    private static final long serialVersionUID = 1L;

    @DataBoundConstructor
    public PreviewStep(String target, String command) {
        super(target, command);
    }

    @Override
    StepExecution begin(StepContext context) {
        return new Execution(context, this);
    }

    /** One {@code taoPreview} under way. */
    private static final class Execution extends QuestionExecution {
        private static final long serialVersionUID = 1L;

        private final PreviewStep step;

        Execution(StepContext context, PreviewStep step) {
            super(context);
            this.step = step;
        }

        @Override
        Object answer(BuildScope scope) throws BackendException, IOException, InterruptedException {
            return new JobPlan(scope, read(step)).preview();
        }

        @Override
        public String getStatus() {
            return "previewing a job for " + step.getTarget();
        }
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends SubmitStep.DescriptorImpl {}
}
