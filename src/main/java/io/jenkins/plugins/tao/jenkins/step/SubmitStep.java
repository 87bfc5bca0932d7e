package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import hudson.model.Run;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.JobOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.NoOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.PipelineText;
import io.jenkins.plugins.tao.jenkins.config.WrongOptions;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceCode;
import io.jenkins.plugins.tao.jenkins.run.WorkspaceFiles;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import lombok.Setter;
import org.jenkinsci.plugins.structs.describable.CustomDescribableModel;
import org.jenkinsci.plugins.structs.describable.UninstantiatedDescribable;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.jenkinsci.plugins.workflow.steps.Step;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** {@code taoSubmit}: checks and starts a job, and returns it as soon as the target has taken it. */
public class SubmitStep extends Step implements JobRequest, Serializable, Cloneable {
    private static final long serialVersionUID = 1L;

    private final String target;
    private final String command;

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

    private @Nullable String startWithin;

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

    private @Nullable String giveUpAfter;
    private @Nullable String onAbort;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String specFile;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String set;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String args;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String code;

    /** The id of the files of {@code code}, once they were read. */
    private @Nullable String codeId;

    private @Nullable JobOptionsConfiguration options;

    @DataBoundConstructor
    public SubmitStep(String target, String command) {
        this.target = FormText.kept(target);
        this.command = FormText.kept(command);
    }

    @Override
    public StepExecution start(StepContext context) {
        return new SubmitExecution(context, this);
    }

    @Override
    public String getTarget() {
        return target;
    }

    @Override
    public String getCommand() {
        return command;
    }

    @Override
    public @Nullable JobOptionsConfiguration getOptions() {
        return options;
    }

    @DataBoundSetter
    public void setOptions(@Nullable JobOptionsConfiguration options) {
        this.options = options instanceof NoOptionsConfiguration ? null : options;
    }

    @Override
    public String getName() {
        return FormText.kept(name);
    }

    @Override
    public String getImage() {
        return FormText.kept(image);
    }

    @Override
    public String getGpus() {
        return FormText.kept(gpus);
    }

    @Override
    public String getNodes() {
        return FormText.kept(nodes);
    }

    @Override
    public String getCpus() {
        return FormText.kept(cpus);
    }

    @Override
    public String getTimeLimit() {
        return FormText.kept(timeLimit);
    }

    @Override
    public String getStartWithin() {
        return startWithin == null ? "" : startWithin; // a step that was saved before there was one
    }

    @DataBoundSetter
    public void setStartWithin(String startWithin) {
        this.startWithin = FormText.kept(startWithin);
    }

    @Override
    public String getEnv() {
        return FormText.kept(env);
    }

    @Override
    public String getSecrets() {
        return FormText.kept(secrets);
    }

    @Override
    public String getInputs() {
        return FormText.kept(inputs);
    }

    @Override
    public String getOutputs() {
        return FormText.kept(outputs);
    }

    @Override
    public String getSpec() {
        return FormText.kept(spec);
    }

    @Override
    public String getSpecFormat() {
        return FormText.kept(specFormat);
    }

    @Override
    public String getSpecFile() {
        return FormText.kept(specFile);
    }

    @Override
    public String getSet() {
        return FormText.kept(set);
    }

    @Override
    public String getArgs() {
        return FormText.kept(args);
    }

    @Override
    public String getCode() {
        return FormText.kept(code);
    }

    @Override
    public String getCodeId() {
        return FormText.kept(codeId);
    }

    @Override
    public String getResultsDir() {
        return FormText.kept(resultsDir);
    }

    /** Null where an earlier version saved the step. */
    @Override
    public String getGiveUpAfter() {
        return FormText.kept(giveUpAfter);
    }

    @DataBoundSetter
    public void setGiveUpAfter(String giveUpAfter) {
        this.giveUpAfter = FormText.kept(giveUpAfter);
    }

    @Override
    public String getOnAbort() {
        return FormText.text(onAbort).orElse("cancel");
    }

    @DataBoundSetter
    public void setOnAbort(String onAbort) {
        this.onAbort = FormText.kept(onAbort);
    }

    /** Whether files of a workspace are read before the job can be asked for. */
    public final boolean needsWorkspace() {
        return !getSpecFile().isEmpty() || (!getCode().isEmpty() && getCodeId().isEmpty());
    }

    /** The same job with what its files hold; the step of a project's configuration stays as it is. */
    public final SubmitStep with(WorkspaceFiles files) {
        try {
            SubmitStep copy = (SubmitStep) clone();
            copy.spec = files.spec().orElse(getSpec());
            copy.specFile = "";
            copy.codeId = files.code().map(WorkspaceCode::version).orElse(getCodeId());
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("every step can be copied", e);
        }
    }

    /** Starts in the files that the target had for {@code before}. */
    final void takeCode(JobRequest before) {
        codeId = before.getCodeId();
    }

    /** The form of the step. */
    @Extension
    public static class DescriptorImpl extends JobForm implements CustomDescribableModel {
        private static final List<String> MAPPINGS = List.of("env", "secrets", "spec", "set", "args");

        @Override
        public String getFunctionName() {
            return "taoSubmit";
        }

        @Override
        public String getDisplayName() {
            return Messages.Submit_displayName();
        }

        @Override
        public Set<? extends Class<?>> getRequiredContext() {
            return Set.of(Run.class, TaskListener.class, FlowNode.class);
        }

        @Override
        public Map<String, Object> customInstantiate(Map<String, Object> arguments) {
            return PipelineText.flatten(WrongOptions.marked(arguments));
        }

        @Override
        public UninstantiatedDescribable customUninstantiate(UninstantiatedDescribable step) {
            return step.withArguments(PipelineText.unflatten(step.getArguments(), MAPPINGS));
        }

        @Override
        public @Nullable String argumentsToString(Map<String, Object> namedArgs) {
            String job = Stream.of("name", "command")
                    .map(namedArgs::get)
                    .filter(CharSequence.class::isInstance)
                    .map(Object::toString)
                    .findFirst()
                    .orElse("");
            String place = namedArgs.get("target") instanceof CharSequence target ? " on " + target : "";
            return FormText.text(job + place).orElse(null);
        }
    }
}
