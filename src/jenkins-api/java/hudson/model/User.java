package hudson.model;

import org.jspecify.annotations.Nullable;

public class User implements ModelObject {
    private User() {}

    public static @Nullable User current() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getDisplayName() {
        throw new UnsupportedOperationException();
    }
}
