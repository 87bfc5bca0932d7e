package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import hudson.model.Item;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.JobDefaults;
import io.jenkins.plugins.tao.jenkins.config.JobOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.NoOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.run.Confirming;
import io.jenkins.plugins.tao.jenkins.run.GitRequest;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceCode;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceFiles;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** {@code taoSubmit}: checks and starts a job, and returns it as soon as the target has taken it. */
@Getter
@SuppressWarnings("MissingOverride") // the getters are generated
public class SubmitStep extends TaoStep implements JobRequest, Serializable, Cloneable {
    private static final long serialVersionUID = 1L;

    private String target;
    private String command;

    @Setter(onMethod_ = @DataBoundSetter)
    private String name = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String image = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String gpus = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String nodes = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String cpus = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String timeLimit = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String startWithin = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String retryBudget = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String env = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String secrets = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String inputs = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String outputs = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String spec = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String specFormat = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String resultsDir = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String giveUpAfter = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String onAbort;

    @Setter(onMethod_ = @DataBoundSetter)
    private String specFile = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String set = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String args = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String code = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String resume = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String keepCheckpoints = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String pre = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String post = "";

    private @Nullable Confirming confirming;

    /** The id of the files of {@code code}, once they were read. */
    private @Nullable String codeId;

    private @Nullable JobOptionsConfiguration options;
    /** Of the cell of a sweep; null for other jobs, and where an earlier version saved the step. */
    @Getter(AccessLevel.NONE)
    private @Nullable LinkedHashMap<String, String> originFacts;

    /** From the job after which it ran; null for other jobs, and where an earlier version saved the step. */
    @Getter(AccessLevel.NONE)
    private @Nullable LinkedHashMap<String, String> inherited;

    @Setter(onMethod_ = @DataBoundSetter)
    private String targets = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String targetOrder = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String after = "";

    @DataBoundConstructor
    public SubmitStep(@Nullable String target, @Nullable String command) {
        this.target = FormText.kept(target);
        this.command = FormText.kept(command);
    }

    @Override
    StepExecution begin(StepContext context) {
        return new SubmitExecution(context, this);
    }

    @Override
    public final SubmitStep on(String name, Map<String, String> values) {
        SubmitStep copy = copy();
        copy.inherited = new LinkedHashMap<>(values);
        copy.target = name;
        copy.targets = "";
        copy.targetOrder = "";
        copy.after = "";
        return copy;
    }

    @Override
    public final Map<String, String> inherited() {
        return inherited == null ? Map.of() : inherited;
    }

    final SubmitStep copy() {
        try {
            return (SubmitStep) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("every step can be copied", e);
        }
    }

    final void run(String place, String text) {
        target = place;
        command = text;
    }

    @DataBoundSetter
    public void setOptions(@Nullable JobOptionsConfiguration options) {
        this.options = options instanceof NoOptionsConfiguration ? null : options;
    }

    @Override
    public final Map<String, String> originFacts() {
        return originFacts == null ? Map.of() : originFacts;
    }

    final void tellOrigin(Map<String, String> facts) {
        originFacts = new LinkedHashMap<>(facts);
    }

    final void confirms(Confirming what) {
        confirming = what;
    }

    @Override
    public String getCodeId() {
        return FormText.kept(codeId);
    }

    @Override
    public String getOnAbort() {
        return FormText.text(onAbort).orElse("cancel");
    }

    /** Whether its code is a directory of the workspace. */
    final boolean hasFolder() {
        return !getCode().isEmpty() && !GitRequest.isGit(getCode());
    }

    /** Whether files of a workspace are read before the job can be asked for. */
    public final boolean needsWorkspace() {
        return !getSpecFile().isEmpty() || (hasFolder() && getCodeId().isEmpty());
    }

    /** The same job with what its files hold; the step of a project's configuration stays as it is. */
    public final SubmitStep with(WorkspaceFiles files) {
        SubmitStep copy = copy();
        copy.spec = files.spec().orElse(getSpec());
        copy.specFile = "";
        copy.codeId = files.code().map(WorkspaceCode::version).orElse(getCodeId());
        return copy;
    }

    /**
     * The same job with what the folders of {@code item} say where it says nothing.
     *
     * @throws IllegalArgumentException if variables are no mapping
     */
    public final SubmitStep in(Item item) {
        JobDefaults folder = JobDefaults.of(item);
        SubmitStep copy = copy();
        copy.target = folder.or("target", getTarget());
        copy.image = folder.or("image", getImage());
        copy.gpus = folder.or("gpus", getGpus());
        copy.timeLimit = folder.or("timeLimit", getTimeLimit());
        copy.giveUpAfter = folder.or("giveUpAfter", getGiveUpAfter());
        copy.env = folder.env(getEnv());
        return copy;
    }

    /** Takes over what {@code before} took over from the job after which it ran. */
    final void inherit(JobRequest before) {
        inherited = new LinkedHashMap<>(before.inherited());
    }

    /** Starts in the files that the target had for {@code before}. */
    final void takeCode(JobRequest before) {
        codeId = before.getCodeId();
    }

    /** The form of the step. */
    @Extension
    public static class DescriptorImpl extends JobForm {}
}
