package io.jenkins.plugins.tao.jenkins.freestyle;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.AbortException;
import hudson.Extension;
import hudson.Launcher;
import hudson.model.AbstractBuild;
import hudson.model.AbstractProject;
import hudson.model.BuildListener;
import hudson.model.Result;
import hudson.tasks.BuildStepDescriptor;
import hudson.tasks.Builder;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.TargetChoice;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.Departing;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import io.jenkins.plugins.tao.jenkins.run.PlacedRun;
import io.jenkins.plugins.tao.jenkins.run.SubmissionId;
import io.jenkins.plugins.tao.jenkins.run.TaoJob;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.jenkins.run.WatchRequest;
import io.jenkins.plugins.tao.jenkins.run.WatchRun;
import io.jenkins.plugins.tao.jenkins.run.WatchTerms;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceFiles;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import io.jenkins.plugins.tao.jenkins.verdict.BuildGate;
import io.jenkins.plugins.tao.job.JobHandle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** The build step "Run TAO job": submits a job, waits for it, archives its files, and cancels it when the build is aborted. */
public final class TaoBuilder extends Builder implements WatchRequest {
    private final SubmitStep job;

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

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean log = true;

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean failOnError = true;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String gates;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String interval;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String logLimit;

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean foldRanks;

    @DataBoundConstructor
    public TaoBuilder(SubmitStep job) {
        this.job = job;
    }

    /** The job, as {@code taoSubmit} takes it. */
    public SubmitStep getJob() {
        return job;
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

    @Override
    public boolean isLog() {
        return log;
    }

    @Override
    public boolean isFailOnError() {
        return failOnError;
    }

    /** Gates for the job, one a line, as in {@code {kpi: val_acc, atLeast: 0.42}}. */
    public String getGates() {
        return FormText.kept(gates);
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

    @Override
    public boolean isFoldRanks() {
        return foldRanks;
    }

    @Override
    public boolean perform(AbstractBuild<?, ?> build, Launcher launcher, BuildListener listener)
            throws InterruptedException, IOException {
        BuildScope scope = new BuildScope(build, listener);
        try {
            WatchTerms terms = WatchTerms.of(this);
            List<Map<String, String>> criteria = gates(getGates());
            require(
                    job != null,
                    "The build step 'Run TAO job' names no job. Open the form of the project, fill it in, and save.");
            JobHandle handle = submitted(scope, WorkspaceFiles.read(job, build.getWorkspace()));
            TaoResult result = watched(scope, terms, handle);
            if (!result.isSuccess() && failOnError) {
                throw new AbortException(result.toString());
            }
            judge(scope, handle.key().value(), criteria);
            return true;
        } catch (ExecutionException | IllegalArgumentException e) {
            throw shown(Failures.forUser(e));
        }
    }

    /** The gates of the field, each checked. */
    static List<Map<String, String>> gates(String text) {
        List<Map<String, String>> gates = BuildGate.read("gates", text);
        gates.forEach(keys ->
                require(!keys.containsKey("confirm"), "gates: a confirming run needs a Pipeline; leave out 'confirm'"));
        return gates;
    }

    /** All gates judge, then the build fails by those that failed. */
    static void judge(BuildScope scope, String job, List<Map<String, String>> gates) throws IOException {
        List<String> failures = new ArrayList<>();
        for (Map<String, String> keys : gates) {
            BuildGate.Answer answer = BuildGate.judge(scope, keys, job, Optional.empty(), "");
            if (answer.effect() == Effect.FAILURE) {
                failures.add(answer.sentence());
            } else if (answer.effect() == Effect.UNSTABLE) {
                scope.run().setResult(Result.UNSTABLE);
            }
        }
        if (!failures.isEmpty()) {
            throw new AbortException(String.join(" ", failures));
        }
    }

    private JobHandle submitted(BuildScope scope, WorkspaceFiles files)
            throws ExecutionException, InterruptedException {
        Departing submission = PlacedRun.start(
                scope,
                job.in(scope.run().getParent()).with(files),
                SubmissionId.fresh(scope.run()),
                false,
                files.code());
        try {
            TaoJob taken = submission.result().get();
            return JobHandle.parse(taken.getToken());
        } catch (InterruptedException e) {
            submission.abort("an abort of the build").join();
            throw e;
        }
    }

    private TaoResult watched(BuildScope scope, WatchTerms terms, JobHandle handle)
            throws ExecutionException, InterruptedException {
        WatchRun watch = watch(scope, terms, handle);
        try {
            return watch.result().get();
        } catch (InterruptedException e) {
            if (job.getOnAbort().equals("detach")) {
                watch.leave();
            } else {
                watch.abort("an abort of the build").get();
            }
            throw e;
        }
    }

    /** A Freestyle build cannot come back to its job: one that cannot be watched is not left to run unseen. */
    private static WatchRun watch(BuildScope scope, WatchTerms terms, JobHandle handle) {
        try {
            return WatchRun.start(scope, terms, handle);
        } catch (RuntimeException e) {
            scope.abandon(handle, "a build that cannot watch it");
            throw e;
        }
    }

    private static IOException shown(Throwable failure) {
        return failure instanceof IOException known ? known : new IOException(failure);
    }

    /** The form of the build step. */
    @Extension
    @Symbol("taoRun")
    public static final class DescriptorImpl extends BuildStepDescriptor<Builder> {
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
            return TargetChoice.stallActions();
        }

        /** Checks patterns of files; a pure check of the text. */
        @POST
        public FormValidation doCheckArchive(@QueryParameter String value) {
            return TargetChoice.checked(() -> WatchTerms.archive(value, ""));
        }

        /** Checks sizes; a pure check of the text. */
        @POST
        public FormValidation doCheckArchiveLimit(@QueryParameter String value) {
            return TargetChoice.checked(() -> WatchTerms.archive("", value));
        }

        /** Checks a length of time; a pure check of the text. */
        @POST
        public FormValidation doCheckInterval(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.duration("interval", value));
        }

        /** Checks a size; a pure check of the text. */
        @POST
        public FormValidation doCheckLogLimit(@QueryParameter String value) {
            return TargetChoice.checked(() -> WatchTerms.logLimit(value));
        }

        /** Checks a length of time; a pure check of the text. */
        @POST
        public FormValidation doCheckGiveUpAfter(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.duration("giveUpAfter", value));
        }

        /** Checks gates; a pure check of the text. */
        @POST
        public FormValidation doCheckGates(@QueryParameter String value) {
            return TargetChoice.checked(() -> gates(value));
        }

        /** Checks a number; a pure check of the text. */
        @POST
        public FormValidation doCheckRetries(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.number("retries", value));
        }
    }
}
