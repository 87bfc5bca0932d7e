package io.jenkins.plugins.tao.jenkins.step;

import static java.util.Map.entry;

import hudson.model.Item;
import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.util.FormValidation;
import hudson.util.FormValidation.CheckMethod;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.bind.CommandOptions;
import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.jenkins.config.Choices;
import io.jenkins.plugins.tao.jenkins.config.FieldCheck;
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
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jenkinsci.plugins.structs.describable.UninstantiatedDescribable;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.AncestorInPath;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.verb.POST;

/** What all steps that ask for a job take from a Pipeline, and what their forms offer and check. */
public abstract class JobForm extends StepForm {
    private static final List<String> MAPPINGS = List.of("env", "secrets", "spec", "set", "args");
    private static final Map<String, Consumer<String>> READINGS = Map.ofEntries(
            entry("env", text -> FormText.texts("env", text)),
            entry("secrets", text -> FormText.texts("secrets", text)),
            entry("args", text -> CommandOptions.added("-", FormText.map("args", text))),
            entry("set", text -> SpecPaths.replaced(Map.of(), FormText.map("set", text))),
            entry("spec", text -> FormText.map("spec", text)),
            entry("after", text -> FormText.text(text).ifPresent(token -> JobHandle.parse(token))),
            entry("timeLimit", text -> FormText.duration("timeLimit", text)),
            entry("giveUpAfter", text -> FormText.duration("giveUpAfter", text)),
            entry("startWithin", text -> FormText.duration("startWithin", text)),
            entry("retryBudget", text -> FormText.text(text).ifPresent(budget -> new RetryBudget(budget))),
            entry("gpus", text -> FormText.number("gpus", text)),
            entry("nodes", text -> FormText.number("nodes", text)),
            entry("cpus", text -> FormText.number("cpus", text)));

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

    /** What reads the text of a field, by its name. */
    Map<String, Consumer<String>> readings() {
        return READINGS;
    }

    @Override
    public CheckMethod getCheckMethod(String field) {
        return readings().containsKey(field) ? new FieldCheck(this, field) : super.getCheckMethod(field);
    }

    /** Checks the text of the field that the rest of the path names. */
    @POST
    public FormValidation doCheckField(StaplerRequest2 request, @QueryParameter String value) {
        return FieldCheck.checked(readings(), request, value);
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
}
