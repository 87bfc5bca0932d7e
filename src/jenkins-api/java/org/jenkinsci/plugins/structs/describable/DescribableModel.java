package org.jenkinsci.plugins.structs.describable;

import hudson.model.TaskListener;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

public final class DescribableModel<T> implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    private DescribableModel() {}

    public static <T> DescribableModel<T> of(Class<T> clazz) {
        throw new UnsupportedOperationException();
    }

    public Collection<DescribableParameter> getParameters() {
        throw new UnsupportedOperationException();
    }

    public T instantiate(Map<String, ?> arguments, @Nullable TaskListener listener) throws IllegalArgumentException {
        throw new UnsupportedOperationException();
    }
}
