package org.jenkinsci.plugins.workflow.flow;

import org.springframework.security.core.Authentication;

public abstract class FlowExecution {
    public Authentication getAuthentication2() {
        throw new UnsupportedOperationException();
    }
}
