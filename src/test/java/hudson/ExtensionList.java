package hudson;

import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stands in for Jenkins' own in tests: knows what a test has put in, one extension of a class. */
public class ExtensionList<T> extends AbstractList<T> {
    private static final Map<Class<?>, Object> SINGLETONS = new HashMap<>();

    private final List<T> found;

    protected ExtensionList() {
        this(List.of());
    }

    private ExtensionList(List<T> found) {
        this.found = found;
    }

    public static synchronized <U> ExtensionList<U> lookup(Class<U> type) {
        return new ExtensionList<>(SINGLETONS.values().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList());
    }

    /** Lets {@code extension} be the one of its class. */
    public static synchronized void put(Object extension) {
        SINGLETONS.put(extension.getClass(), extension);
    }

    /** Forgets all. */
    public static synchronized void removeAll() {
        SINGLETONS.clear();
    }

    public static synchronized <U> U lookupSingleton(Class<U> type) {
        Object extension = SINGLETONS.containsKey(type)
                ? SINGLETONS.get(type)
                : SINGLETONS.values().stream()
                        .filter(type::isInstance)
                        .findFirst()
                        .orElse(null);
        if (extension == null) {
            throw new IllegalStateException("this test has no " + type);
        }
        return type.cast(extension);
    }

    @Override
    public T get(int index) {
        return found.get(index);
    }

    @Override
    public int size() {
        return found.size();
    }
}
