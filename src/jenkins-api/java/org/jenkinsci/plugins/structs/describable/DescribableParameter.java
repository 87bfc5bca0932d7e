package org.jenkinsci.plugins.structs.describable;

public final class DescribableParameter {
    private DescribableParameter() {}

    public String getName() {
        throw new UnsupportedOperationException();
    }

    @SuppressWarnings("rawtypes")
    public Class getErasedType() {
        throw new UnsupportedOperationException();
    }
}
