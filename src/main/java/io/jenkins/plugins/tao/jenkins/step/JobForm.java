package io.jenkins.plugins.tao.jenkins.step;

import hudson.model.Item;
import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.bind.CommandOptions;
import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.jenkins.config.Choices;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.PipelineText;
import io.jenkins.plugins.tao.jenkins.config.TargetChoice;
import io.jenkins.plugins.tao.jenkins.config.WrongOptions;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.RetryBudget;
import io.jenkins.plugins.tao.job.SpecFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jenkinsci.plugins.structs.describable.UninstantiatedDescribable;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.AncestorInPath;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/**
 * What all steps that ask for a job take from a Pipeline, and what their forms offer and check. A check without a comment reads
 * its text alone: all who see the form may ask.
 */
public abstract class JobForm extends StepForm {
    private static final List<String> MAPPINGS = List.of("env", "secrets", "spec", "set", "args");

    @Override
    public Set<? extends Class<?>> getRequiredContext() {
        return Set.of(Run.class, TaskListener.class, FlowNode.class);
    }

    @Override
    public Map<String, Object> customInstantiate(Map<String, Object> arguments) {
        return PipelineText.flatten(WrongOptions.marked(arguments), Tokens::of);
    }

    @Override
    public UninstantiatedDescribable customUninstantiate(UninstantiatedDescribable step) {
        Map<String, Object> natural = PipelineText.unflatten(step.getArguments(), MAPPINGS);
        natural.values().removeIf(""::equals); // a job file may have the target and the command
        return step.withArguments(natural);
    }

    @Override
    public @Nullable String argumentsToString(Map<String, Object> namedArgs) {
        String job = Stream.of("name", "file", "command")
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
    public FormValidation doCheckTarget(@AncestorInPath @Nullable Item item, @QueryParameter String value) {
        return FormText.text(value).isPresent() || TargetChoice.any(item)
                ? FormValidation.ok()
                : FormValidation.error(Messages.Submit_target());
    }

    /** Checks that there is a command. */
    @POST
    public FormValidation doCheckCommand(@QueryParameter String value) {
        return FormText.text(value).isPresent() ? FormValidation.ok() : FormValidation.error(Messages.Submit_command());
    }

    @POST
    public FormValidation doCheckEnv(@QueryParameter String value) {
        return TargetChoice.checked(() -> FormText.texts("env", value));
    }

    @POST
    public FormValidation doCheckSecrets(@QueryParameter String value) {
        return TargetChoice.checked(() -> FormText.texts("secrets", value));
    }

    @POST
    public FormValidation doCheckArgs(@QueryParameter String value) {
        return TargetChoice.checked(() -> CommandOptions.added("-", FormText.map("args", value)));
    }

    @POST
    public FormValidation doCheckSet(@QueryParameter String value) {
        return TargetChoice.checked(() -> SpecPaths.replaced(Map.of(), FormText.map("set", value)));
    }

    @POST
    public FormValidation doCheckSpec(@QueryParameter String value) {
        return TargetChoice.checked(() -> FormText.map("spec", value));
    }

    /** Offers what a spec may be written as. */
    @POST
    public ListBoxModel doFillSpecFormatItems() {
        return Choices.of(SpecFormat.class);
    }

    /** Offers which of several targets is asked first. */
    @POST
    public ListBoxModel doFillTargetOrderItems() {
        ListBoxModel items = new ListBoxModel();
        items.add(Messages.Submit_targetOrder_given(), "");
        items.add(Messages.Submit_targetOrder_wait(), "wait");
        return items;
    }

    @POST
    public FormValidation doCheckAfter(@QueryParameter String value) {
        return TargetChoice.checked(() -> FormText.text(value).ifPresent(token -> JobHandle.parse(token)));
    }

    @POST
    public FormValidation doCheckTimeLimit(@QueryParameter String value) {
        return TargetChoice.checked(() -> FormText.duration("timeLimit", value));
    }

    @POST
    public FormValidation doCheckGiveUpAfter(@QueryParameter String value) {
        return TargetChoice.checked(() -> FormText.duration("giveUpAfter", value));
    }

    @POST
    public FormValidation doCheckRetryBudget(@QueryParameter String value) {
        return TargetChoice.checked(() -> FormText.text(value).ifPresent(budget -> new RetryBudget(budget)));
    }

    @POST
    public FormValidation doCheckStartWithin(@QueryParameter String value) {
        return TargetChoice.checked(() -> FormText.duration("startWithin", value));
    }

    @POST
    public FormValidation doCheckGpus(@QueryParameter String value) {
        return TargetChoice.checked(() -> FormText.number("gpus", value));
    }

    @POST
    public FormValidation doCheckNodes(@QueryParameter String value) {
        return TargetChoice.checked(() -> FormText.number("nodes", value));
    }

    @POST
    public FormValidation doCheckCpus(@QueryParameter String value) {
        return TargetChoice.checked(() -> FormText.number("cpus", value));
    }
}
