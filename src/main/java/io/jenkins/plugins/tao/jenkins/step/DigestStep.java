package io.jenkins.plugins.tao.jenkins.step;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.Extension;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import java.util.List;
import java.util.Map;
import lombok.Getter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** {@code taoDigest}: what this build was, or all jobs of its folder of late, as a text for a mail or a chat. */
public final class DigestStep extends TaoStep {
    static final List<String> FORMS = List.of("text", "markdown", "html");

    /** How far back, for all jobs of the folder; empty for this build alone. */
    @Getter
    private String within = "";

    /** The form of the text that the step returns: {@code text}, {@code markdown} or {@code html}. */
    @Getter
    private String format = "text";

    @DataBoundConstructor
    public DigestStep() {
        // all of it may be left out
    }

    @Override
    StepExecution begin(StepContext context) {
        require(FORMS.contains(format), "format must be one of %s, was '%s'", String.join(", ", FORMS), format);
        var unused = FormText.duration("within", within); // reports a wrong one
        return new DigestExecution(context, within, format);
    }

    @DataBoundSetter
    public void setWithin(@Nullable String within) {
        this.within = within == null ? "" : within.strip();
    }

    @DataBoundSetter
    public void setFormat(@Nullable String format) {
        this.format = format == null || format.isBlank() ? "text" : format.strip();
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends StepForm {
        @Override
        public @Nullable String argumentsToString(Map<String, Object> namedArgs) {
            return namedArgs.get("within") instanceof String time ? "within " + time : null;
        }
    }
}
