package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import org.kohsuke.stapler.DataBoundConstructor;

/**
 * {@code taoFollow}: waits for jobs as {@code taoWait} does; its block runs for each of their events. A step of its own, since
 * Pipeline lets no step have a block that may be left out.
 */
public final class FollowStep extends WaitStep {
    private static final long serialVersionUID = 1L;

    @DataBoundConstructor
    public FollowStep(String job) {
        super(job);
    }

    @Override
    boolean hasBlock() {
        return true;
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends WaitStep.DescriptorImpl {
        @Override
        public boolean takesImplicitBlockArgument() {
            return true;
        }
    }
}
