package io.jenkins.plugins.tao.jenkins.step;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.Extension;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.WatchRequest;
import java.io.Serializable;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** {@code taoWait}: waits for jobs, shows their logs, archives their files, and returns how they ended. */
@Getter
@SuppressWarnings("MissingOverride") // the getters are generated
public class WaitStep extends TaoStep implements WatchRequest, Serializable {
    private static final long serialVersionUID = 1L;
    private static final String CANCEL = "cancel";
    private static final String DETACH = "detach";

    /** One token, or several, one a line. */
    private final String job;

    @Setter(onMethod_ = @DataBoundSetter)
    private String archive = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String archiveLimit = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String giveUpAfter = "";

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
    private String endEarly = "";

    /** What an abort of the build does to the jobs: {@code cancel} or {@code detach}. */
    private String onAbort = CANCEL;

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean log = true;

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean failOnError = true;

    /** Whether the answer is a list; it is one when a list was given. */
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean list;

    /** Whether to become the holder of jobs that another controller may hold. */
    @Setter(onMethod_ = @DataBoundSetter)
    private boolean takeOver;

    @Setter(onMethod_ = @DataBoundSetter)
    private String interval = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String logLimit = "";

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
    public String jobEndEarly() {
        return getEndEarly();
    }

    /** The same wait, as {@code terms} say. */
    final WaitStep with(WatchRequest terms) {
        Parameters.copy(terms, this, WatchRequest.class);
        endEarly = terms.jobEndEarly();
        return this;
    }

    /** The form of the step. */
    @Extension
    public static class DescriptorImpl extends JobsForm {}
}
