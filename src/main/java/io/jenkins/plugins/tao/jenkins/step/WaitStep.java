package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.PipelineText;
import io.jenkins.plugins.tao.jenkins.run.WatchRequest;
import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import org.jenkinsci.plugins.structs.describable.CustomDescribableModel;
import org.jenkinsci.plugins.workflow.steps.Step;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepDescriptor;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.verb.POST;

/** {@code taoWait}: waits for jobs, shows their logs, archives their files, and returns how they ended. */
public final class WaitStep extends Step implements WatchRequest, Serializable {
    private static final long serialVersionUID = 1L;
    private static final String CANCEL = "cancel";

    private final String job;
    private String archive = "";
    private String giveUpAfter = "";
    private String retries = "";
    private String onAbort = CANCEL;
    private boolean log = true;
    private boolean failOnError = true;
    private boolean list;
    private boolean takeOver;

    @DataBoundConstructor
    public WaitStep(String job) {
        this.job = FormText.kept(job);
    }

    @Override
    public StepExecution start(StepContext context) {
        return new WaitExecution(context, this);
    }

    /** One token, or several, one a line. */
    public String getJob() {
        return job;
    }

    /** What an abort of the build does to the jobs: {@code cancel} or {@code detach}. */
    public String getOnAbort() {
        return onAbort;
    }

    @DataBoundSetter
    public void setOnAbort(String onAbort) {
        String word = FormText.text(onAbort).orElse(CANCEL);
        if (!word.equals(CANCEL) && !word.equals("detach")) {
            throw new IllegalArgumentException("onAbort must be 'cancel' or 'detach', was '" + word + "'");
        }
        this.onAbort = word;
    }

    boolean detachesOnAbort() {
        return !onAbort.equals(CANCEL);
    }

    @Override
    public boolean isLog() {
        return log;
    }

    @DataBoundSetter
    public void setLog(boolean log) {
        this.log = log;
    }

    @Override
    public boolean isFailOnError() {
        return failOnError;
    }

    @DataBoundSetter
    public void setFailOnError(boolean failOnError) {
        this.failOnError = failOnError;
    }

    /** Whether the answer is a list; it is one when a list was given. */
    public boolean isList() {
        return list;
    }

    @DataBoundSetter
    public void setList(boolean list) {
        this.list = list;
    }

    /** Whether to become the holder of jobs that another controller may hold. */
    public boolean isTakeOver() {
        return takeOver;
    }

    @DataBoundSetter
    public void setTakeOver(boolean takeOver) {
        this.takeOver = takeOver;
    }

    @Override
    public String getArchive() {
        return archive;
    }

    @DataBoundSetter
    public void setArchive(String archive) {
        this.archive = FormText.kept(archive);
    }

    @Override
    public String getGiveUpAfter() {
        return giveUpAfter;
    }

    @DataBoundSetter
    public void setGiveUpAfter(String giveUpAfter) {
        this.giveUpAfter = FormText.kept(giveUpAfter);
    }

    @Override
    public String getRetries() {
        return retries;
    }

    @DataBoundSetter
    public void setRetries(String retries) {
        this.retries = FormText.kept(retries);
    }

    /** The form of the step. */
    @Extension
    public static final class DescriptorImpl extends StepDescriptor implements CustomDescribableModel {
        @Override
        public String getFunctionName() {
            return "taoWait";
        }

        @Override
        public String getDisplayName() {
            return Messages.Wait_displayName();
        }

        @Override
        public Set<? extends Class<?>> getRequiredContext() {
            return Set.of(Run.class, TaskListener.class);
        }

        @Override
        public Map<String, Object> customInstantiate(Map<String, Object> arguments) {
            Map<String, Object> flat = PipelineText.flatten(arguments, Tokens::of);
            if (arguments.get("job") instanceof java.util.List) {
                flat.put("list", "true");
            }
            return flat;
        }

        @Override
        public String argumentsToString(Map<String, Object> namedArgs) {
            return Tokens.shortNames(String.valueOf(namedArgs.get("job")));
        }

        /** Offers what an abort may do. */
        @POST
        public ListBoxModel doFillOnAbortItems() {
            ListBoxModel model = new ListBoxModel();
            model.add(Messages.Wait_cancel(), CANCEL);
            model.add(Messages.Wait_detach(), "detach");
            return model;
        }
    }
}
