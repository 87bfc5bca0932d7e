package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import io.jenkins.plugins.tao.jenkins.run.WatchRequest;
import io.jenkins.plugins.tao.jenkins.run.WatchTerms;
import java.util.List;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/**
 * {@code taoRun}: submits a job, waits for its end, archives its files, and cancels it when the build is aborted. It has the
 * parameters of {@code taoSubmit} and of {@code taoWait}; {@code giveUpAfter} and {@code onAbort} hold for both. A job file may say the same,
 * with gates that judge the job, or with a matrix: then it is a {@code taoSweep}.
 */
@Getter
@SuppressWarnings("MissingOverride") // the getters are generated
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

    /** When its metrics end it; of a sweep when those of a cell do, by other rules. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String endEarly = "";

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

    /** A job file of the workspace, in place of the parameters or beside them; empty for none. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String file = "";

    /** {@code giveUpAfter} of the wait, where it differs from that of the submission; else null. */
    @Getter(AccessLevel.NONE)
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
        Parameters.tidy(step);
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

    @Override
    public final String jobEndEarly() {
        return endEarly;
    }

    /** The form of the step. */
    @Extension
    public static class DescriptorImpl extends SubmitStep.DescriptorImpl {}
}
