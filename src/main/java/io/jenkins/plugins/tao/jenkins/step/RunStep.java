package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.TargetChoice;
import io.jenkins.plugins.tao.jenkins.run.WatchRequest;
import io.jenkins.plugins.tao.jenkins.run.WatchTerms;
import lombok.Setter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.verb.POST;

/**
 * {@code taoRun}: submits a job, waits for its end, archives its files, and cancels it when the build is aborted. It has the
 * parameters of {@code taoSubmit} and of {@code taoWait}; {@code giveUpAfter} and {@code onAbort} hold for both.
 */
public class RunStep extends SubmitStep implements WatchRequest {
    private static final long serialVersionUID = 1L;

    @Setter(onMethod_ = @DataBoundSetter)
    private String archive = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String archiveLimit = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String retries = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String avoidNodesFor = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String stallAfter = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String onStall = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String idleAfter = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String endEarly;

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean log = true;

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean failOnError = true;

    @Setter(onMethod_ = @DataBoundSetter)
    private String interval = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String logLimit = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean foldRanks;

    @DataBoundConstructor
    public RunStep(String target, String command) {
        super(target, command);
    }

    @Override
    StepExecution begin(StepContext context) {
        checkWait();
        return new RunExecution(context, this);
    }

    /** Refuses what is wrong of the wait before anything is submitted: a job whose watch cannot begin would run unseen. */
    final void checkWait() {
        waitFor("").check();
        WatchTerms.of(this);
    }

    /** Waits as {@code terms} say. */
    final void waitAs(RunStep terms) {
        archive = terms.archive;
        archiveLimit = terms.archiveLimit;
        retries = terms.retries;
        avoidNodesFor = terms.avoidNodesFor;
        stallAfter = terms.stallAfter;
        onStall = terms.onStall;
        idleAfter = terms.idleAfter;
        log = terms.log;
        failOnError = terms.failOnError;
        endEarly = terms.endEarly;
        interval = terms.interval;
        logLimit = terms.logLimit;
        foldRanks = terms.foldRanks;
    }

    /** The wait for the job of this token. */
    final WaitStep waitFor(String token) {
        WaitStep wait = new WaitStep(token).with(this);
        wait.setOnAbort(getOnAbort());
        return wait;
    }

    @Override
    public String getArchive() {
        return archive;
    }

    @Override
    public String getArchiveLimit() {
        return archiveLimit;
    }

    @Override
    public String getRetries() {
        return retries;
    }

    @Override
    public String getAvoidNodesFor() {
        return avoidNodesFor;
    }

    @Override
    public String getStallAfter() {
        return stallAfter;
    }

    @Override
    public String getOnStall() {
        return onStall;
    }

    @Override
    public String getIdleAfter() {
        return idleAfter;
    }

    /** When its metrics end it; of a sweep when those of a cell do, by other rules. */
    public String getEndEarly() {
        return FormText.kept(endEarly);
    }

    @Override
    public final String jobEndEarly() {
        return FormText.kept(endEarly);
    }

    @Override
    public boolean isLog() {
        return log;
    }

    @Override
    public boolean isFailOnError() {
        return failOnError;
    }

    @Override
    public String getInterval() {
        return interval;
    }

    @Override
    public String getLogLimit() {
        return logLimit;
    }

    @Override
    public boolean isFoldRanks() {
        return foldRanks;
    }

    /** The form of the step. */
    @Extension
    public static class DescriptorImpl extends SubmitStep.DescriptorImpl {
        @Override
        public String getFunctionName() {
            return "taoRun";
        }

        @Override
        public String getDisplayName() {
            return Messages.Run_displayName();
        }

        /** Offers what may become of a stalled job. */
        @POST
        public ListBoxModel doFillOnStallItems() {
            return TargetChoice.stallActions();
        }
    }
}
