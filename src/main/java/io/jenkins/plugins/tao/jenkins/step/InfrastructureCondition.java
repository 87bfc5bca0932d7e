package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import io.jenkins.plugins.tao.jenkins.run.TaoFailure;
import org.jenkinsci.Symbol;
import org.jenkinsci.plugins.workflow.flow.ErrorCondition;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;

/**
 * {@code retry(count: 2, conditions: [taoInfrastructure()])}: the body is repeated after failures of machines and of targets
 * that did not answer, and not after those of the program, wrong parameters, aborts and lost jobs.
 */
public final class InfrastructureCondition extends ErrorCondition {
    private static final long serialVersionUID = 1L;

    @DataBoundConstructor
    public InfrastructureCondition() {
        // it has no parameters
    }

    @Override
    public boolean test(Throwable error, @Nullable StepContext context) {
        return error instanceof TaoFailure failure && failure.isInfrastructure();
    }

    /** The form of the condition. */
    @Extension
    @Symbol("taoInfrastructure")
    public static final class DescriptorImpl extends ErrorConditionDescriptor {
        @Override
        public String getDisplayName() {
            return Messages.Infrastructure_displayName();
        }
    }
}
