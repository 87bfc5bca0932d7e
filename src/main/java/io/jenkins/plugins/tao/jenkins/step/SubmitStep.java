package io.jenkins.plugins.tao.jenkins.step;

import hudson.Extension;
import hudson.model.Item;
import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.JobOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.NoOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.PipelineText;
import io.jenkins.plugins.tao.jenkins.config.TargetChoice;
import io.jenkins.plugins.tao.jenkins.config.WrongOptions;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jenkinsci.plugins.structs.describable.CustomDescribableModel;
import org.jenkinsci.plugins.structs.describable.UninstantiatedDescribable;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.jenkinsci.plugins.workflow.steps.Step;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jenkinsci.plugins.workflow.steps.StepDescriptor;
import org.jenkinsci.plugins.workflow.steps.StepExecution;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.AncestorInPath;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** {@code taoSubmit}: checks and starts a job, and returns it as soon as the target has taken it. */
public class SubmitStep extends Step implements JobRequest, Serializable {
    private static final long serialVersionUID = 1L;

    private final String target;
    private final String command;
    private String name = "";
    private String image = "";
    private String gpus = "";
    private String nodes = "";
    private String cpus = "";
    private String timeLimit = "";
    private @Nullable String startWithin;
    private String env = "";
    private String secrets = "";
    private String inputs = "";
    private String outputs = "";
    private String spec = "";
    private String specFormat = "";
    private String resultsDir = "";
    private @Nullable String giveUpAfter;
    private @Nullable String onAbort;
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
        return name;
    }

    @DataBoundSetter
    public void setName(String name) {
        this.name = FormText.kept(name);
    }

    @Override
    public String getImage() {
        return image;
    }

    @DataBoundSetter
    public void setImage(String image) {
        this.image = FormText.kept(image);
    }

    @Override
    public String getGpus() {
        return gpus;
    }

    @DataBoundSetter
    public void setGpus(String gpus) {
        this.gpus = FormText.kept(gpus);
    }

    @Override
    public String getNodes() {
        return nodes;
    }

    @DataBoundSetter
    public void setNodes(String nodes) {
        this.nodes = FormText.kept(nodes);
    }

    @Override
    public String getCpus() {
        return cpus;
    }

    @DataBoundSetter
    public void setCpus(String cpus) {
        this.cpus = FormText.kept(cpus);
    }

    @Override
    public String getTimeLimit() {
        return timeLimit;
    }

    @DataBoundSetter
    public void setTimeLimit(String timeLimit) {
        this.timeLimit = FormText.kept(timeLimit);
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
        return env;
    }

    @DataBoundSetter
    public void setEnv(String env) {
        this.env = FormText.kept(env);
    }

    @Override
    public String getSecrets() {
        return secrets;
    }

    @DataBoundSetter
    public void setSecrets(String secrets) {
        this.secrets = FormText.kept(secrets);
    }

    @Override
    public String getInputs() {
        return inputs;
    }

    @DataBoundSetter
    public void setInputs(String inputs) {
        this.inputs = FormText.kept(inputs);
    }

    @Override
    public String getOutputs() {
        return outputs;
    }

    @DataBoundSetter
    public void setOutputs(String outputs) {
        this.outputs = FormText.kept(outputs);
    }

    @Override
    public String getSpec() {
        return spec;
    }

    @DataBoundSetter
    public void setSpec(String spec) {
        this.spec = FormText.kept(spec);
    }

    @Override
    public String getSpecFormat() {
        return specFormat;
    }

    @DataBoundSetter
    public void setSpecFormat(String specFormat) {
        this.specFormat = FormText.kept(specFormat);
    }

    @Override
    public String getResultsDir() {
        return resultsDir;
    }

    @DataBoundSetter
    public void setResultsDir(String resultsDir) {
        this.resultsDir = FormText.kept(resultsDir);
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

    /** The form of the step. */
    @Extension
    public static class DescriptorImpl extends StepDescriptor implements CustomDescribableModel {
        private static final List<String> MAPPINGS = List.of("env", "secrets", "spec");

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

        /** Offers the targets to all who may configure the job. */
        @POST
        public ListBoxModel doFillTargetItems(@AncestorInPath @Nullable Item item, @QueryParameter String target) {
            return TargetChoice.items(item, target);
        }

        /** Checks that there is a target to choose; a new form asks before its list is filled, and shows the first one then. */
        @POST
        public FormValidation doCheckTarget(@QueryParameter String value) {
            return FormText.text(value).isPresent() || TargetChoice.any()
                    ? FormValidation.ok()
                    : FormValidation.error(Messages.Submit_target());
        }

        /** Checks that there is a command. */
        @POST
        public FormValidation doCheckCommand(@QueryParameter String value) {
            return FormText.text(value).isPresent()
                    ? FormValidation.ok()
                    : FormValidation.error(Messages.Submit_command());
        }

        /** Checks a mapping; a pure check of the text. */
        @POST
        public FormValidation doCheckEnv(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.texts("env", value));
        }

        /** Checks a mapping; a pure check of the text. */
        @POST
        public FormValidation doCheckSecrets(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.texts("secrets", value));
        }

        /** Checks a mapping; a pure check of the text. */
        @POST
        public FormValidation doCheckSpec(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.map("spec", value));
        }

        /** Offers what a spec may be written as. */
        @POST
        public ListBoxModel doFillSpecFormatItems() {
            return TargetChoice.specFormats();
        }

        /** Checks a length of time; a pure check of the text. */
        @POST
        public FormValidation doCheckTimeLimit(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.duration("timeLimit", value));
        }

        /** Checks a length of time; a pure check of the text. */
        @POST
        public FormValidation doCheckGiveUpAfter(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.duration("giveUpAfter", value));
        }

        /** Offers what becomes of the job when the build fails or is aborted. */
        @POST
        public ListBoxModel doFillOnAbortItems() {
            return OnAbort.items();
        }

        /** Checks a length of time; a pure check of the text. */
        @POST
        public FormValidation doCheckStartWithin(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.duration("startWithin", value));
        }

        /** Checks a number; a pure check of the text. */
        @POST
        public FormValidation doCheckGpus(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.number("gpus", value));
        }

        /** Checks a number; a pure check of the text. */
        @POST
        public FormValidation doCheckNodes(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.number("nodes", value));
        }

        /** Checks a number; a pure check of the text. */
        @POST
        public FormValidation doCheckCpus(@QueryParameter String value) {
            return TargetChoice.checked(() -> FormText.number("cpus", value));
        }
    }
}
