package io.jenkins.plugins.tao.jenkins.step;

import hudson.model.Run;
import hudson.model.TaskListener;
import java.util.Map;
import java.util.Set;
import org.jenkinsci.plugins.structs.describable.CustomDescribableModel;
import org.jenkinsci.plugins.workflow.steps.StepDescriptor;
import org.jspecify.annotations.Nullable;

/** The forms of the steps that take jobs in {@code job}. */
public abstract class JobsForm extends StepDescriptor implements CustomDescribableModel {
    @Override
    public Set<? extends Class<?>> getRequiredContext() {
        return Set.of(Run.class, TaskListener.class);
    }

    @Override
    public Map<String, Object> customInstantiate(Map<String, Object> arguments) {
        return Tokens.arguments(arguments);
    }

    @Override
    public @Nullable String argumentsToString(Map<String, Object> namedArgs) {
        return Tokens.named(namedArgs.get("job"));
    }
}
