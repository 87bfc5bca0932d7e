package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.JobLook;
import java.util.List;
import java.util.Map;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** {@code taoStatus}: asks once where jobs stand, and returns it. */
public final class StatusStep extends TaoStep {
    /** One token, or several, one a line. */
    @Getter
    private final String job;

    /** Whether the answer is a list; it is one when a list was given. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean list;

    @DataBoundConstructor
    public StatusStep(String job) {
        this.job = FormText.kept(job);
    }

    @Override
    StepExecution begin(StepContext context) {
        return new Execution(context, job, list);
    }

    /** One {@code taoStatus} under way. */
    private static final class Execution extends QuestionExecution {
        private static final long serialVersionUID = 1L;

        private final String job;
        private final boolean list;

        Execution(StepContext context, String job, boolean list) {
            super(context);
            this.job = job;
            this.list = list;
        }

        @Override
        Object answer(BuildScope scope) throws BackendException {
            List<Map<String, Object>> answers = JobLook.at(scope, Tokens.parse(job));
            return list ? answers : answers.get(0);
        }

        @Override
        public String getStatus() {
            return "asking after " + Tokens.shortNames(job);
        }
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends JobsForm {}
}
