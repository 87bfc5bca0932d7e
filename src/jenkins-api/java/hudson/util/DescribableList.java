package hudson.util;

import hudson.model.Describable;
import hudson.model.Descriptor;
import org.jspecify.annotations.Nullable;

public class DescribableList<T extends Describable<T>, D extends Descriptor<T>> extends PersistedList<T> {
    protected DescribableList() {}

    @Override
    public <U extends T> @Nullable U get(Class<U> type) {
        throw new UnsupportedOperationException();
    }
}
