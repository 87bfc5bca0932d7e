package org.jenkinsci.plugins.workflow.flow;

import hudson.model.Queue;
import org.jspecify.annotations.Nullable;

public abstract class FlowExecutionOwner implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    public @Nullable FlowExecution getOrNull() {
        throw new UnsupportedOperationException();
    }

    public interface Executable extends Queue.Executable {
        @Nullable
        FlowExecutionOwner asFlowExecutionOwner();
    }
}
