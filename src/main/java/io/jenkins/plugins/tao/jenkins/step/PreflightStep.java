package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.JobPlan;
import io.jenkins.plugins.tao.jenkins.run.TaoFailure;
import java.io.IOException;
import java.util.Map;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** {@code taoPreflight}: makes the checks of a submission with the credentials of the build, starts nothing, and returns them. */
public final class PreflightStep extends SubmitStep {
    private static final long serialVersionUID = 1L;

    /** Whether a check that failed fails the step. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean failOnError = true;

    @DataBoundConstructor
    public PreflightStep(String target, String command) {
        super(target, command);
    }

    @Override
    StepExecution begin(StepContext context) {
        return new Execution(context, this);
    }

    /** One {@code taoPreflight} under way. */
    private static final class Execution extends QuestionExecution {
        private static final long serialVersionUID = 1L;

        private final PreflightStep step;

        Execution(StepContext context, PreflightStep step) {
            super(context);
            this.step = step;
        }

        @Override
        Object answer(BuildScope scope) throws BackendException, IOException, InterruptedException {
            Map<String, Object> report = new JobPlan(scope, read(step)).preflight();
            if (step.failOnError && !Boolean.TRUE.equals(report.get("passed"))) {
                throw new TaoFailure(
                        "Checks of '" + report.get("target") + "' failed. See them in this log, each with its remedy.",
                        false);
            }
            return report;
        }

        @Override
        public String getStatus() {
            return "checking " + step.getTarget();
        }
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends SubmitStep.DescriptorImpl {}
}
