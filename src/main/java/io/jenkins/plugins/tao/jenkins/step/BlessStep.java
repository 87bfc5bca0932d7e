package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import java.util.Map;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** {@code taoBless}: calls runs of this build good, so that later builds are compared with them. */
@Getter
public final class BlessStep extends TaoStep {
    private final String why;

    @Setter(onMethod_ = @DataBoundSetter)
    private String name = "";

    /** Who blesses, such as the person who answered an {@code input}; empty for who started the build. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String by = "";

    /** Tokens or ids of the jobs that are blessed, one a line; empty for all of this build. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String job = "";

    /** A file of the workspace that takes the blessings; empty for the directory of the Jenkins job. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String baselines = "";

    @DataBoundConstructor
    public BlessStep(@Nullable String why) {
        this.why = FormText.kept(why);
    }

    @Override
    StepExecution begin(StepContext context) {
        if (why.isEmpty()) {
            throw new IllegalArgumentException("A blessing needs a reason: taoBless(why: '...').");
        }
        return new BlessExecution(context, this);
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends StepForm {
        @Override
        public @Nullable String argumentsToString(Map<String, Object> namedArgs) {
            return namedArgs.get("why") instanceof String reason ? reason : null;
        }
    }
}
