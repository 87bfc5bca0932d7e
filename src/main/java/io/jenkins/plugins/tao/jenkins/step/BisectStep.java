package io.jenkins.plugins.tao.jenkins.step;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.Extension;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import java.util.List;
import java.util.Set;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** {@code taoBisect}: finds the first bad commit; its block runs for some of the commits, with the gate as judge. */
@Getter
public final class BisectStep extends TaoStep {
    private static final int BUDGET = 8;

    /** The commits after the good one, one a line, the oldest first; the last is the bad one. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String commits = "";

    /** How many commits may be run in all. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String budget = "";

    @DataBoundConstructor
    public BisectStep() {}

    @Override
    StepExecution begin(StepContext context) {
        List<String> given = FormText.list(commits);
        require(
                given.size() >= 2,
                "taoBisect takes commits, those after a good one, the oldest first and the bad one last: the lines of git"
                        + " rev-list --reverse GOOD..BAD");
        int most = FormText.number("budget", budget).orElse(BUDGET);
        require(most >= 1, "budget must be at least one run, was %d", most);
        return new BisectExecution(context, given, most);
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends StepForm {
        @Override
        public boolean takesImplicitBlockArgument() {
            return true;
        }

        @Override
        public Set<? extends Class<?>> getProvidedContext() {
            return Set.of(BisectJudge.class);
        }
    }
}
