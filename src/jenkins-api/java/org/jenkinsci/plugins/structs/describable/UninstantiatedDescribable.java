package org.jenkinsci.plugins.structs.describable;

import java.util.Map;

public class UninstantiatedDescribable implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    public UninstantiatedDescribable(Map<String, ?> arguments) {}

    public UninstantiatedDescribable withArguments(Map<String, ?> arguments) {
        throw new UnsupportedOperationException();
    }

    public Map<String, ?> getArguments() {
        throw new UnsupportedOperationException();
    }
}
