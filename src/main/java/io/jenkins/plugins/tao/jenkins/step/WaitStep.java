package io.jenkins.plugins.tao.jenkins.step;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.Extension;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.Choices;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.WatchRequest;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.io.Serializable;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.verb.POST;

/** {@code taoWait}: waits for jobs, shows their logs, archives their files, and returns how they ended. */
public class WaitStep extends TaoStep implements WatchRequest, Serializable {
    private static final long serialVersionUID = 1L;
    private static final String CANCEL = "cancel";
    private static final String DETACH = "detach";

    /** One token, or several, one a line. */
    @Getter
    private final String job;

    @Setter(onMethod_ = @DataBoundSetter)
    private String archive = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String archiveLimit;

    @Setter(onMethod_ = @DataBoundSetter)
    private String giveUpAfter = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String retries = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String avoidNodesFor;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String stallAfter;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String onStall;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String idleAfter;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String endEarly;

    /** What an abort of the build does to the jobs: {@code cancel} or {@code detach}. */
    @Getter
    private String onAbort = CANCEL;

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean log = true;

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean failOnError = true;

    /** Whether the answer is a list; it is one when a list was given. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean list;

    /** Whether to become the holder of jobs that another controller may hold. */
    @Getter
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean takeOver;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String interval;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String logLimit;

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean foldRanks;

    @DataBoundConstructor
    public WaitStep(String job) {
        this.job = FormText.kept(job);
    }

    @Override
    StepExecution begin(StepContext context) {
        return new WaitExecution(context, this);
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
    final void check() {
        require(
                onAbort.equals(CANCEL) || onAbort.equals(DETACH),
                "onAbort must be 'cancel' or 'detach', was '%s'",
                onAbort);
    }

    /** Whether it has a block that runs for each event. */
    boolean hasBlock() {
        return false;
    }

    final boolean detachesOnAbort() {
        return onAbort.equals(DETACH);
    }

    @Override
    public String getArchive() {
        return FormText.kept(archive);
    }

    @Override
    public String getArchiveLimit() {
        return FormText.kept(archiveLimit);
    }

    @Override
    public String getGiveUpAfter() {
        return FormText.kept(giveUpAfter);
    }

    @Override
    public String getRetries() {
        return FormText.kept(retries);
    }

    @Override
    public String getAvoidNodesFor() {
        return FormText.kept(avoidNodesFor);
    }

    @Override
    public String getStallAfter() {
        return FormText.kept(stallAfter);
    }

    @Override
    public String getOnStall() {
        return FormText.kept(onStall);
    }

    @Override
    public String getIdleAfter() {
        return FormText.kept(idleAfter);
    }

    public String getEndEarly() {
        return FormText.kept(endEarly);
    }

    @Override
    public String jobEndEarly() {
        return getEndEarly();
    }

    @Override
    public String getInterval() {
        return FormText.kept(interval);
    }

    @Override
    public String getLogLimit() {
        return FormText.kept(logLimit);
    }

    /** The same wait, as {@code terms} say. */
    final WaitStep with(WatchRequest terms) {
        Parameters.copy(terms, this, WatchRequest.class);
        endEarly = terms.jobEndEarly();
        return this;
    }

    /** The form of the step. */
    @Extension
    public static class DescriptorImpl extends JobsForm {
        @Override
        public String getFunctionName() {
            return "taoWait";
        }

        @Override
        public String getDisplayName() {
            return Messages.Wait_displayName();
        }

        /** Offers what an abort may do. */
        @POST
        public ListBoxModel doFillOnAbortItems() {
            return JobForm.onAbort();
        }

        /** Offers what may become of a stalled job. */
        @POST
        public ListBoxModel doFillOnStallItems() {
            return Choices.of(WatchPlan.OnStall.class);
        }
    }
}
