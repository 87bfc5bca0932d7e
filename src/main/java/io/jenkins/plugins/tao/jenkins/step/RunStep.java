package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.Choices;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.WatchRequest;
import io.jenkins.plugins.tao.jenkins.run.WatchTerms;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.util.List;
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
 * parameters of {@code taoSubmit} and of {@code taoWait}; {@code giveUpAfter} and {@code onAbort} hold for both. A job file may say the same,
 * with gates that judge the job, or with a matrix: then it is a {@code taoSweep}.
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

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String file;

    /** {@code giveUpAfter} of the wait, where it differs from that of the submission; else null. */
    private @Nullable String waitGiveUpAfter;

    @DataBoundConstructor
    public RunStep(@Nullable String target, @Nullable String command) {
        super(target, command);
    }

    @Override
    StepExecution begin(StepContext context) {
        checkWait();
        return getFile().isEmpty() ? new RunExecution(context, this) : new JudgedExecution(context, this, List.of());
    }

    /** Refuses what is wrong of the wait before anything is submitted: a job whose watch cannot begin would run unseen. */
    final void checkWait() {
        WaitStep wait = waitFor("");
        wait.check();
        WatchTerms.of(wait);
    }

    /** Waits as {@code terms} say. */
    final void waitAs(RunStep terms) {
        String own = getGiveUpAfter();
        Parameters.copy(terms, this, WatchRequest.class);
        setGiveUpAfter(own);
        endEarly = terms.endEarly;
    }

    /** The step that a build step asks for, whose wait has other terms than its submission. */
    public static RunStep of(SubmitStep job, WatchRequest terms) {
        RunStep step = new RunStep(job.getTarget(), job.getCommand());
        Parameters.copy(job, step, SubmitStep.class);
        Parameters.copy(terms, step, WatchRequest.class);
        step.setGiveUpAfter(job.getGiveUpAfter());
        step.waitGiveUpAfter = terms.getGiveUpAfter();
        step.endEarly = terms.jobEndEarly();
        return step;
    }

    /** A copy for what its file says: {@code command} once, or for each cell of a matrix. */
    final RunStep filed(boolean sweep, String target, String command) {
        RunStep step = (RunStep) copy();
        if (sweep && !(this instanceof SweepStep)) {
            step = new SweepStep(target, command);
            Parameters.copy(this, step, RunStep.class);
            step.waitGiveUpAfter = waitGiveUpAfter;
        }
        step.file = "";
        step.run(target, command);
        return step;
    }

    /** The wait for the job of this token. */
    final WaitStep waitFor(String token) {
        WaitStep wait = new WaitStep(token).with(this);
        wait.setOnAbort(getOnAbort());
        if (waitGiveUpAfter != null) {
            wait.setGiveUpAfter(waitGiveUpAfter);
        }
        return wait;
    }

    /** A job file of the workspace, in place of the parameters or beside them; empty for none. */
    public String getFile() {
        return FormText.kept(file);
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
            return Choices.of(WatchPlan.OnStall.class);
        }
    }
}
