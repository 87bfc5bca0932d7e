package org.jenkinsci.plugins.workflow.steps;

import hudson.model.Descriptor;
import java.util.Map;
import java.util.Set;

public abstract class StepDescriptor extends Descriptor<Step> {
    protected StepDescriptor() {}

    public abstract Set<? extends Class<?>> getRequiredContext();

    public abstract String getFunctionName();

    public Step newInstance(Map<String, Object> arguments) throws Exception {
        throw new UnsupportedOperationException();
    }

    public String argumentsToString(Map<String, Object> namedArgs) {
        throw new UnsupportedOperationException();
    }

    public boolean takesImplicitBlockArgument() {
        return false;
    }

    public java.util.Set<? extends Class<?>> getProvidedContext() {
        return java.util.Set.of();
    }
}
