package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.TargetChoice;
import io.jenkins.plugins.tao.jenkins.run.WatchRequest;
import io.jenkins.plugins.tao.jenkins.run.WatchTerms;
import lombok.Getter;
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

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private String archive = "";

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private String archiveLimit = "";

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private String retries = "";

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private String avoidNodesFor = "";

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private String stallAfter = "";

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private String onStall = "";

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private String idleAfter = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String endEarly;

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean log = true;

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean failOnError = true;

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private String interval = "";

    @Getter(onMethod_ = @Override)
    @Setter(onMethod_ = @DataBoundSetter)
    private String logLimit = "";

    @Getter(onMethod_ = @Override)
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

    /** When its metrics end it; of a sweep when those of a cell do, by other rules. */
    public String getEndEarly() {
        return FormText.kept(endEarly);
    }

    @Override
    public final String jobEndEarly() {
        return FormText.kept(endEarly);
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
