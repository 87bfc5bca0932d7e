package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.PipelineText;
import java.util.Map;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** {@code taoCancel}: asks for the end of jobs; one that has ended already is fine. */
public final class CancelStep extends TaoStep {
    /** One token, or several, one a line. */
    @Getter
    private final String job;

    /** Whether to end jobs that another controller holds too. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean takeOver;

    @DataBoundConstructor
    public CancelStep(String job) {
        this.job = FormText.kept(job);
    }

    @Override
    StepExecution begin(StepContext context) {
        return new CancelExecution(context, job, takeOver);
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends JobsForm {
        @Override
        public Map<String, Object> customInstantiate(Map<String, Object> arguments) {
            return PipelineText.flatten(arguments, Tokens::of);
        }
    }
}
