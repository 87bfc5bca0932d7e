package hudson.util;

import java.util.AbstractList;

public class PersistedList<T> extends AbstractList<T> {
    protected PersistedList() {}

    public <U extends T> U get(Class<U> type) {
        throw new UnsupportedOperationException();
    }

    @Override
    public T get(int index) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int size() {
        throw new UnsupportedOperationException();
    }
}
