package hudson.model;

import org.jspecify.annotations.Nullable;

/** Stands in for Jenkins' own in tests: one that a test names is at work. */
public class User implements ModelObject {
    private static volatile @Nullable User current;

    private final String name;

    private User(String name) {
        this.name = name;
    }

    /** Lets this user be at work; {@code null} for nobody. */
    public static void atWork(@Nullable String name) {
        current = name == null ? null : new User(name);
    }

    public static @Nullable User current() {
        return current;
    }

    @Override
    public String getDisplayName() {
        return name;
    }
}
