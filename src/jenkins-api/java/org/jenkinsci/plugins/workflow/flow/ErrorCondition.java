package org.jenkinsci.plugins.workflow.flow;

import hudson.ExtensionPoint;
import hudson.model.AbstractDescribableImpl;
import hudson.model.Descriptor;
import java.io.IOException;
import java.io.Serializable;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jspecify.annotations.Nullable;

/** Signature alone, as in workflow-api 1384.vdc05a_48f535f. */
public abstract class ErrorCondition extends AbstractDescribableImpl<ErrorCondition>
        implements ExtensionPoint, Serializable {
    private static final long serialVersionUID = 1L;

    public abstract boolean test(Throwable error, @Nullable StepContext context)
            throws IOException, InterruptedException;

    /** The kinds of it. */
    public abstract static class ErrorConditionDescriptor extends Descriptor<ErrorCondition> {}
}
