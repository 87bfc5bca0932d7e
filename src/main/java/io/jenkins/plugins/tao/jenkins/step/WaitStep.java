package io.jenkins.plugins.tao.jenkins.step;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.Extension;
import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.TargetChoice;
import io.jenkins.plugins.tao.jenkins.run.WatchRequest;
import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import lombok.Setter;
import org.jenkinsci.plugins.structs.describable.CustomDescribableModel;
import org.jenkinsci.plugins.workflow.steps.Step;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepDescriptor;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.verb.POST;

/** {@code taoWait}: waits for jobs, shows their logs, archives their files, and returns how they ended. */
public final class WaitStep extends Step implements WatchRequest, Serializable {
    private static final long serialVersionUID = 1L;
    private static final String CANCEL = "cancel";
    private static final String DETACH = "detach";

    private final String job;
    private String archive = "";
    private @Nullable String archiveLimit;
    private String giveUpAfter = "";
    private String retries = "";
    private @Nullable String avoidNodesFor;
    private @Nullable String stallAfter;
    private @Nullable String onStall;
    private @Nullable String idleAfter;
    private String onAbort = CANCEL;
    private boolean log = true;
    private boolean failOnError = true;
    private boolean list;
    private boolean takeOver;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String interval;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String logLimit;

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean foldRanks;

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
        this.onAbort = FormText.text(onAbort).orElse(CANCEL);
    }

    /**
     * Checks what no setter may refuse, since Jenkins shows that with a stack trace.
     *
     * @throws IllegalArgumentException naming the parameter that is wrong
     */
    void check() {
        require(
                onAbort.equals(CANCEL) || onAbort.equals(DETACH),
                "onAbort must be 'cancel' or 'detach', was '%s'",
                onAbort);
    }

    boolean detachesOnAbort() {
        return onAbort.equals(DETACH);
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
    public String getArchiveLimit() {
        return FormText.kept(archiveLimit);
    }

    @DataBoundSetter
    public void setArchiveLimit(String archiveLimit) {
        this.archiveLimit = FormText.kept(archiveLimit);
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

    @Override
    public String getAvoidNodesFor() {
        return FormText.kept(avoidNodesFor);
    }

    @DataBoundSetter
    public void setAvoidNodesFor(String avoidNodesFor) {
        this.avoidNodesFor = FormText.kept(avoidNodesFor);
    }

    @Override
    public String getStallAfter() {
        return FormText.kept(stallAfter);
    }

    @DataBoundSetter
    public void setStallAfter(String stallAfter) {
        this.stallAfter = FormText.kept(stallAfter);
    }

    @Override
    public String getOnStall() {
        return FormText.kept(onStall);
    }

    @DataBoundSetter
    public void setOnStall(String onStall) {
        this.onStall = FormText.kept(onStall);
    }

    @Override
    public String getIdleAfter() {
        return FormText.kept(idleAfter);
    }

    @DataBoundSetter
    public void setIdleAfter(String idleAfter) {
        this.idleAfter = FormText.kept(idleAfter);
    }

    @Override
    public String getInterval() {
        return FormText.kept(interval);
    }

    @Override
    public String getLogLimit() {
        return FormText.kept(logLimit);
    }

    @Override
    public boolean isFoldRanks() {
        return foldRanks;
    }

    /** The same wait, as {@code terms} say. */
    WaitStep with(WatchRequest terms) {
        archive = terms.getArchive();
        archiveLimit = terms.getArchiveLimit();
        giveUpAfter = terms.getGiveUpAfter();
        retries = terms.getRetries();
        avoidNodesFor = terms.getAvoidNodesFor();
        stallAfter = terms.getStallAfter();
        onStall = terms.getOnStall();
        idleAfter = terms.getIdleAfter();
        interval = terms.getInterval();
        logLimit = terms.getLogLimit();
        foldRanks = terms.isFoldRanks();
        log = terms.isLog();
        failOnError = terms.isFailOnError();
        return this;
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
            return Tokens.arguments(arguments);
        }

        @Override
        public @Nullable String argumentsToString(Map<String, Object> namedArgs) {
            return Tokens.named(namedArgs.get("job"));
        }

        /** Offers what an abort may do. */
        @POST
        public ListBoxModel doFillOnAbortItems() {
            return OnAbort.items();
        }

        /** Offers what may become of a stalled job. */
        @POST
        public ListBoxModel doFillOnStallItems() {
            return TargetChoice.stallActions();
        }
    }
}
