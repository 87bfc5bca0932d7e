package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.GitRequest;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import java.util.LinkedHashMap;
import java.util.Map;
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

    private final String of;

    @DataBoundConstructor
    public RetryStep(String of) {
        super("", "");
        this.of = FormText.kept(of);
    }

    @Override
    StepExecution begin(StepContext context) {
        checkWait();
        return new RetryExecution(context, this);
    }

    /** The token of the job. */
    public String getOf() {
        return of;
    }

    /** The job as it was asked for, with what this step names in place of it. */
    RunStep repeating(JobRequest before) {
        RunStep next = new RunStep(before.getTarget(), before.getCommand());
        repeat(before, next);
        return next;
    }

    /** Takes what this step names, and else what was asked for before. */
    void repeat(JobRequest before, RunStep next) {
        next.setName(given(getName(), before.getName()));
        next.setPre(given(getPre(), before.getPre()));
        next.setPost(given(getPost(), before.getPost()));
        next.setImage(given(getImage(), before.getImage()));
        next.setGpus(given(getGpus(), before.getGpus()));
        next.setNodes(given(getNodes(), before.getNodes()));
        next.setCpus(given(getCpus(), before.getCpus()));
        next.setTimeLimit(given(getTimeLimit(), before.getTimeLimit()));
        next.setStartWithin(given(getStartWithin(), before.getStartWithin()));
        next.setRetryBudget(given(getRetryBudget(), before.getRetryBudget()));
        next.setEnv(given(getEnv(), before.getEnv()));
        next.setSecrets(given(getSecrets(), before.getSecrets()));
        next.setInputs(given(getInputs(), before.getInputs()));
        next.setOutputs(given(getOutputs(), before.getOutputs()));
        next.setSpec(getSpecFile().isEmpty() ? given(getSpec(), before.getSpec()) : getSpec());
        next.setSpecFile(getSpecFile());
        next.setSet(given(getSet(), before.getSet()));
        next.setArgs(given(getArgs(), before.getArgs()));
        if (getCode().isEmpty() && GitRequest.isGit(before.getCode())) {
            next.setCode(before.getCode());
        } else if (getCode().isEmpty()) {
            next.takeCode(before);
        } else {
            next.setCode(getCode());
        }
        next.setSpecFormat(given(getSpecFormat(), before.getSpecFormat()));
        next.setResume(given(getResume(), before.getResume()));
        next.setKeepCheckpoints(given(getKeepCheckpoints(), before.getKeepCheckpoints()));
        next.setResultsDir(given(getResultsDir(), before.getResultsDir()));
        next.setGiveUpAfter(given(getGiveUpAfter(), before.getGiveUpAfter()));
        next.setOnAbort(getOnAbort());
        next.setOptions(getOptions() == null ? before.getOptions() : getOptions());
        next.inherit(before);
        next.waitAs(this);
    }

    private static String given(String now, String before) {
        return now.isEmpty() ? before : now;
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends RunStep.DescriptorImpl {
        @Override
        public String getFunctionName() {
            return "taoRetry";
        }

        @Override
        public String getDisplayName() {
            return Messages.Retry_displayName();
        }

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
