package io.jenkins.plugins.tao.jenkins.step;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.Extension;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.GitRequest;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import lombok.Getter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;

/**
 * {@code taoRetry}: runs a job again that did not succeed, as it was asked for, with other resources where the step names
 * them, and returns how it ended.
 */
public final class RetryStep extends RunStep {
    private static final long serialVersionUID = 1L;

    /** What is not taken over: a job is repeated where it ran, and its code may be what the target has. */
    private static final Set<String> OWN = Set.of("targets", "targetOrder", "after", "code", "specFile");

    private static final Set<String> WITH_SPEC = Set.of("targets", "targetOrder", "after", "code", "specFile", "spec");

    /** The token of the job. */
    @Getter
    private final String of;

    @DataBoundConstructor
    public RetryStep(String of) {
        super("", "");
        this.of = FormText.kept(of);
    }

    @Override
    StepExecution begin(StepContext context) {
        require(getFile().isEmpty(), "taoRetry runs a job as it was asked for; run a file with taoRun");
        checkWait();
        return new RetryExecution(context, this);
    }

    /** The job as it was asked for, with what this step names in place of it. */
    RunStep repeating(JobRequest before) {
        RunStep next = new RunStep(before.getTarget(), before.getCommand());
        repeat(before, next);
        return next;
    }

    /** Takes what this step names, and else what was asked for before. */
    void repeat(JobRequest before, RunStep next) {
        Parameters.copy(this, next, JobRequest.class);
        OWN.forEach(name -> Parameters.set(next, name, ""));
        Parameters.fill(before, next, JobRequest.class, getSpecFile().isEmpty() ? OWN : WITH_SPEC);
        next.setSpecFile(getSpecFile());
        if (getCode().isEmpty() && GitRequest.isGit(before.getCode())) {
            next.setCode(before.getCode());
        } else if (getCode().isEmpty()) {
            next.takeCode(before);
        } else {
            next.setCode(getCode());
        }
        next.setOptions(getOptions() == null ? before.getOptions() : getOptions());
        next.inherit(before);
        next.waitAs(this);
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends RunStep.DescriptorImpl {
        @Override
        public Map<String, Object> customInstantiate(Map<String, Object> arguments) {
            Map<String, Object> plain = new LinkedHashMap<>(arguments);
            plain.computeIfPresent("of", (name, value) -> Tokens.of(value));
            return super.customInstantiate(plain);
        }

        @Override
        public @Nullable String argumentsToString(Map<String, Object> namedArgs) {
            return Tokens.named(namedArgs.get("of"));
        }
    }
}
