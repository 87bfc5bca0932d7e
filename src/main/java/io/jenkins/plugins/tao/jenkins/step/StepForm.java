package io.jenkins.plugins.tao.jenkins.step;

import static io.jenkins.plugins.tao.job.Require.require;

import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.Choices;
import io.jenkins.plugins.tao.jenkins.config.PipelineText;
import io.jenkins.plugins.tao.jenkins.run.Failures;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jenkinsci.plugins.structs.describable.CustomDescribableModel;
import org.jenkinsci.plugins.structs.describable.DescribableModel;
import org.jenkinsci.plugins.workflow.steps.Step;
import org.jenkinsci.plugins.workflow.steps.StepDescriptor;
import org.jvnet.localizer.ResourceBundleHolder;
import org.kohsuke.stapler.verb.POST;

/** How all steps read the arguments of a Pipeline, and refuse wrong ones. */
public abstract class StepForm extends StepDescriptor implements CustomDescribableModel {
    private static final String WARNING = "WARNING: ";

    @Override
    public Set<? extends Class<?>> getRequiredContext() {
        return Set.of(Run.class, TaskListener.class);
    }

    /** {@code taoGate} for {@code GateStep}. */
    @Override
    public final String getFunctionName() {
        return "tao" + name();
    }

    @Override
    public final String getDisplayName() {
        return ResourceBundleHolder.get(Messages.class).format(name() + ".displayName");
    }

    private String name() {
        Class<?> step = Objects.requireNonNull(getClass().getEnclosingClass(), "a form is a part of its step");
        return step.getSimpleName().replaceFirst("Step$", "");
    }

    /** Offers what becomes of jobs when their build fails or is aborted. */
    @POST
    public ListBoxModel doFillOnAbortItems() {
        ListBoxModel items = new ListBoxModel();
        items.add(Messages.Wait_cancel(), "cancel");
        items.add(Messages.Wait_detach(), "detach");
        return items;
    }

    /** Offers what may become of a stalled job. */
    @POST
    public ListBoxModel doFillOnStallItems() {
        return Choices.of(WatchPlan.OnStall.class);
    }

    /** A number of a Pipeline is text to us; results, jobs and lists of them are tokens. */
    @Override
    public Map<String, Object> customInstantiate(Map<String, Object> arguments) {
        return PipelineText.flatten(arguments, Tokens::of);
    }

    /** Jenkins' own would only warn of an unknown parameter, and show what else is wrong with a stack trace. */
    @Override
    public final Step newInstance(Map<String, Object> arguments) throws Exception {
        try {
            PipelineText.refuseUnknown(getFunctionName(), clazz, arguments.keySet());
            ByteArrayOutputStream warnings = new ByteArrayOutputStream();
            PrintStream lines = new PrintStream(warnings, true, StandardCharsets.UTF_8);
            Step step = DescribableModel.of(clazz).instantiate(arguments, () -> lines);
            String warning = warnings.toString(StandardCharsets.UTF_8).strip();
            require(
                    !warning.contains("nknown parameter"),
                    "%s: %s",
                    getFunctionName(),
                    warning.startsWith(WARNING) ? warning.substring(WARNING.length()) : warning);
            return step;
        } catch (RuntimeException e) {
            throw Failures.refusal(e);
        }
    }
}
