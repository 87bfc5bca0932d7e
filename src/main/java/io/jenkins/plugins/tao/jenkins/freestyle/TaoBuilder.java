package io.jenkins.plugins.tao.jenkins.freestyle;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.Extension;
import hudson.Launcher;
import hudson.model.AbstractBuild;
import hudson.model.AbstractProject;
import hudson.model.BuildListener;
import hudson.tasks.BuildStepDescriptor;
import hudson.tasks.Builder;
import hudson.util.FormValidation;
import hudson.util.FormValidation.CheckMethod;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.Choices;
import io.jenkins.plugins.tao.jenkins.config.FieldCheck;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import io.jenkins.plugins.tao.jenkins.run.WatchRequest;
import io.jenkins.plugins.tao.jenkins.run.WatchTerms;
import io.jenkins.plugins.tao.jenkins.step.Parameters;
import io.jenkins.plugins.tao.jenkins.step.RunStep;
import io.jenkins.plugins.tao.jenkins.step.StepInBuild;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import io.jenkins.plugins.tao.jenkins.step.WaitStep;
import io.jenkins.plugins.tao.jenkins.verdict.BuildGate;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.verb.POST;

/** The build step "Run TAO job": submits a job, waits for it, archives its files, and cancels it when the build is aborted. */
@Getter
@SuppressWarnings("MissingOverride") // the getters are generated
public final class TaoBuilder extends Builder implements WatchRequest {
    /** The job, as {@code taoSubmit} takes it. */
    private final SubmitStep job;

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

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean log = true;

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean failOnError = true;

    /** Gates for the job, one a line, as in {@code {kpi: val_acc, atLeast: 0.42}}. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String gates = "";

    /** A job file of the workspace, in place of the job or beside it; empty for none. */
    @Setter(onMethod_ = @DataBoundSetter)
    private String file = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String interval = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String logLimit = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean foldRanks;

    @DataBoundConstructor
    public TaoBuilder(SubmitStep job) {
        this.job = job;
    }

    Object readResolve() {
        Parameters.tidy(this); // a project that an earlier version saved lacks texts
        return this;
    }

    @Override
    public String jobEndEarly() {
        return getEndEarly();
    }

    @Override
    public boolean perform(AbstractBuild<?, ?> build, Launcher launcher, BuildListener listener)
            throws InterruptedException, IOException {
        run(new StepInBuild(build, listener, build.getWorkspace()));
        return true;
    }

    /** Does it in the place of {@code build}. */
    void run(StepInBuild build) throws InterruptedException, IOException {
        try {
            List<Map<String, String>> criteria = BuildGate.read("gates", getGates());
            require(
                    job != null || !getFile().isEmpty(),
                    "The build step 'Run TAO job' names no job. Open the form of the project, fill it in, and save.");
            RunStep step = RunStep.of(job == null ? new SubmitStep("", "") : job, this);
            step.setFile(getFile());
            build.run(step, criteria);
        } catch (IllegalArgumentException e) {
            throw Failures.refusal(e);
        }
    }

    /** The form of the build step. */
    @Extension
    @Symbol("taoRun")
    public static final class DescriptorImpl extends BuildStepDescriptor<Builder> {
        /** What {@code taoWait} has too. */
        private static final List<String> OF_WAIT = List.of(
                "archive",
                "archiveLimit",
                "avoidNodesFor",
                "endEarly",
                "failOnError",
                "foldRanks",
                "giveUpAfter",
                "idleAfter",
                "interval",
                "log",
                "logLimit",
                "onStall",
                "retries",
                "stallAfter");

        private static final Map<String, Consumer<String>> READINGS = Map.of(
                "archive", text -> WatchTerms.archive(text, ""),
                "archiveLimit", text -> WatchTerms.archive("", text),
                "interval", text -> FormText.duration("interval", text),
                "logLimit", text -> WatchTerms.logLimit(text),
                "giveUpAfter", text -> FormText.duration("giveUpAfter", text),
                "gates", text -> BuildGate.read("gates", text),
                "retries", text -> FormText.number("retries", text));

        public DescriptorImpl() {
            OF_WAIT.forEach(field -> addHelpFileRedirect(field, WaitStep.class, field));
        }

        @Override
        public String getDisplayName() {
            return Messages.Builder_displayName();
        }

        @Override
        @SuppressWarnings("rawtypes") // as Jenkins declares it
        public boolean isApplicable(Class<? extends AbstractProject> jobType) {
            return true;
        }

        /** Offers what may become of a stalled job. */
        @POST
        public ListBoxModel doFillOnStallItems() {
            return Choices.of(WatchPlan.OnStall.class);
        }

        @Override
        public CheckMethod getCheckMethod(String field) {
            return READINGS.containsKey(field) ? new FieldCheck(this, field) : super.getCheckMethod(field);
        }

        /** Checks the text of the field that the rest of the path names. */
        @POST
        public FormValidation doCheckField(StaplerRequest2 request, @QueryParameter String value) {
            return FieldCheck.checked(READINGS, request, value);
        }
    }
}
